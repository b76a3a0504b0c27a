/** Watchers that are called when this process learns that another process owns its tree. For adapters of SessionStore. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Lease } from "./SessionStore.ts"

export interface LeaseWatchers {
  readonly watch: (lease: Lease, lost: () => void) => Effect.Effect<void, never, Scope.Scope>
  /** Calls the watchers of the lost lease once. */
  readonly lose: (lease: Lease) => void
}

export const make = (): LeaseWatchers => {
  const watchers = new Map<string, ReadonlyArray<() => void>>()
  const keyOf = ({ epoch, treeId }: Lease): string => `${epoch} ${treeId}`

  const remove = (key: string, lost: () => void): void => {
    const others = (watchers.get(key) ?? []).filter((other) => other !== lost)
    if (others.length > 0) watchers.set(key, others)
    else watchers.delete(key)
  }

  return {
    watch: (lease, lost) =>
      Effect.acquireRelease(
        Effect.sync(() => void watchers.set(keyOf(lease), (watchers.get(keyOf(lease)) ?? []).concat(lost))),
        () => Effect.sync(() => remove(keyOf(lease), lost))
      ),
    lose: (lease) => {
      const listeners = watchers.get(keyOf(lease)) ?? []
      watchers.delete(keyOf(lease))
      for (const lost of listeners) lost()
    }
  }
}
