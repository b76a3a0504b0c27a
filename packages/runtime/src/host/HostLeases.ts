/** The leases of a host's loaded sessions. A dormant session has only its lease. */
import type { Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Lease, SessionStore, StoreFailed, TreeBusy } from "../ports/SessionStore.ts"

type TreeId = Session.SessionId

export interface HostLeasesOptions {
  readonly store: Pick<SessionStore["Service"], "acquire" | "release" | "watchLease">
  /** Called when another process has the lease of a tree. */
  readonly onLost: (treeId: TreeId) => void
}

export interface HostLeases {
  /** Returns the lease that this host has, or acquires it. */
  readonly take: (treeId: TreeId) => Effect.Effect<Lease, TreeBusy | StoreFailed>
  /** Releases the lease, if this host has it. */
  readonly release: (treeId: TreeId) => Effect.Effect<void>
}

interface WatchedLease {
  readonly lease: Lease
  readonly watch: Scope.Closeable
}

/** Makes the leases. Taking and releasing the lease of one tree must not overlap. */
export const make = ({ onLost, store }: HostLeasesOptions): HostLeases => {
  const watchedLeases = new Map<TreeId, WatchedLease>()

  const lose = (treeId: TreeId): void => {
    watchedLeases.delete(treeId)
    onLost(treeId)
  }

  const acquire = Effect.fnUntraced(function* (treeId: TreeId): Effect.fn.Return<Lease, TreeBusy | StoreFailed> {
    const lease = yield* store.acquire(treeId)
    const watch = yield* Scope.make()
    watchedLeases.set(treeId, { lease, watch })
    yield* Scope.provide(
      store.watchLease(lease, () => lose(treeId)),
      watch
    )
    return lease
  }, Effect.uninterruptible)

  return {
    take: (treeId) =>
      Effect.suspend(() => {
        const known = watchedLeases.get(treeId)
        return known === undefined ? acquire(treeId) : Effect.succeed(known.lease)
      }),
    release: (treeId) =>
      Effect.suspend(() => {
        const known = watchedLeases.get(treeId)
        if (known === undefined) return Effect.void
        watchedLeases.delete(treeId)
        return Effect.andThen(Scope.close(known.watch, Exit.void), Effect.ignore(store.release(known.lease)))
      })
  }
}
