/**
 * Hosts in rules: `host=api.example.com` means that host on the scheme's default port, and `host=localhost:3000` means
 * that port. An allow covers only this host. An ask or a deny also covers its subdomains, and all ports if it names
 * none.
 */

/** The field that matches the destination of a call. */
export const hostField = "host"

/** The destination of a call, from its URL. */
export interface Destination {
  /** The host as the URL standard writes it: lower case, IPv6 in brackets. */
  readonly host: string
  readonly port: number
  /** True if the port is the scheme's default. */
  readonly standard: boolean
}

/** Returns the destination of a URL; null: the text is not an http or https URL. */
export const destinationOf = (address: string): Destination | null => {
  const url = URL.parse(address)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return null
  const standard = url.port === ""
  return { host: url.hostname, port: standard ? portOf[url.protocol] : Number(url.port), standard }
}

const portOf = { "http:": 80, "https:": 443 }

/** Formats the destination as a rule names it. */
export const print = ({ host, port, standard }: Destination): string => (standard ? host : `${host}:${port}`)

/** Returns the canonical key for the destination's host and port: a dot at the end of the host is dropped. */
export const keyOf = ({ host, port }: Destination): string => `${withoutDot(host)}:${port}`

/** True if the call certainly goes to the rule's host. */
export const surelyTo = (rule: string, destination: Destination): boolean => {
  const named = read(rule)
  return named !== null && named.host === destination.host && portFits(named, destination, destination.standard)
}

/** True if the call may go to the rule's host, or to a subdomain of it. */
export const maybeTo = (rule: string, destination: Destination): boolean => {
  const named = read(rule)
  if (named === null) return false
  const [name, host] = [withoutDot(named.host), withoutDot(destination.host)]
  return (host === name || host.endsWith(`.${name}`)) && portFits(named, destination, true)
}

/** True if the text names a host as rules write it. */
export const isHost = (rule: unknown): boolean => typeof rule === "string" && read(rule) !== null

interface NamedHost {
  readonly host: string
  readonly port: number | null
}

const read = (rule: string): NamedHost | null => {
  if (!/^[^\s/?#@\\]+$/u.test(rule)) return null
  const [, port = ""] = /:(\d+)$/u.exec(rule) ?? []
  const url = URL.parse(`http://${rule}/`)
  if (url === null) return null
  return { host: url.hostname, port: port === "" ? null : Number(port) }
}

const portFits = ({ port }: NamedHost, destination: Destination, unnamed: boolean): boolean =>
  port === null ? unnamed : port === destination.port

const withoutDot = (host: string): string => host.replace(/\.+$/u, "")
