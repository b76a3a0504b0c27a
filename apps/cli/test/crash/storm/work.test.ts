/**
 * The owner of the storm is killed at every write to its store, before and after it is durable: later owners bring the
 * tree to its end.
 */
import { BlobStoreMemory, SessionStore, SessionStoreMemory } from "@bough/runtime"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { someOf, thorough } from "../../../../../test/thorough.ts"
import { decideSome } from "./decider.ts"
import * as Plan from "./plan.ts"
import * as Standing from "./standing.ts"
import { work } from "./work.ts"

interface Point {
  /** The number of the write: 1, 2 … */
  readonly write: number
  readonly when: "before" | "after"
}

/** A store whose process is killed at a write. */
const dyingAt = ({ when, write: at }: Point, inner: SessionStore.SessionStore["Service"]) => {
  let writes = 0
  const die = Effect.die("killed")
  const write = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      writes += 1
      if (writes < at) return effect
      return writes === at && when === "after" ? Effect.andThen(effect, die) : die
    })
  const store: SessionStore.SessionStore["Service"] = {
    ...inner,
    commit: (batch) => write(inner.commit(batch)),
    submit: (submission) => write(inner.submit(submission))
  }
  return { store, isDead: () => writes >= at }
}

const stores = Layer.merge(SessionStoreMemory.layer, BlobStoreMemory.layer)

/** More than the number of calls that need an approval, one after the other. */
const maxOwners = 12

/** Null if the tree needs no such write. */
const outcomeAt = (seed: number, effects: string, point: Point) =>
  Effect.gen(function* () {
    const store = yield* SessionStore.SessionStore
    const dying = dyingAt(point, store)
    const owner = work({ home: "", effects, seed, attended: false }, () => true)
    const next = Plan.random(seed)
    let left: ReadonlyArray<string> = []
    for (let owners = 0; owners < maxOwners; owners++) {
      yield* decideSome(next, 1, () => {})
      if (dying.isDead()) yield* owner
      else yield* Effect.exit(Effect.provideService(owner, SessionStore.SessionStore, dying.store))
      left = yield* Standing.unfinished
      if (left.length === 0) break
    }
    if (!dying.isDead()) return null
    const [main] = yield* store.list({ workspaceRoot: null, limit: 1 })
    const entries = yield* store.entries(main.sessionId, 0, 1000)
    const userMessages = entries.flatMap(({ body }) => (body._tag === "UserMessage" ? [body.text] : []))
    return { left: [...left, ...(yield* Standing.waiting)], told: userMessages }
  }).pipe(Effect.provide(Layer.fresh(stores)))

/** A Main with two calls, and a Main with a Worker. */
const seeds = someOf([101, 106], 1)

describe("The owner of a storm", () => {
  for (const seed of seeds) {
    it.live(
      `is sent its task once, and ends its tree, at whichever write the owner before it died: seed ${seed}`,
      () =>
        Effect.gen(function* () {
          const folder = yield* Effect.acquireRelease(
            Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-storm-work-"))),
            (made) => Effect.sync(() => rmSync(made, { recursive: true }))
          )
          const expected = { left: [], told: [Plan.plan(seed).task] }
          for (const when of ["before", "after"] as const) {
            let write = 1
            for (; ; write++) {
              const outcome = yield* outcomeAt(seed, join(folder, "effects"), { write, when })
              if (outcome === null) break
              assert.deepStrictEqual(outcome, expected, `${when} write ${write}`)
            }
            assert.isAbove(write, 10)
          }
        }),
      thorough
    )
  }
})
