/** Makes an agent for tests from the given tools; all other parts are minimal. */
import * as Agent from "../session/Agent.ts"
import type { SessionKind, Tool } from "@bough/tool"
import * as SampleCapability from "@bough/tool/testing/SampleCapability"

/**
 * Makes the agent: every tool is declared from the start, it has only confined capabilities, and there are no rules and
 * no secrets, unless `parts` contains other values.
 */
export const make = (tools: SessionKind.KindTools, parts: Partial<Agent.Agent> = {}): Agent.Agent => ({
  name: "tester",
  user: "ada",
  workspaceRoot: "/nowhere",
  tools,
  registry: new Map<string, Tool.Any>(Object.entries(tools.pack.tools)),
  context: SampleCapability.context(tools.kind),
  policy: { rules: [], approve: "ask" },
  redaction: { redact: (text) => text, holdsSecret: () => false },
  instructions: [],
  coreTools: new Set(Object.keys(tools.pack.tools)),
  limits: Agent.defaultLimits,
  addresses: [],
  config: {},
  ...parts
})
