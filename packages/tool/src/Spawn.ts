/**
 * Child sessions: started for a part of the work, steered, awaited. A child has at most its parent's rights and a limited
 * budget, and its result reaches the parent as an entry.
 */
import type { Budget, Session, SessionResult, ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** The start of a child's prompt: only the task, or the parent's prompt before this reply. */
export type Start = "Brief" | "Fork"

export interface SpawnRequest {
  readonly kind: "Branch" | "Worker"
  /** The full task: a child that starts from a brief gets no other information. */
  readonly task: string
  readonly start: Start
  /**
   * The name of an agent that narrows the child further than its parent; absent: the child has its parent's agent. An
   * unknown name is a ValidationError of the field `agent`, which lists the known ones.
   */
  readonly agent?: string
  /** The JSON Schema object that the child's output must fit; null: its last message is the result. */
  readonly outputSchema: Readonly<Record<string, unknown>> | null
  /** The maximum active time of the child; null: the kind's default. */
  readonly lifetimeMillis: number | null
  /** The maximum number of model calls; null: the default. */
  readonly maxSteps: number | null
  /** The child's share of the parent's remaining budget, above 0 and at most 1; null: the default. */
  readonly share: number | null
}

export interface Child {
  readonly sessionId: Session.SessionId
  readonly kind: Session.Kind
  readonly state: Session.SessionState
  readonly title: string
  /** Approvals of the child or its descendants that wait for a user. */
  readonly approvals: ReadonlyArray<Session.ApprovalId>
  readonly spent: Budget.BudgetSpent
  /** Null: it has not ended. */
  readonly result: SessionResult.SessionResult | null
}

export interface WaitRequest {
  /** The children; null: every child that has not ended. */
  readonly sessionIds: ReadonlyArray<string> | null
  readonly until: "any" | "all"
  /** The longest wait; null: no limit. */
  readonly timeoutMillis: number | null
}

export class Spawn extends Context.Service<
  Spawn,
  {
    /**
     * Starts a child once per call, and returns it at once. ExecutionError: the depth, the number of live children or
     * the budget is at its limit, which the error names.
     */
    readonly spawn: (request: SpawnRequest) => Effect.Effect<Child, ToolError.ToolError>
    /**
     * Waits for children and returns them: when they have ended, when none of them can continue without a user and no
     * user is attached, when a deferred call of this session was decided, or when the time is over.
     */
    readonly wait: (request: WaitRequest) => Effect.Effect<ReadonlyArray<Child>, ToolError.ToolError>
    /** All children, oldest first. */
    readonly list: () => Effect.Effect<ReadonlyArray<Child>>
    /** Sends a message that the child reads before its next step. Once per call. */
    readonly steer: (sessionId: string, text: string) => Effect.Effect<Child, ToolError.ToolError>
    /** Asks the child to finish; after 30 s it is ended. Once per call. */
    readonly cancel: (sessionId: string, reason: string) => Effect.Effect<Child, ToolError.ToolError>
  }
>()("@bough/tool/Spawn") {
  static readonly floor = "Workspace"
}
