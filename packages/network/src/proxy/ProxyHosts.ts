/**
 * The hosts that a command contacts: each host is approved once, but resolved and connected to again for every
 * connection.
 */
import { ToolError } from "@bough/protocol"
import type { ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Socket } from "node:net"
import * as Guard from "../Guard.ts"
import { connect } from "../internal/connection.ts"
import * as Refusal from "../Refusal.ts"
import type { Target } from "../Target.ts"

export interface ProxyHosts {
  /** Decides whether the command may contact the host; nothing is resolved before. */
  readonly admit: (target: Target, scheme: "http" | "https") => Effect.Effect<void, ToolError.ToolError>
  /** Opens a connection, to which the proxy adds no encryption, until the scope ends. */
  readonly connect: (target: Target) => Effect.Effect<Socket, ToolError.ToolError, Scope.Scope>
}

export interface HostsOptions {
  readonly admit: ToolContext.AdmitHost
  readonly guard: Guard.Guard
  readonly connectMillis: number
}

export const make = ({ admit, connectMillis, guard }: HostsOptions): ProxyHosts => {
  const decided = new Map<string, Effect.Effect<string | null>>()
  const decisionFor = (host: ToolContext.CommandHost): Effect.Effect<string | null> =>
    Effect.suspend(() => {
      const key = `${host.host} ${host.port} ${host.scheme}`
      const decision = decided.get(key) ?? Effect.runSync(Effect.cached(admit(host)))
      decided.set(key, decision)
      return decision
    })
  return {
    admit: Effect.fnUntraced(function* (target, scheme) {
      // For an address that no rule or approval could open, the user is not asked.
      if (target.literal) yield* Guard.admit(allowTarget(guard, target), target)
      const reason = yield* decisionFor({ host: target.host, port: target.port, scheme })
      if (reason !== null) return yield* Refusal.deny("Host", `${target.host}:${target.port}: ${reason}`)
    }),
    connect: Effect.fnUntraced(function* (target) {
      const admitted = yield* Guard.admit(allowTarget(guard, target), target)
      return yield* connect({ ...admitted, target: { ...target, secure: false } }, connectMillis)
    })
  }
}

/** Adds the approval of a host to the guard: for its port, and only at public addresses. */
const allowTarget = (guard: Guard.Guard, { host, port }: Target): Guard.Guard => ({
  ...guard,
  grants: [{ _tag: "Host", host, port, addresses: [] }]
})

/** Returns the reason in the form that a client of the proxy receives. */
export const reasonOf = (error: ToolError.ToolError): string => ToolError.describe(ToolError.toData(error))
