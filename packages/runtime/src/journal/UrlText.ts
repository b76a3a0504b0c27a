/** Web addresses: in the canonical form in which they are sent, and as users write them in texts. Pure. */

/** Returns the canonical address without its fragment, which is never sent; null: the text is not a web address. */
export const canonicalAddress = (text: string): string | null => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return null
  url.hash = ""
  return url.href
}

const withScheme = /https?:\/\/[^\s<>"'`\\]+/giu
/** Matches `docs.example.com/start`; text right after a scheme, "@" or part of a word is not an address. */
const withoutScheme = (): RegExp =>
  /(?<![\p{L}\p{N}_@/:.-])(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]+(?::\d+)?(?:[/?][^\s<>"'`\\]*)?/giu

/** Matches a mark that may end an address or the sentence around it. */
const closing = /[.,;:!?)\]}*_~|]$/u
/** The maximum number of marks at the end of an address; the address is tried both with and without each. */
const maxMarks = 8

/**
 * The maximum number of addresses in one text that count as named by the user; a call to any other address needs
 * approval.
 */
export const maxAddresses = 5_000

const matches = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  Array.from(text.matchAll(pattern).take(maxAddresses), ([written]) => written)

/**
 * Returns the addresses that a reader may see in the text, in canonical form; an address without a scheme is returned
 * as both http and https.
 */
export const addressesIn = (text: string): ReadonlyArray<string> => [
  ...matches(text, withScheme).flatMap(readings),
  ...matches(text, withoutScheme()).flatMap((written) =>
    ["http://", "https://"].flatMap((scheme) => readings(scheme + written))
  )
]

/** Top-level domains that are not also file extensions: README.md or setup.py names no host. */
const hostEndings: ReadonlySet<string> = new Set(
  "com net io dev edu gov eu uk de fr ch at it es nl be dk se no cz jp kr br ca au us test example".split(" ")
)

/** Returns addresses whose host is unambiguous: they have a scheme, or the host cannot be a file name. */
export const namedAddressesIn = (text: string): ReadonlyArray<string> => [
  ...matches(text, withScheme).flatMap(readings),
  // Text within an address, such as its query, is not a host.
  ...matches(text.replaceAll(withScheme, " "), withoutScheme())
    .flatMap((written) => ["http://", "https://"].flatMap((scheme) => readings(scheme + written)))
    .filter((address) => {
      const { hostname } = new URL(address)
      return hostname.startsWith("www.") || hostEndings.has(hostname.slice(hostname.lastIndexOf(".") + 1))
    })
]

/** Returns the address with and without the marks at its end. */
const readings = (written: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let rest = written
  for (let marks = 0; marks <= maxMarks; marks++) {
    const address = canonicalAddress(rest)
    if (address !== null) found.push(address)
    if (!closing.test(rest)) break
    rest = rest.slice(0, -1)
  }
  return found
}
