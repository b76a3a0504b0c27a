/** What the parts of one running session share: its agent, its journal, its tree. Made by `makeSession`. */
import type { DispatchContext, Gate, Ledger, Provenance } from "@bough/dispatch"
import type { Policy } from "@bough/policy"
import type { Budget, Session } from "@bough/protocol"
import type { ToolContext } from "@bough/tool"
import type * as Context from "effect/Context"
import type * as Semaphore from "effect/Semaphore"
import type { ActiveTime } from "../budget/ActiveTime.ts"
import type { Agent } from "./Agent.ts"
import type { Page } from "../budget/Budget.ts"
import type { Channel } from "../ports/Channel.ts"
import type { Journal } from "../journal/Journal.ts"
import type { Model, ToolDeclaration } from "../ports/Model.ts"
import type { SessionStore } from "../ports/SessionStore.ts"
import type { Tree } from "../tree/Tree.ts"
import type * as WorkspaceCommit from "./WorkspaceCommit.ts"

export interface SessionContext {
  readonly agent: Agent
  readonly kind: Session.Kind
  /** From the Main down to this session. */
  readonly path: ReadonlyArray<Session.SessionId>
  readonly tree: Tree
  readonly system: string
  /** Of the tools that the model may call now. */
  readonly declarations: () => ReadonlyArray<ToolDeclaration>
  /** It ends with an output that fits a schema. */
  readonly owesResult: boolean
  /** The tools that it may call: those of its pack and its own. */
  readonly registry: DispatchContext.Registry
  /** The agent's capabilities and those that the session provides. */
  readonly toolContext: ToolContext.ToolContext
  readonly journal: Journal["Service"]
  readonly store: SessionStore["Service"]
  readonly model: Model["Service"]
  readonly channel: Channel["Service"]
  readonly dispatching: Context.Context<Gate.Gate | Ledger.Ledger>
  /** The rules now: the agent's and those that people gave. */
  readonly policy: () => Policy.Policy
  readonly provenance: Provenance.Provenance
  /** What it may spend, with all below it. */
  readonly limit: Budget.Limit
  /** The same with what they have spent, the work that no entry tells of yet included. */
  readonly budget: () => Page
  readonly permits: Semaphore.Semaphore
  readonly activeTime: ActiveTime
  /** What `PromptTokenBound` made of the system prompt and the declarations that a provider counted last; null: none in this process. */
  readonly counted: {
    fixedTokens: number | null
    /** A person was told that the provider reports no tokens, or what no reply can have used. */
    silenceTold: boolean
    oddityTold: boolean
  }
  /** `refused`: this turn asked people for more than it may. */
  readonly asks: { refused: boolean }
  readonly commit: WorkspaceCommit.CommitState
  /** Capabilities, by key, that have been told that a call is on its way. */
  readonly prepared: Set<string>
  /** Calls that an earlier process left open: whether they ran is not known from here. */
  readonly recovered: ReadonlySet<Session.ToolCallId>
  /**
   * `mayHoldMore` is cleared by whoever reads the inbox; `version` counts the times that it may have grown. `heeded`:
   * somebody looks through it for what concerns the tree, again as long as it grows.
   */
  readonly inbox: { mayHoldMore: boolean; version: number; heeded: boolean }
}

/** Where the session is, for events. */
export const place = ({ journal }: SessionContext) => ({
  sessionId: journal.sessionId,
  turn: journal.state.turn,
  step: journal.state.step
})
