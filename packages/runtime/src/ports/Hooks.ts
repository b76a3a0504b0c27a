/**
 * Port for programs of the operator that a session runs at certain moments. They may deny, require approval and inform; none of
 * their answers allows a call that a rule denies.
 */
import type { CallHooks } from "@bough/dispatch"
import type { Session } from "@bough/protocol"
import type * as Effect from "effect/Effect"

/** The answers of all hooks of one moment. */
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

/** Every method returns null where no hook is for that moment. */
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
