/**
 * The request spans that caused a session's work. The work begins in another fiber after the request was answered; its
 * spans become children of the request's span, so that a trace connects the two. The request spans are kept in memory.
 */
import { Trace } from "@bough/dispatch"
import type { Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { AnySpan } from "effect/Tracer"

export interface HostTraces {
  /** Submits a command, and links the next work of the tree to the current span. */
  readonly submitLinked: <A extends { readonly inserted: boolean }, E, R>(
    treeId: Session.SessionId,
    submit: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  /** Runs the work of a tree as a child of the span that caused it; without such a span, unchanged. */
  readonly below: <A, E, R>(treeId: Session.SessionId, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

const untraced: HostTraces = { submitLinked: (_, submit) => submit, below: (_, work) => work }

export const make: Effect.Effect<HostTraces> = Effect.map(Trace.isOn, (isTraced) => {
  if (!isTraced) return untraced
  const causes = new Map<Session.SessionId, AnySpan>()
  const forget = (treeId: Session.SessionId) => Effect.sync(() => void causes.delete(treeId))
  return {
    // Set before the submission, because the work may begin before the submission returns.
    submitLinked: (treeId, submit) =>
      Effect.currentParentSpan.pipe(
        Effect.map((span) => void causes.set(treeId, span)),
        Effect.ignore,
        Effect.andThen(submit),
        Effect.tap(({ inserted }) => (inserted ? Effect.void : forget(treeId))),
        Effect.tapError(() => forget(treeId))
      ),
    below: (treeId, work) =>
      Effect.suspend(() => {
        const cause = causes.get(treeId)
        // Commands that arrive during the work join it, and cause no further work.
        const ended = Effect.ensuring(work, forget(treeId))
        return cause === undefined ? ended : (Effect.withParentSpan(ended, cause) as typeof work)
      })
  }
})
