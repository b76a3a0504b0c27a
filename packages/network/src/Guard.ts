/**
 * Which addresses a target may be reached at. Public ones on ports of the web need nothing; what the operator listed is
 * open; this machine and its private network, and other ports, are open under a grant. Link-local and special addresses
 * are open to nothing but the list.
 */
import type { ToolError } from "@bough/protocol"
import type { Grant } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Addresses from "./Addresses.ts"
import type { Lookup } from "./Names.ts"
import * as Refusal from "./Refusal.ts"
import { canonicalHost, type Target } from "./Target.ts"

/** A service that the operator opened on purpose. */
export interface Listed {
  readonly host: string
  readonly port: number
}

export interface Guard {
  readonly lookup: Lookup
  readonly listed: ReadonlyArray<Listed>
  readonly grants: ReadonlyArray<Grant.Grant>
}

/** Where a target may be connected, at least one; `guard` says what opened it if not everybody may. */
export interface Admitted {
  readonly target: Target
  readonly addresses: ReadonlyArray<string>
  readonly standing: Standing
}

export type Standing = "listed" | "granted" | "plain"

const webPorts: ReadonlySet<number> = new Set([80, 443, 8000, 8008, 8080, 8443, 8888])

/** Names that lead to this machine or to its cloud's metadata, whatever a resolver says. */
const ownNames = /(^|\.)localhost$/
const metadataNames: ReadonlySet<string> = new Set(["metadata", "metadata.google.internal", "metadata.goog"])

export const admit = Effect.fnUntraced(function* (
  guard: Guard,
  target: Target
): Effect.fn.Return<Admitted, ToolError.ToolError> {
  const addresses = yield* addressesOf(guard, target)
  const standing = standingOf(guard, target)
  for (const address of addresses) yield* allow(target, address, standing)
  if (standing === "plain" && !webPorts.has(target.port)) {
    return yield* Refusal.deny("Port", `${target.port} of ${target.host} is not a port of the web`)
  }
  return { target, addresses, standing }
})

/** Refuses an address that this target may not be reached at: asked of every answer, and of the connection itself. */
export const allow = (
  target: Target,
  address: string,
  standing: Standing
): Effect.Effect<void, ToolError.PermissionDenied> => {
  const kind = Addresses.kindOf(address)
  if (kind === "public" || standing === "listed" || (standing === "granted" && isNear(kind))) return Effect.void
  return Effect.fail(Refusal.deny("PrivateAddress", `${describe(target, address)}, ${words[kind]}`))
}

/** Why a call there needs a grant; fails where none would help. */
export const guardOf = Effect.fnUntraced(function* (
  guard: Guard,
  target: Target
): Effect.fn.Return<string | null, ToolError.ToolError> {
  const plain = { ...guard, grants: [] }
  const addresses = yield* addressesOf(plain, target)
  if (standingOf(plain, target) === "listed") return null
  for (const address of addresses) yield* allow(target, address, "granted")
  const near = addresses.find((address) => Addresses.kindOf(address) !== "public")
  if (near !== undefined) return `${describe(target, near)}, ${words[Addresses.kindOf(near)]}`
  return webPorts.has(target.port) ? null : `${target.port} of ${target.host} is not a port of the web`
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

const standingOf = ({ grants, listed }: Guard, { host, port }: Target): Standing => {
  if (listed.some((entry) => canonicalHost(entry.host) === host && entry.port === port)) return "listed"
  return grants.some((grant) => grant._tag === "Host" && grant.host === host && grant.port === port)
    ? "granted"
    : "plain"
}

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
