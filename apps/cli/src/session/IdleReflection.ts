/**
 * Reflection on a conversation while the user is idle. It starts after a pause; typing cancels it, and the next pause
 * starts it again.
 */
import type { ReflectionWithNotes } from "@bough/host/memory/Memories"
import type { SessionWithMemory } from "@bough/host/session/SessionWithMemory"
import * as Effect from "effect/Effect"
import * as ReflectionText from "../terminal/ReflectionText.ts"

export interface IdleOptions {
  /** Idle time before the reflection starts. */
  readonly afterSeconds: number
  /** Receives the lines about its start and its result. */
  readonly show: (lines: ReadonlyArray<string>) => void
}

type ReflectingSession = Pick<SessionWithMemory, "indexMessages" | "isWorthReflecting" | "reflectNow" | "reflectsWith">

export const reflectWhile = <A, E, R>(
  session: ReflectingSession,
  waiting: Effect.Effect<A, E, R>,
  { afterSeconds, show }: IdleOptions
): Effect.Effect<A, E, R> =>
  Effect.sleep(`${afterSeconds} seconds`).pipe(
    Effect.andThen(session.indexMessages),
    Effect.andThen(session.isWorthReflecting),
    Effect.flatMap((isWorth) => (isWorth ? now(session, show) : Effect.void)),
    // A fault of the journal is reported by the next turn.
    Effect.ignore,
    Effect.forkScoped,
    Effect.andThen(waiting),
    Effect.scoped
  )

/** Reflects at once. Null: this session has no reflection, or no new activity. */
export const now = (
  { reflectNow, reflectsWith }: Pick<ReflectingSession, "reflectNow" | "reflectsWith">,
  show: IdleOptions["show"]
): Effect.Effect<ReflectionWithNotes | null> =>
  reflectsWith === null
    ? Effect.succeed(null)
    : Effect.sync(() => show([ReflectionText.startedText(reflectsWith)])).pipe(
        Effect.andThen(reflectNow),
        Effect.tap((reflected) => Effect.sync(() => reflected !== null && show(ReflectionText.lines(reflected))))
      )
