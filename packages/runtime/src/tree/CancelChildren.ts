/** Ends children: with a message and some time to finish, or at once. */
import * as Effect from "effect/Effect"
import * as Inbox from "../journal/Inbox.ts"
import type { Journal } from "../journal/Journal.ts"
import type { StoreFailed } from "../ports/SessionStore.ts"
import * as Tree from "./Tree.ts"

/** The running sessions of a tree, and the scope of the timers for their grace period. */
type EndingTree = Tree.TreeState & Pick<Tree.TreePorts, "scope">

/** Asks a child and its descendants to finish; those that do not finish in time are stopped. */
export const requestEnd = (tree: EndingTree, child: Tree.Child, ending: Tree.ChildEnd): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { session, status } = child
    if (status.ending !== null) return Effect.void
    Tree.setEnding(child, ending)
    const below: Effect.Effect<void> = Effect.forEach(
      Tree.childrenOf(tree, session.journal),
      (grandchild) => requestEnd(tree, grandchild, { ...ending, status: "Cancelled" }),
      { discard: true }
    )
    const stop: Effect.Effect<void> = Effect.sync(() => Tree.stop(tree, child))
    // A waiting child has no work to finish.
    const isWaiting = status.parkedAt !== null || session.budget.activeTime.waits > 0
    const stopWhenDone: Effect.Effect<void> = isWaiting
      ? stop
      : Effect.andThen(
          // The time limit runs even if the child cannot be notified, and if the notifying fiber cannot be interrupted.
          Effect.forkIn(
            Effect.interruptible(Effect.andThen(Effect.sleep(session.agent.limits.wrapUpMillis), stop)),
            tree.scope
          ),
          Effect.ignore(Inbox.steer(session.inbox, `You are to end now (${ending.reason}). Answer with what you have.`))
        )
    return Effect.andThen(below, stopWhenDone)
  })

/** Asks the cancelled children to finish. */
export const requestCancelledEnds = (
  tree: EndingTree & Pick<Tree.TreePorts, "lease" | "store">
): Effect.Effect<void, StoreFailed> =>
  Effect.flatMap(tree.store.inbox(tree.lease.treeId), (rows) =>
    Effect.forEach(
      rows,
      ({ command }) => {
        const child = command._tag === "CancelSession" ? tree.live.get(command.sessionId) : undefined
        return child === undefined || command._tag !== "CancelSession"
          ? Effect.void
          : requestEnd(tree, child, { status: "Cancelled", reason: command.reason })
      },
      { discard: true }
    )
  )

/** Stops the children of a session and their descendants without waiting for them to finish. */
export const stopAll = (tree: Tree.TreeState, journal: Journal["Service"], reason: string): Effect.Effect<void> =>
  Effect.andThen(
    Effect.forEach(
      Tree.childrenOf(tree, journal),
      (child) =>
        Effect.suspend(() => {
          Tree.setEnding(child, { status: "Cancelled", reason })
          const stop: Effect.Effect<void> = Effect.sync(() => Tree.stop(tree, child))
          return Effect.andThen(stopAll(tree, child.session.journal, reason), stop)
        }),
      { discard: true }
    ),
    withdrawChildren(tree, journal)
  )

/** Waits until no child of the session runs here. */
export const withdrawChildren = (tree: Tree.TreeState, journal: Journal["Service"]): Effect.Effect<void> =>
  tree.changes.waitFor(() =>
    tree.failure !== null || Tree.childrenOf(tree, journal).every(({ status }) => status.cutOff) ? true : null
  )
