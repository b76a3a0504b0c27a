/** What the parts of one running session share: its agent, its ports, its journal. Made once by `Session.open`. */
import type { Caller, Gate, Ledger, Provenance } from "@bough/dispatch"
import type { Policy } from "@bough/policy"
import type { Session } from "@bough/protocol"
import type { ToolContext } from "@bough/tool"
import type * as Context from "effect/Context"
import type * as Semaphore from "effect/Semaphore"
import type { Agent } from "./Agent.ts"
import type { Channel } from "./Channel.ts"
import type { Journal } from "./Journal.ts"
import type { Model, ToolDeclaration } from "./Model.ts"
import type { SessionStore } from "./SessionStore.ts"

export interface Running {
  readonly agent: Agent
  readonly system: string
  /** Of the tools that the model may call now. */
  readonly declarations: () => ReadonlyArray<ToolDeclaration>
  readonly registry: Caller.Registry
  /** The agent's capabilities and those that the session provides. */
  readonly toolContext: ToolContext.ToolContext
  readonly journal: Journal["Service"]
  readonly store: SessionStore["Service"]
  readonly model: Model["Service"]
  readonly channel: Channel["Service"]
  readonly dispatching: Context.Context<Gate.Gate | Ledger.Ledger>
  /** The rules now: the agent's and those that this session was given. */
  readonly policy: () => Policy.Policy
  readonly provenance: Provenance.Provenance
  readonly permits: Semaphore.Semaphore
  /** Calls that an earlier process left open: whether they ran is not known from here. */
  readonly recovered: ReadonlySet<Session.ToolCallId>
  /** Set when the inbox may hold more; cleared by whoever reads it. */
  readonly inbox: { mayHoldMore: boolean }
}

/** Where the session is, for events. */
export const place = ({ journal }: Running) => ({
  sessionId: journal.sessionId,
  turn: journal.state.turn,
  step: journal.state.step
})
