/** A store that dies with its process at a chosen commit, so that a test can check every point between two commits. */
import * as Effect from "effect/Effect"
import { type BlobStore, SessionStore } from "../../src/index.ts"

export type When = "before" | "after"

export interface Crashing {
  readonly store: SessionStore.SessionStore["Service"]
  /** Commits and submissions so far. */
  readonly writes: () => number
  readonly isDead: () => boolean
  /** The operating system's treatment of a dead owner: its lease no longer counts. */
  readonly bury: Effect.Effect<void>
}

/** The process dies at its `at`-th write (1, 2 …), just before or just after it is durable. `at` 0: never. */
export const make = (inner: SessionStore.SessionStore["Service"], at: number, when: When): Crashing => {
  let writes = 0
  let dead = false
  let lease: SessionStore.Lease | null = null
  const die = Effect.suspend(() => {
    dead = true
    return Effect.die("killed")
  })
  const alive = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => (dead ? Effect.die("killed") : effect))
  const write = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    alive(
      Effect.suspend(() => {
        writes += 1
        if (writes !== at) return effect
        return when === "before" ? die : Effect.andThen(effect, die)
      })
    )
  return {
    store: {
      ...inner,
      acquire: (treeId) =>
        alive(
          Effect.tap(inner.acquire(treeId), (held) =>
            Effect.sync(() => {
              lease = held
            })
          )
        ),
      release: (held) => (dead ? Effect.void : inner.release(held)),
      commit: (batch) => write(inner.commit(batch)),
      submit: (submission) => write(inner.submit(submission)),
      entries: (sessionId, fromSeq, limit) => alive(inner.entries(sessionId, fromSeq, limit)),
      inbox: (treeId) => alive(inner.inbox(treeId))
    },
    writes: () => writes,
    isDead: () => dead,
    bury: Effect.suspend(() => (lease === null ? Effect.void : Effect.orDie(inner.release(lease))))
  }
}

export type Stores = SessionStore.SessionStore | BlobStore.BlobStore
