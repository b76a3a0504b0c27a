/**
 * Finds hosts in text that a decision depends on. Letters of different scripts look alike, and a number has many
 * spellings: if the canonical form of a host differs from the text, both are shown. Pure.
 */

/** Matches the authority of a URL: user and host. */
const address = /\b[a-z][a-z\d+.-]*:\/\/(?:[^\s/?#"'`<>@\\]*@)*(\[[^\s\]]*\]|[^\s/?#:"'`<>@\\]+)/giu
/** A bare host name, which may have letters beyond ASCII. */
const name = (): RegExp => /(?<![\p{L}\p{M}\p{N}-])[\p{L}\p{M}\p{N}-]+(?:[.\u3002\uFF0E\uFF61][\p{L}\p{M}\p{N}-]+)+/gu
const ascii = /^[!-~]*$/u

export interface Host {
  /** The host as written in the text. */
  readonly written: string
  /** The canonical form, to which connections are made. */
  readonly canonical: string
  /** The end of the host in the text. */
  readonly end: number
}

const canonicalOf = (written: string): string | null => {
  const found = URL.canParse(`http://${written}/`) ? new URL(`http://${written}/`).hostname : null
  return found === "" || found === written.toLowerCase() ? null : found
}

/** Hosts whose canonical form differs from the text, in the order of the text. */
export const hostsWithOtherForm = (text: string): ReadonlyArray<Host> => {
  const found = new Map<number, Host>()
  const add = (written: string, end: number): void => {
    const canonical = canonicalOf(written)
    if (canonical !== null) found.set(end, { written, canonical, end })
  }
  for (const { 0: match, 1: written, index } of text.matchAll(address)) add(written, index + match.length)
  for (const { 0: written, index } of text.matchAll(name()))
    if (!ascii.test(written)) add(written, index + written.length)
  return [...found.values()].toSorted((one, other) => one.end - other.end)
}

/** Returns the text with the canonical form in brackets after each host. */
export const withCanonical = (text: string): string => {
  let result = ""
  let at = 0
  for (const { canonical, end } of hostsWithOtherForm(text)) {
    result += `${text.slice(at, end)} [${canonical}]`
    at = end
  }
  return result + text.slice(at)
}
