/** Formats an address for users in the form that is sent, so that look-alike letters are visible. */
import { domainToASCII, domainToUnicode } from "node:url"

/** The maximum number of characters of an address that is shown; the arguments contain a longer one in full. */
const maxLength = 300

/**
 * The address in the form that is sent, truncated if long, with the original host if that was spelt differently. The
 * host is named again if a name before it or the truncation could hide it. Text that is not a URL is unchanged, except
 * that the sent form of a host in other letters is added.
 */
export const formatAddress = (address: string): string => {
  const url = URL.parse(address)
  if (url === null) return withoutScheme(address)
  const letters = lettersOf(url)
  const isHidden = url.username !== "" || url.password !== "" || !url.href.slice(0, maxLength).includes(url.host)
  const remarks = [
    ...(isHidden && url.host !== "" ? [`its host is ${url.host}`] : []),
    ...(letters === null ? [] : [`in its own letters ${letters}`])
  ]
  return remarks.length === 0 ? shorten(url.href) : `${shorten(url.href)} (${remarks.join("; ")})`
}

const withoutScheme = (address: string): string => {
  const [, host = ""] = /^(?:\/\/)?([^\s/?#:]+)/u.exec(address) ?? []
  const sent = /[^\0-\x7f]/u.test(host) ? domainToASCII(host) : ""
  return sent === "" ? shorten(address) : `${shorten(address)} (its host is ${sent})`
}

/** The host in the form that is sent, with its original spelling if that differs. */
export const hostShown = (address: string, host: string): string => {
  const url = URL.parse(address)
  const letters = url === null ? null : lettersOf(url)
  return letters === null ? host : `${host} (in its own letters ${letters})`
}

const lettersOf = ({ hostname }: URL): string | null => {
  const letters = domainToUnicode(hostname)
  return letters === "" || letters === hostname ? null : letters
}

const shorten = (text: string): string =>
  (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text).toWellFormed()
