/** Handlers of agents, models and tools. */
import { Api, Authorization } from "@bough/gateway-api"
import * as KindTools from "@bough/host/session/KindTools"
import * as ModelChoice from "@bough/host/model/ModelChoice"
import { AgentHost } from "@bough/host"
import { Registry } from "@bough/models"
import { ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Packs from "../Packs.ts"
import { UserHosts } from "../sessions/UserHosts.ts"
import { defaultAgent } from "./SessionRoutes.ts"

const tools = () =>
  [...KindTools.registryOf(Packs).values()].map((tool) => ({
    name: tool.name,
    description: tool.description,
    version: tool.version,
    tier: tool.tier,
    replay: tool.replay,
    kinds: KindTools.kinds.filter((kind) => Object.hasOwn(KindTools.toolsOf(Packs, kind).pack.tools, tool.name)),
    parameters: ToolSchema.parameters(tool) as Readonly<Record<string, Schema.Json>>
  }))

export const layer = HttpApiBuilder.group(
  Api.Api,
  "catalog",
  Effect.fnUntraced(function* (handlers) {
    const hostOf = yield* UserHosts
    return handlers.handleAll({
      agents: () => Effect.succeed({ items: [{ name: defaultAgent, kinds: [...KindTools.kinds] }] }),
      models: Effect.fnUntraced(function* () {
        const user = Authorization.userKey(yield* Authorization.CurrentPrincipal)
        const settings = yield* Effect.orDie(AgentHost.settings(hostOf(user), { confined: true }))
        const chosen = yield* Effect.orDie(ModelChoice.fromSettings(settings))
        const configured = Registry.configured(settings.providerVariables)
        const others = configured.filter(({ name }) => name !== chosen.name)
        return {
          items: [
            { name: chosen.name, reason: chosen.reason, isDefault: true },
            ...others.map(({ name, reason }) => ({ name, reason, isDefault: false }))
          ]
        }
      }),
      tools: () => Effect.sync(() => ({ items: tools() }))
    })
  })
)
