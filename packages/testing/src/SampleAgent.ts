/** What a session runs with in tests: given tools, and of everything else the least. */
import { Agent } from "@bough/runtime"
import { type SessionKind, type Tool, ToolContext } from "@bough/tool"

/** Every tool is declared from the start, no capability is held, no rule is given and nothing is secret, but for `parts`. */
export const make = (tools: SessionKind.KindTools, parts: Partial<Agent.Agent> = {}): Agent.Agent => ({
  name: "tester",
  user: "ada",
  workspaceRoot: "/nowhere",
  tools,
  registry: new Map<string, Tool.Any>(Object.entries(tools.pack.tools)),
  context: ToolContext.empty(tools.kind),
  policy: { rules: [], approve: "ask" },
  redaction: { redact: (text) => text, holdsSecret: () => false },
  instructions: [],
  coreTools: new Set(Object.keys(tools.pack.tools)),
  limits: Agent.defaultLimits,
  addresses: [],
  config: {},
  ...parts
})
