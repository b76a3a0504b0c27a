/** The tool of an MCP server in a call that is only decided: the server is connected as for a session. */
import type { Settings } from "@bough/host/config/Settings"
import { ruledTools } from "@bough/host/session/KindTools"
import * as SessionServers from "@bough/host/session/SessionServers"
import type { Servers } from "@bough/mcp/ports"
import type { Agent } from "@bough/runtime"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type CliFailure, usage } from "../CliFailure.ts"
import type { Program } from "../Program.ts"
import * as CompiledTools from "../tools/CompiledTools.ts"

/** Connects to the configured servers if the tool is not compiled in; null: it is, or no server is configured. */
export const connect = Effect.fnUntraced(function* (
  program: Program,
  settings: Settings,
  tool: string
): Effect.fn.Return<Servers.Servers | null, never, Scope.Scope> {
  if (!tool.includes(CompiledTools.serverMark) || ruledTools(program.packs).has(tool)) return null
  const servers = yield* SessionServers.make(settings, { onNotice: () => {} })
  yield* servers?.listed(tool) ?? Effect.void
  return servers
})

/** Fails if neither the program nor a connected server has the tool. */
export const check = (
  program: Program,
  { live, unavailable }: Pick<Agent.Agent["tools"], "live" | "unavailable">,
  tool: string
): Effect.Effect<void, CliFailure> => {
  if (live === undefined) return Effect.asVoid(CompiledTools.find(program, tool))
  if (live.tools().has(tool)) return Effect.void
  const reason = unavailable?.(tool) ?? null
  const message =
    reason === null ? `no configured MCP server has the tool ${tool}` : `${tool} is not available: ${reason}`
  return Effect.fail(usage(message, `"${program.name} mcp list" lists the tools of the servers`))
}
