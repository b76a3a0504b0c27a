/**
 * Normalises addresses for limits: every spelling of an address counts as one, and so does the IPv6 network of one
 * customer.
 */
import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"

/** Returns the IPv4 address, also of its IPv4-mapped IPv6 form, or the first 64 bits of an IPv6 address. */
export const fromAddress = (text: string): string => {
  const parsed = NetAddress.ipFromString(text.replace(/%.*$/s, "").replace(/^\[(.*)\]$/s, "$1"))
  if (Result.isFailure(parsed)) return "unknown"
  const address = NetAddress.toCanonical(parsed.success)
  if (NetAddress.isIpv4Address(address)) return NetAddress.formatIp(address)
  const [a, b, c, d] = NetAddress.ipv6ToSegments(address)
  return `${[a, b, c, d].map((segment) => segment.toString(16)).join(":")}::/64`
}
