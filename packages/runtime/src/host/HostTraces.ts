/**
 * The spans of the requests that told a session to work. The work begins in another fiber, after the request was answered: its
 * spans are made below the request's, so that a trace leads from one to the other. Kept in this process alone.
 */
import { Trace } from "@bough/dispatch"
import type { Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { AnySpan } from "effect/Tracer"

export interface HostTraces {
  /** Submits a command of the current span, which then causes the next work of the tree. */
  readonly causing: <A extends { readonly inserted: boolean }, E, R>(
    treeId: Session.SessionId,
    submit: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  /** Runs the work of a tree below the span that caused it; without one as it is. */
  readonly below: <A, E, R>(treeId: Session.SessionId, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

const untraced: HostTraces = { causing: (_, submit) => submit, below: (_, work) => work }

export const make: Effect.Effect<HostTraces> = Effect.map(Trace.isOn, (isTraced) => {
  if (!isTraced) return untraced
  const causes = new Map<Session.SessionId, AnySpan>()
  const forget = (treeId: Session.SessionId) => Effect.sync(() => void causes.delete(treeId))
  return {
    // Before it is submitted: the work may begin before the submission returns.
    causing: (treeId, submit) =>
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
        // What comes while the work goes on joins it, and causes no other.
        const ended = Effect.ensuring(work, forget(treeId))
        return cause === undefined ? ended : (Effect.withParentSpan(ended, cause) as typeof work)
      })
  }
})
