/** The reasons for which a request about a conversation is refused. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The request was refused; each protocol reports this in its own form. */
export class TurnRefused extends Schema.TaggedError<TurnRefused>()("TurnRefused", {
  reason: Schema.Literals([
    "not_found",
    "approval_not_found",
    "scope_missing",
    "session_busy",
    "session_exists",
    "not_a_step_boundary",
    "quota_exceeded",
    "too_many_streams",
    "unknown_agent"
  ]),
  message: Schema.String
}) {}

export const refuse = (reason: TurnRefused["reason"], message: string): Effect.Effect<never, TurnRefused> =>
  Effect.fail(new TurnRefused({ reason, message }))

export const sessionNotFound = (): Effect.Effect<never, TurnRefused> =>
  refuse("not_found", "there is no such conversation")
