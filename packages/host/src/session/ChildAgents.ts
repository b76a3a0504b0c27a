/**
 * The settings of child sessions with named agents: the settings of the parent, narrowed further. Why:
 * adr/0102-agents-that-narrow.md.
 */
import { ToolError } from "@bough/protocol"
import type { Agent } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Agents from "../agents/Agents.ts"
import * as Limits from "../config/Limits.ts"
import type { Settings } from "../config/Settings.ts"
import { toWrittenRules } from "../rules/WrittenRules.ts"

/** Returns the agents that narrow a child, in order: those of its parent, then its own. */
export const lineageOf = ({ narrowedBy = [] }: Agent.Agent, named: string | null): ReadonlyArray<string> =>
  named === null || named === narrowedBy.at(-1) ? narrowedBy : [...narrowedBy, named]

/** Narrows the settings of a Main by each of the agents in turn. */
export const narrowAll = (
  settings: Settings,
  names: ReadonlyArray<string>
): Effect.Effect<Settings, ToolError.ValidationError> =>
  Effect.reduce(
    names,
    () => settings,
    (narrowed, name) =>
      Effect.mapBoth(Agents.find(settings.extensions.agents, name), {
        onSuccess: (agent) => (agent === null ? narrowed : narrow(narrowed, agent)),
        onFailure: ({ hint, message }) => {
          const text = `${message}; ${hint}`
          return new ToolError.ValidationError({
            message: text,
            field: "agent",
            issues: [{ path: "agent", message: text }]
          })
        }
      })
  )

const narrow = (settings: Settings, agent: Agents.AgentDefinition): Settings => {
  const {
    agent: outer,
    limits,
    extensions: { instructions },
    policy: { rules }
  } = settings
  const outerSources = new Set(Agents.instructions(outer).map(({ source }) => source))
  return {
    ...settings,
    model: { ...settings.model, name: agent.model ?? settings.model.name },
    agent: { ...agent, tools: Agents.commonTools(outer?.tools ?? null, agent.tools) },
    policy: {
      ...settings.policy,
      rules: [...rules, ...toWrittenRules(agent.rules, { from: agent.file, folder: agent.folder })]
    },
    limits: Limits.narrow(limits, agent.limits),
    extensions: {
      ...settings.extensions,
      instructions: [...instructions.filter(({ source }) => !outerSources.has(source)), ...Agents.instructions(agent)]
    }
  }
}
