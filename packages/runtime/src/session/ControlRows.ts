/** Inbox rows that concern a whole tree: revoked rules, changes of the mode and cancellations. */
import * as Effect from "effect/Effect"
import * as SessionRules from "../approval/SessionRules.ts"
import * as Inbox from "../journal/Inbox.ts"
import * as CancelChildren from "../tree/CancelChildren.ts"
import * as CancelMain from "../tree/CancelMain.ts"
import * as Tree from "../tree/Tree.ts"
import type { Turns } from "./Turn.ts"

/** Trees whose rows are being applied now. */
const treesInProgress = new WeakSet<Tree.Tree>()

/**
 * Applies the rows one after the other until the inbox has no new ones: revokes rules, changes the mode, and stops the Main's work or its
 * children.
 */
export const apply = ({ inbox, journal, tree }: Turns): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (treesInProgress.has(tree)) return Effect.void
    treesInProgress.add(tree)
    let seen: number | null = null
    return Effect.whileLoop({
      while: () => {
        const hasGrown = inbox.version !== seen
        if (!hasGrown) treesInProgress.delete(tree)
        return hasGrown
      },
      body: () => {
        seen = inbox.version
        return Effect.andThen(
          Effect.andThen(
            Effect.andThen(SessionRules.revoke(tree.store, journal), Inbox.takeModes(inbox)),
            CancelMain.notice(tree, inbox)
          ),
          Effect.suspend(() => (tree.live.size === 0 ? Effect.void : CancelChildren.requestCancelledEnds(tree)))
        )
      },
      step: () => {}
    }).pipe(
      Effect.onError(() => Effect.sync(() => treesInProgress.delete(tree))),
      // Without this, waiting sessions would never be notified of the failure.
      Effect.catch((failure) => Effect.sync(() => Tree.fail(tree, failure)))
    )
  })
