/**
 * Child sessions: started for a part of the work, steered, awaited. A child has at most its parent's rights and a limited
 * budget, and its result reaches the parent as an entry.
 */
import type { Budget, Session, SessionResult, ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** Where a child's prompt begins: with the task alone, or with what the parent's prompt held before this reply. */
export type Start = "Brief" | "Fork"

export interface SpawnRequest {
  readonly kind: "Branch" | "Worker"
  /** The task in full: a child that starts from a brief knows nothing else. */
  readonly task: string
  readonly start: Start
  /**
   * The name of an agent that narrows the child further than its parent; left out: the child has its parent's agent. An
   * unknown name is a ValidationError of the field `agent`, which lists the known ones.
   */
  readonly agent?: string
  /** The JSON Schema object that the child's output must fit; null: its last words are the result. */
  readonly outputSchema: Readonly<Record<string, unknown>> | null
  /** The child's active time at most; null: the kind's default. */
  readonly lifetimeMillis: number | null
  /** Model calls; null: the default. */
  readonly maxSteps: number | null
  /** The child's part of the parent's remaining budget, above 0 and at most 1; null: the default. */
  readonly share: number | null
}

export interface Child {
  readonly sessionId: Session.SessionId
  readonly kind: Session.Kind
  readonly state: Session.SessionState
  readonly title: string
  /** Approvals of the child, or of one below it, that wait for a person. */
  readonly approvals: ReadonlyArray<Session.ApprovalId>
  readonly spent: Budget.Spent
  /** Null: it has not ended. */
  readonly result: SessionResult.SessionResult | null
}

export interface WaitRequest {
  /** Null: every child that has not ended. */
  readonly sessionIds: ReadonlyArray<string> | null
  readonly until: "any" | "all"
  /** Null: as long as it takes. */
  readonly timeoutMillis: number | null
}

export class Spawn extends Context.Service<
  Spawn,
  {
    /**
     * Starts a child once per call, and returns it at once. ExecutionError: depth, live children or budget are at their
     * limit, which it names.
     */
    readonly spawn: (request: SpawnRequest) => Effect.Effect<Child, ToolError.ToolError>
    /**
     * Returns the children waited for: when they ended, when none of them can continue without a user and no user is
     * attached, when a deferred call of this session was decided, or when the time is over. It never waits longer than
     * they live.
     */
    readonly wait: (request: WaitRequest) => Effect.Effect<ReadonlyArray<Child>, ToolError.ToolError>
    /** All children, oldest first. */
    readonly list: () => Effect.Effect<ReadonlyArray<Child>>
    /** The child reads it before its next step. Once per call. */
    readonly steer: (sessionId: string, text: string) => Effect.Effect<Child, ToolError.ToolError>
    /** Tells the child to finish; it is ended if it has not within 30 s. Once per call. */
    readonly cancel: (sessionId: string, reason: string) => Effect.Effect<Child, ToolError.ToolError>
  }
>()("@bough/tool/Spawn") {
  static readonly floor = "Workspace"
}
