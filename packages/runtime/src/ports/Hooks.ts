/**
 * Port for the operator's programs that run at certain moments of a session. They can deny, require approval and inform;
 * they cannot allow a call that a rule denies.
 */
import type { CallHooks } from "@bough/dispatch"
import type { Session } from "@bough/protocol"
import type * as Effect from "effect/Effect"

/** The combined answers of all hooks of one event. */
export interface HookAnswer {
  /** Null: no hook objects. Its reason names the hook. */
  readonly objection: CallHooks.Objection | null
  /** Text for the model, each with the name of its hook. */
  readonly context: ReadonlyArray<{ readonly hook: string; readonly text: string }>
  /** Labels of the context. */
  readonly labels: ReadonlyArray<Session.Label>
  /** Sentences for the user about hooks that failed. */
  readonly problems: ReadonlyArray<string>
}

export interface HookedSession {
  readonly sessionId: Session.SessionId
  readonly turn: number
}

/** Every method returns null if no hook is configured for that event. */
export interface Hooks {
  readonly beforeTool: (session: HookedSession, call: CallHooks.HookedCall) => Effect.Effect<HookAnswer> | null
  readonly afterTool: (
    session: HookedSession,
    call: CallHooks.HookedCall,
    result: { readonly isError: boolean; readonly text: string }
  ) => Effect.Effect<HookAnswer> | null
  readonly prompt: (session: HookedSession, text: string) => Effect.Effect<HookAnswer> | null
  /** `text`: the last message of the model. */
  readonly stop: (session: HookedSession, text: string) => Effect.Effect<HookAnswer> | null
  readonly sessionStart: (session: HookedSession) => Effect.Effect<HookAnswer> | null
}
