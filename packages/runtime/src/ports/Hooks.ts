/**
 * Port for the operator's programs that run at certain moments of a session. They can deny a call, require approval and
 * add information; they cannot allow a call that a rule denies.
 */
import type { CallHooks } from "@bough/dispatch"
import { Session } from "@bough/protocol"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The combined answers of all hooks of one event. */
export interface HookAnswer {
  /** Null: no hook objects. The reason of a decision names the hook. */
  readonly objection: CallHooks.Objection | null
  /** Text for the model, each part with the name of its hook. */
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

/** Reads an answer of hooks; throws if it is malformed, since untyped programs may also implement the port. */
export const readAnswer = (answer: HookAnswer): HookAnswer =>
  (read ??= Schema.decodeUnknownSync(answerSchema()))(answer)

// Made with the first answer, because most sessions have no hooks.
let read: ((answer: unknown) => HookAnswer) | null = null

const answerSchema = () =>
  Schema.Struct({
    objection: Schema.NullOr(Schema.Struct({ effect: Schema.Literals(["ask", "deny"]), reason: Schema.String })),
    context: Schema.Array(Schema.Struct({ hook: Schema.String, text: Schema.String })),
    labels: Schema.Array(Session.Label),
    problems: Schema.Array(Schema.String)
  })

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
