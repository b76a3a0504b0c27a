/** Makes an agent for tests from the given tools; all other parts are minimal. */
import type { SessionKind, Tool } from "@bough/tool"
import * as SampleCapability from "@bough/tool/testing/SampleCapability"
import * as Agent from "../session/Agent.ts"

/** The parts of an agent that differ from the minimal ones; those of a group are merged. */
export interface SampleParts extends Partial<Omit<Agent.Agent, "prompt" | "tools" | "workspace">> {
  readonly prompt?: Partial<Agent.AgentPrompt>
  readonly tools?: Partial<Agent.AgentTools>
  readonly workspace?: Partial<Agent.AgentWorkspace>
}

/** Returns the tools as an agent has them: each is known and declared from the start. */
export const toolsOf = (tools: SessionKind.KindTools): Agent.AgentTools => ({
  ...tools,
  registry: new Map<string, Tool.Any>(Object.entries(tools.pack.tools)),
  core: new Set(Object.keys(tools.pack.tools))
})

/**
 * Makes the agent: every tool is declared from the start, it has only confined capabilities, and there are no rules and
 * no secrets, unless `parts` contains other values.
 */
export const make = (tools: SessionKind.KindTools, parts: SampleParts = {}): Agent.Agent => ({
  name: "tester",
  user: "ada",
  context: SampleCapability.context(tools.kind),
  policy: { rules: [], approve: "ask" },
  redaction: { redact: (text) => text, holdsSecret: () => false },
  limits: Agent.defaultLimits,
  addresses: [],
  config: {},
  ...parts,
  workspace: { root: "/nowhere", ...parts.workspace },
  tools: { ...toolsOf(tools), ...parts.tools },
  prompt: { instructions: [], ...parts.prompt }
})
