/** Addresses of the web: in the one form in which they are sent, and as people write them into a text. Pure. */

/** Null: no address of the web. What is not sent, the part after "#", is left out. */
export const canonicalAddress = (text: string): string | null => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return null
  url.hash = ""
  return url.href
}

const withScheme = /https?:\/\/[^\s<>"'`\\]+/giu
/** `docs.example.com/start`: what follows a scheme, "@" or a part of a word is no such thing. */
const withoutScheme =
  /(?<![\p{L}\p{N}_@/:.-])(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]+(?::\d+)?(?:[/?][^\s<>"'`\\]*)?/giu

/** Matches a mark that may end an address or the sentence around it. */
const closing = /[.,;:!?)\]}*_~|]$/u
/** Marks at an end that are told apart. */
const mostMarks = 8

/** The most addresses of one text that count as given; a call to a later one asks. */
export const mostAddresses = 5_000

const matches = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  Array.from(text.matchAll(pattern).take(mostAddresses), ([written]) => written)

/** The addresses that a reader may see there, in canonical form; one without a scheme under either. */
export const addressesIn = (text: string): ReadonlyArray<string> => [
  ...matches(text, withScheme).flatMap(readings),
  ...matches(text, withoutScheme).flatMap((written) =>
    ["http://", "https://"].flatMap((scheme) => readings(scheme + written))
  )
]

/** Endings of hosts that are not also endings of files: a person who names README.md or setup.py names no host. */
const hostEndings: ReadonlySet<string> = new Set(
  "com net io dev edu gov eu uk de fr ch at it es nl be dk se no cz jp kr br ca au us test example".split(" ")
)

/** Addresses whose host a person surely named: with a scheme, or a host that cannot be the name of a file. */
export const namedAddressesIn = (text: string): ReadonlyArray<string> => [
  ...matches(text, withScheme).flatMap(readings),
  // What stands within an address, such as in its query, is no host of its own.
  ...matches(text.replaceAll(withScheme, " "), withoutScheme)
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
  for (let marks = 0; marks <= mostMarks; marks++) {
    const address = canonicalAddress(rest)
    if (address !== null) found.push(address)
    if (!closing.test(rest)) break
    rest = rest.slice(0, -1)
  }
  return found
}
