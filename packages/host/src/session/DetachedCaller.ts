/** A caller without a session, for calls that are evaluated or repeated without a record. */
import type { DispatchContext, Provenance } from "@bough/dispatch"
import { Agent } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

/** The provenance without a user: every text counts as composed by the model. */
const provenance: Provenance.Provenance = {
  isGivenAddress: () => false,
  isAgreedHost: () => false,
  isGivenText: () => false,
  sourcesOf: () => ""
}

export type DetachedContext = Pick<
  DispatchContext.DispatchContext["invocation"],
  "sessionId" | "sessionPath" | "turn" | "step"
>

/** Makes a caller with the agent's tools, capabilities and rules. */
export const caller = (
  agent: Pick<Agent.Agent, "tools" | "context" | "policy" | "redaction" | "name" | "user" | "workspace" | "config">,
  context: DetachedContext
): DispatchContext.DispatchContext => ({
  registry: Agent.currentTools(agent),
  elsewhere: Agent.kindsWithTool(agent),
  context: agent.context,
  policy: agent.policy,
  redaction: agent.redaction,
  provenance,
  invocation: {
    ...context,
    agent: agent.name,
    user: agent.user,
    workspaceRoot: agent.workspace.root,
    config: agent.config
  },
  permits: Semaphore.makeUnsafe(1),
  observe: () => Effect.void
})
