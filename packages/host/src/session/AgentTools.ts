/** The tools that an agent may use: those of its kind of session that its definition names. */
import type { Agent } from "@bough/runtime"
import type { SessionKind, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { AgentDefinition } from "../agents/Agents.ts"
import { nearest } from "../config/Nearest.ts"
import { type HostFailure, invalid } from "../HostFailure.ts"

/** Null: there is no agent, or it may use all tools. */
type AgentWithTools = Pick<AgentDefinition, "name" | "file" | "tools"> | null

const selectByName = <A>(
  tools: Iterable<readonly [string, A]>,
  names: ReadonlyArray<string>
): ReadonlyArray<readonly [string, A]> => Array.from(tools).filter(([name]) => names.includes(name))

/**
 * Fails if the definition names a tool that no kind of session has. The tools of servers are known only once the
 * servers are connected.
 */
export const check = (
  agent: AgentWithTools,
  registry: ReadonlyMap<string, Tool.Any>
): Effect.Effect<void, HostFailure> => {
  const unknown = agent?.tools?.find((name) => !registry.has(name) && !name.includes("__"))
  if (agent === null || unknown === undefined) return Effect.void
  const near = nearest(unknown, registry.keys())
  const suggestion = near === null ? "" : `; did you mean ${near}?`
  return Effect.fail(
    invalid(
      `${agent.file}: the agent ${agent.name} names the unknown tool ${JSON.stringify(unknown)}${suggestion}`,
      "",
      "ListTools"
    )
  )
}

export const narrow = (tools: SessionKind.KindTools, agent: AgentWithTools): SessionKind.KindTools => {
  if (agent === null || agent.tools === null) return tools
  const allowed = Object.fromEntries(selectByName(Object.entries<Tool.Any>(tools.pack.tools), agent.tools))
  return { ...tools, pack: { ...tools.pack, tools: allowed } }
}

export const narrowLive = (live: Agent.LiveTools, agent: AgentWithTools): Agent.LiveTools => {
  const names = agent?.tools ?? null
  return names === null ? live : { ...live, tools: () => new Map(selectByName(live.tools(), names)) }
}
