/** The declaration of a whole agent as one tool. Pure. */
import type { OfferedTool } from "./Offer.ts"

export const name = "run_agent"

export interface AgentToolOptions {
  /** The agent as a noun phrase: its role, its workspace and its tools. */
  readonly agent: string
  /** JSON Schemas of further parameters besides `prompt` and `session`. */
  readonly parameters?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Returns the tool in the protocol's form; only `prompt` is required. */
export const declaration = ({ agent, parameters = {} }: AgentToolOptions): OfferedTool => ({
  name,
  description: `Give a task to ${agent}, and return its answer. session continues an earlier task.`,
  inputSchema: {
    type: "object",
    properties: {
      prompt: { type: "string", minLength: 1, description: "What to do" },
      session: { type: "string", description: "The sessionId of an earlier answer" },
      ...parameters
    },
    required: ["prompt"],
    additionalProperties: false
  },
  outputSchema: {
    type: "object",
    properties: { sessionId: { type: "string" }, status: { type: "string" }, text: { type: "string" } },
    required: ["sessionId", "status", "text"]
  },
  annotations: { readOnlyHint: false, openWorldHint: true }
})
