/** Formats an address for users in the form that is sent, so that look-alike letters are visible. */
import { domainToUnicode } from "node:url"

/** The maximum number of characters of an address that is shown; the arguments contain a longer one in full. */
const maxLength = 300

/**
 * The address in the form that is sent, truncated if long, with the original host if it was spelt otherwise. Text that is
 * not a URL is unchanged.
 */
export const shown = (address: string): string => {
  const url = URL.parse(address)
  if (url === null) return shorten(address)
  const letters = lettersOf(url)
  return letters === null ? shorten(url.href) : `${shorten(url.href)} (in its own letters ${letters})`
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
