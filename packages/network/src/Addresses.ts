/**
 * Classifies IP addresses. An IPv6 address is public only in the block that is assigned to global unicast; all other
 * blocks, and blocks that contain IPv4 addresses, are special. Sources: IANA's special-purpose registries of IPv4 and
 * IPv6.
 */
import { BlockList, isIP } from "node:net"

/** `special` includes the addresses at which clouds provide a machine's credentials. */
export type Kind = "public" | "loopback" | "private" | "linkLocal" | "special"

type Block = readonly [network: string, prefix: number]

const listOf = (blocks: ReadonlyArray<Block>): BlockList => {
  const list = new BlockList()
  for (const [network, prefix] of blocks) list.addSubnet(network, prefix, isIP(network) === 6 ? "ipv6" : "ipv4")
  return list
}

/** The lists by kind, in the order in which they are checked. */
const kinds: ReadonlyArray<readonly [Kind, BlockList]> = [
  [
    "special",
    listOf([
      // Metadata services and host agents of clouds; some are within ranges that are otherwise private or public.
      ["100.100.100.200", 32],
      ["168.63.129.16", 32],
      ["fd00:ec2::", 32],
      ["fd20:ce::254", 128],
      ["0.0.0.0", 8],
      ["192.0.0.0", 24],
      ["192.0.2.0", 24],
      ["192.88.99.0", 24],
      ["198.18.0.0", 15],
      ["198.51.100.0", 24],
      ["203.0.113.0", 24],
      ["224.0.0.0", 4],
      ["240.0.0.0", 4]
    ])
  ],
  [
    "loopback",
    listOf([
      ["127.0.0.0", 8],
      ["::1", 128]
    ])
  ],
  [
    "private",
    listOf([
      ["10.0.0.0", 8],
      ["100.64.0.0", 10],
      ["172.16.0.0", 12],
      ["192.168.0.0", 16],
      ["fc00::", 7]
    ])
  ],
  [
    "linkLocal",
    listOf([
      ["169.254.0.0", 16],
      ["fe80::", 10]
    ])
  ]
]

const global6 = listOf([["2000::", 3]])

/** Tunnels, documentation and identifiers within the public block. */
const unrouted6 = listOf([
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20]
])

/** Returns the kind of an address without brackets; text that is not an address counts as special. */
export const kindOf = (address: string): Kind => {
  const version = isIP(address)
  if (version === 0) return "special"
  const family = version === 6 ? "ipv6" : "ipv4"
  const withoutZone = address.replace(/%.*$/, "")
  for (const [kind, list] of kinds)
    if (list.check(withoutZone, family)) return isMappedAddress(withoutZone) ? "special" : kind
  if (family === "ipv4") return "public"
  return global6.check(withoutZone, family) && !unrouted6.check(withoutZone, family) ? "public" : "special"
}

/** True for an IPv4-mapped IPv6 address, which a BlockList treats as IPv4. */
const isMappedAddress = (address: string): boolean => /^::ffff:/i.test(address)
