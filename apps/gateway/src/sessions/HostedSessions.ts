/** The gateway's runtime host: it opens sessions when they have work, and unloads them. */
import { AgentHost } from "@bough/host"
import * as Settings from "@bough/host/config/Settings"
import type { HostFailure } from "@bough/host/HostFailure"
import { OfflinePlanner } from "@bough/offline-planner"
import type { Session } from "@bough/protocol"
import { Host, Model } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { TenantId } from "../accounts/Principal.ts"
import { Quotas } from "../accounts/Quotas.ts"
import { ModelCalls } from "../operations/ModelCalls.ts"
import { AgentCatalog } from "./AgentCatalog.ts"
import * as MeteredModel from "./MeteredModel.ts"
import * as UserHosts from "./UserHosts.ts"

export interface HostedSessionsOptions extends UserHosts.UserHostsOptions {
  /** The maximum number of sessions that are loaded at once; default 64. */
  readonly maxLoaded?: number
  /**
   * The maximum number of idle sessions that stay open, as in `Host.HostOptions`; the others are dormant. Default 64,
   * about 5 MB.
   */
  readonly maxIdleOpen?: number
  /** How long every idle session stays open: `Host.HostOptions`. */
  readonly restMillis?: number
  readonly idleMillis?: number
  /** The model of a session; default: the configured one. */
  readonly model?: (session: Session.Summary) => Model.Model["Service"] | null
}

/** The channel that hosted sessions own: a user's own page and clients read it. */
export const channelName = "web"

/** The key for every user: all share one configuration of agents. */
const probe = "none/none"

export const layer = (
  options: HostedSessionsOptions
): Layer.Layer<Host.Host, HostFailure, AgentHost.Stores | UserHosts.UserHosts | Quotas | ModelCalls | AgentCatalog> => {
  const host = Effect.gen(function* () {
    const hostOf = yield* UserHosts.UserHosts
    yield* Settings.requireConfinement(UserHosts.environmentFor(options, probe))
    const quotas = yield* Quotas
    const calls = yield* ModelCalls
    const catalog = yield* AgentCatalog
    const serve = yield* AgentHost.serve((session) => {
      if (session.user === null) return null
      const model = options.model?.(session) ?? null
      const tenant = session.user.split("/", 1)[0] as TenantId
      const wrapModel = MeteredModel.make({ calls, quotas }, tenant)
      const overrides = Effect.map(catalog.modelOf(session), (chosen) => (chosen === null ? {} : { model: chosen }))
      return {
        host: hostOf(session.user),
        confined: true,
        knownAgents: catalog.named,
        overrides,
        wrapModel,
        ...(model === null ? {} : { model })
      }
    })
    return yield* Host.make({
      serve,
      channel: { name: channelName, readers: "owner" },
      authorise: (principal, _, tree) => Effect.succeed(principal === tree.user),
      maxLoaded: options.maxLoaded ?? 64,
      maxIdleOpen: options.maxIdleOpen ?? 64,
      ...(options.restMillis === undefined ? {} : { restMillis: options.restMillis }),
      ...(options.idleMillis === undefined ? {} : { idleMillis: options.idleMillis })
    })
  })
  return Layer.effect(Host.Host, host).pipe(Layer.provide(Layer.succeed(Model.Model, OfflinePlanner.model)))
}
