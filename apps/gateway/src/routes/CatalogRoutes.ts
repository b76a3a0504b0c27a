/** Handlers of agents, models and tools. */
import { Api, Authorization, Problem } from "@bough/gateway-api"
import * as KindTools from "@bough/host/session/KindTools"
import { ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type * as Schema from "effect/Schema"
import * as Packs from "../Packs.ts"
import { AgentCatalog } from "../sessions/AgentCatalog.ts"
import { Workspaces } from "../sessions/Workspaces.ts"

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
    const catalog = yield* AgentCatalog
    const workspaces = yield* Workspaces
    return handlers.handleAll({
      agents: Effect.fnUntraced(function* ({ query: { workspaceId } }) {
        const principal = yield* Authorization.CurrentPrincipal
        const workspace = workspaceId === undefined ? null : yield* workspaces.find(principal, workspaceId)
        if (workspaceId !== undefined && workspace === null) {
          return yield* new Problem.NotFound({ detail: "no such workspace" })
        }
        const agents = yield* catalog.agents(Authorization.userKey(principal), workspace?.path ?? null)
        return { items: agents.map((agent) => ({ ...agent, kinds: [...KindTools.kinds] })) }
      }),
      models: Effect.fnUntraced(function* () {
        const user = Authorization.userKey(yield* Authorization.CurrentPrincipal)
        return { items: yield* catalog.models(user) }
      }),
      tools: () => Effect.sync(() => ({ items: tools() }))
    })
  })
)
