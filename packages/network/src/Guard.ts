/**
 * Decides at which addresses a target may be reached. Public addresses on web ports and listed addresses are open; this
 * machine, its private network and other ports need a grant. Link-local and special addresses are open only if listed.
 */
import type { ToolError } from "@bough/protocol"
import type { Grant, NetworkRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Addresses from "./Addresses.ts"
import type { Lookup } from "./DnsResolver.ts"
import * as Refusal from "./Refusal.ts"
import { canonicalHost, type Target } from "./Target.ts"

/** A service that the operator opened explicitly. */
export interface ListedService {
  readonly host: string
  readonly port: number
}

export interface Guard {
  readonly lookup: Lookup
  readonly listed: ReadonlyArray<ListedService>
  readonly grants: ReadonlyArray<Grant.Grant>
}

/**
 * The addresses to which a target may be connected, at least one; `guard` is the reason if they are open only by a
 * listing or a grant.
 */
export interface AdmittedTarget {
  readonly target: Target
  readonly addresses: ReadonlyArray<string>
  readonly basis: AdmissionBasis
}

/** `pinned`: a grant for the addresses that were shown. `port`: a grant for an unusual port at public addresses. */
export type AdmissionBasis = "listed" | "granted" | "pinned" | "port" | "plain"

const webPorts: ReadonlySet<number> = new Set([80, 443, 8000, 8008, 8080, 8443, 8888])

/** Names that lead to this machine or to its cloud's metadata service, regardless of a resolver's answer. */
const ownNames = /(^|\.)localhost$/
const metadataNames: ReadonlySet<string> = new Set(["metadata", "metadata.google.internal", "metadata.goog"])

export const admit = Effect.fnUntraced(function* (
  guard: Guard,
  target: Target
): Effect.fn.Return<AdmittedTarget, ToolError.ToolError> {
  const standing = standingOf(guard, target)
  const addresses = standing === "pinned" ? pinnedOf(guard, target) : yield* addressesOf(guard, target)
  for (const address of addresses) yield* allow(target, address, standing)
  if (standing === "plain" && !webPorts.has(target.port)) {
    return yield* Refusal.deny("Port", `${target.port} of ${target.host} is not a port of the web`)
  }
  return { target, addresses, basis: standing }
})

/**
 * Refuses an address at which this target may not be reached. It is applied to every DNS answer and to the connection
 * itself.
 */
export const allow = (
  target: Target,
  address: string,
  standing: AdmissionBasis
): Effect.Effect<void, ToolError.PermissionDenied> => {
  const kind = Addresses.kindOf(address)
  const opensNear = standing === "granted" || standing === "pinned"
  if (kind === "public" || standing === "listed" || (opensNear && isNear(kind))) return Effect.void
  return Effect.fail(Refusal.deny("PrivateAddress", `${describe(target, address)}, ${words[kind]}`))
}

/** Refuses a connection of a pinned target to an address that was not shown. */
export const allowPinned = (
  { addresses, basis: standing, target }: AdmittedTarget,
  address: string
): Effect.Effect<void, ToolError.PermissionDenied> =>
  standing !== "pinned" || addresses.some((pinned) => canonicalAddress(pinned) === canonicalAddress(address))
    ? Effect.void
    : Effect.fail(Refusal.deny("PrivateAddress", `${describe(target, address)}, which was not shown`))

/** Returns the reason why a call needs a grant, and the grant's addresses; fails if no grant would help. */
export const guardOf = Effect.fnUntraced(function* (
  guard: Guard,
  target: Target
): Effect.fn.Return<Pick<NetworkRead.Destination, "guard" | "nearAddresses">, ToolError.ToolError> {
  const plain = { ...guard, grants: [] }
  if (standingOf(plain, target) === "listed") {
    yield* addressesOf(plain, target)
    return { guard: null, nearAddresses: [] }
  }
  const addresses = [...new Set(yield* addressesOf(plain, target))].toSorted()
  for (const address of addresses) yield* allow(target, address, "granted")
  const near = addresses.find((address) => Addresses.kindOf(address) !== "public")
  if (near !== undefined) {
    const others = addresses.filter((address) => address !== near)
    const also = others.length === 0 ? "" : `; also ${others.join(", ")}`
    return { guard: `${describe(target, near)}, ${words[Addresses.kindOf(near)]}${also}`, nearAddresses: addresses }
  }
  const isOfTheWeb = webPorts.has(target.port)
  return { guard: isOfTheWeb ? null : `${target.port} of ${target.host} is not a port of the web`, nearAddresses: [] }
})

const addressesOf = (guard: Guard, target: Target): Effect.Effect<ReadonlyArray<string>, ToolError.ToolError> => {
  if (target.literal) return Effect.succeed([target.host])
  if (standingOf(guard, target) !== "listed") {
    if (ownNames.test(target.host)) return Effect.succeed(["127.0.0.1", "::1"])
    if (metadataNames.has(target.host)) {
      return Effect.fail(Refusal.deny("PrivateAddress", `${target.host} answers for a machine's credentials`))
    }
  }
  return guard.lookup(target.host)
}

const standingOf = ({ grants, listed }: Guard, { host, port }: Target): AdmissionBasis => {
  if (listed.some((entry) => canonicalHost(entry.host) === host && entry.port === port)) return "listed"
  const granted = grantFor(grants, { host, port })
  if (granted === undefined) return "plain"
  if (granted.addresses === undefined) return "granted"
  return granted.addresses.length > 0 ? "pinned" : "port"
}

const grantFor = (grants: Guard["grants"], { host, port }: Pick<Target, "host" | "port">) =>
  grants
    .flatMap((grant) => (grant._tag === "Host" ? [grant] : []))
    .find((grant) => grant.host === host && grant.port === port)

const pinnedOf = ({ grants }: Guard, target: Target): ReadonlyArray<string> => grantFor(grants, target)?.addresses ?? []

/** Returns the canonical spelling of an address. */
const canonicalAddress = (address: string): string =>
  address.includes(":") ? (URL.parse(`http://[${address.replace(/%.*$/u, "")}]/`)?.hostname ?? address) : address

const isNear = (kind: Addresses.Kind): boolean => kind === "loopback" || kind === "private"

const words: Readonly<Record<Addresses.Kind, string>> = {
  public: "on the internet",
  loopback: "this machine",
  private: "a private network",
  linkLocal: "link-local",
  special: "a special address"
}

const describe = ({ host, literal }: Target, address: string): string =>
  literal && host === address ? address : `${host} is ${address}`
