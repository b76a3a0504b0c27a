/** How sessions below are told to end: by a word and some time, or at once. */
import * as Effect from "effect/Effect"
import * as Inbox from "../journal/Inbox.ts"
import type { SessionContext } from "../session/SessionContext.ts"
import type { StoreFailed } from "../ports/SessionStore.ts"
import * as Tree from "./Tree.ts"

/** The signal to finish, and to all below it; who has not finished when the time is over is stopped. */
export const tellToEnd = (child: Tree.Child, ending: Tree.Ending): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (child.ending !== null) return Effect.void
    child.ending = ending
    const { running } = child
    const below = Effect.forEach(
      Tree.childrenOf(running),
      (grandchild) => tellToEnd(grandchild, { ...ending, status: "Cancelled" }),
      { discard: true }
    )
    // Who only waits has nothing to finish.
    const isWaiting = child.parked || running.activeTime.waits > 0
    const patience = isWaiting
      ? stop(child)
      : Effect.andThen(
          // Its time runs whether or not it can be told, and also when the one who tells must not be interrupted.
          Effect.forkIn(
            Effect.interruptible(Effect.andThen(Effect.sleep(running.agent.limits.wrapUpMillis), stop(child))),
            running.tree.scope
          ),
          Effect.ignore(Inbox.steer(running, `You are to end now (${ending.reason}). Answer with what you have.`))
        )
    return Effect.andThen(below, patience)
  })

/** Tells the children to end that somebody cancelled. */
export const tellCancelled = (tree: Tree.Tree): Effect.Effect<void, StoreFailed> =>
  Effect.flatMap(tree.store.inbox(tree.lease.treeId), (rows) =>
    Effect.forEach(
      rows,
      ({ command }) => {
        const child = command._tag === "CancelSession" ? tree.live.get(command.sessionId) : undefined
        return child === undefined || command._tag !== "CancelSession"
          ? Effect.void
          : tellToEnd(child, { status: "Cancelled", reason: command.reason })
      },
      { discard: true }
    )
  )

const stop = (child: Tree.Child): Effect.Effect<void> =>
  Effect.sync(() => {
    child.stopped = true
    child.running.tree.changes.notify()
  })

/** Stops the children of a session, and all below them, without waiting for them to finish. */
export const stopAll = (context: SessionContext, reason: string): Effect.Effect<void> =>
  Effect.andThen(
    Effect.forEach(
      Tree.childrenOf(context),
      (child) =>
        Effect.suspend(() => {
          child.ending ??= { status: "Cancelled", reason }
          return Effect.andThen(stopAll(child.running, reason), stop(child))
        }),
      { discard: true }
    ),
    gone(context)
  )

/** Until no child of the session runs here. */
export const gone = (context: SessionContext): Effect.Effect<void> => {
  const { tree } = context
  return tree.changes.waitFor(() =>
    tree.failure !== null || Tree.childrenOf(context).every(({ cutOff }) => cutOff) ? true : null
  )
}
