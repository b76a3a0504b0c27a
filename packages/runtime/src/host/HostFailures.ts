/**
 * Failures of sessions that a host resumed by itself, so that no caller receives them: each is reported to readers, and
 * retried by the host's schedule.
 */
import type { Session as SessionData } from "@bough/protocol"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as PubSub from "effect/PubSub"
import type * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type {
  JournalCorrupt,
  LeaseLost,
  SessionNotFound,
  SessionStore,
  StoreFailed,
  TreeBusy
} from "../ports/SessionStore.ts"
import type * as Session from "../session/Session.ts"
import { isBusy, isTagged } from "./HostErrors.ts"
import type * as HostLogs from "./HostLogs.ts"
import * as HostRetry from "./HostRetry.ts"
import type * as HostWork from "./HostWork.ts"

/** The host does not serve the session, or opening it failed for a reason without an error of its own. */
export class NotServed extends Schema.TaggedError<NotServed>()("NotServed", {
  sessionId: Schema.String,
  message: Schema.String
}) {}

export type OpenFailure =
  | TreeBusy
  | SessionNotFound
  | Session.NotAMain
  | JournalCorrupt
  | LeaseLost
  | StoreFailed
  | NotServed

/** A failure of a session without a caller. Its messages are in the journal; a new message continues the session. */
export interface SessionFailure {
  readonly sessionId: SessionData.SessionId
  readonly error: OpenFailure | Session.TurnFailure
}

/** A failure with the host's next step: the time until the retry; null: the host waits for new input. */
export interface ReportedFailure extends SessionFailure {
  readonly retryInMillis: number | null
}

export interface HostFailuresOptions {
  readonly store: Pick<SessionStore["Service"], "session">
  readonly logs: HostLogs.HostLogs
  /** Null: sessions are not retried. */
  readonly schedule: Schedule.Schedule<unknown, SessionFailure> | null
}

export interface HostFailures {
  /** Returns how an attempt ended, and reports it if it failed. */
  readonly outcomeOf: (
    sessionId: SessionData.SessionId,
    exit: Exit.Exit<unknown, SessionFailure["error"]>
  ) => Effect.Effect<HostWork.Outcome>
  /** The stream of failures from now on. */
  readonly reported: Stream.Stream<ReportedFailure>
}

const maxUnread = 256

export const make = Effect.fnUntraced(function* ({
  logs,
  schedule,
  store
}: HostFailuresOptions): Effect.fn.Return<HostFailures> {
  const failed = yield* PubSub.sliding<ReportedFailure>(maxUnread)
  const retry = HostRetry.make(schedule)

  const report = Effect.fnUntraced(function* ({ error, retryInMillis, sessionId }: ReportedFailure) {
    const entries = yield* Effect.match(store.session(sessionId), {
      onFailure: () => 0,
      onSuccess: (session) => session.entries
    })
    const { _tag, message } = error
    logs.of(sessionId).publish({ _tag: "TurnFailed", sessionId, error: _tag, message, retryInMillis }, entries)
    yield* PubSub.publish(failed, { sessionId, error, retryInMillis })
  })

  return {
    outcomeOf: Effect.fnUntraced(function* (sessionId, exit) {
      if (isBusy(exit)) return "Busy"
      if (Exit.isSuccess(exit)) retry.forget(sessionId)
      if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return "Done"
      const error = errorOf(sessionId, exit.cause)
      const retryInMillis = yield* retry.next(sessionId, { sessionId, error })
      if (retryInMillis === null) retry.forget(sessionId)
      yield* report({ sessionId, error, retryInMillis })
      return retryInMillis === null ? "Done" : { retryInMillis }
    }),
    reported: Stream.fromPubSub(failed)
  }
})

/** Returns the error of the cause; a defect becomes `NotServed`. */
const errorOf = (
  sessionId: SessionData.SessionId,
  cause: Cause.Cause<SessionFailure["error"]>
): SessionFailure["error"] => {
  const thrown = Cause.squash(cause)
  return isTagged(thrown)
    ? (thrown as SessionFailure["error"])
    : new NotServed({ sessionId, message: `a bug: ${String(thrown)}` })
}
