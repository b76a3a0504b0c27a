/** An address as people are shown it: as it is sent, so that letters that look alike do not read alike. */
import { domainToUnicode } from "node:url"

/** Longer text is shown in full with the arguments. */
const maxLength = 300

/** In the form that is sent, cut where it is long; a host in other letters stands beside it. What is no URL stays as it is. */
export const shown = (address: string): string => {
  const url = URL.parse(address)
  if (url === null) return shorten(address)
  const letters = lettersOf(url)
  return letters === null ? shorten(url.href) : `${shorten(url.href)} (in its own letters ${letters})`
}

/** The host as it is sent, with its own letters beside it where they are others. */
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
