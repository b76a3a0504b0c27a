/** A workspace and its snapshot store, opened when they are first needed: takes snapshots, one at a time. */
import type { Snapshots } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { hash, randomUUID } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import * as ByteName from "./ByteName.ts"
import * as Collect from "./Collect.ts"
import * as Database from "./Database.ts"
import * as Directories from "./Directories.ts"
import * as Failures from "./Failures.ts"
import type { Limits } from "./Limits.ts"
import * as ObjectStore from "./ObjectStore.ts"
import * as RulesAbove from "./RulesAbove.ts"
import * as Watches from "./Watches.ts"
import * as WorkspaceIndex from "./WorkspaceIndex.ts"

export interface EngineOptions {
  /** The workspace, without links. */
  readonly root: string
  /** The private directory of all stores, outside of every workspace. */
  readonly directory: string
  /** Absolute paths below the workspace that do not belong to it. */
  readonly outside: ReadonlyArray<string>
  readonly secretPaths: () => ReadonlyArray<string>
  readonly limits: Limits
  readonly bounds: Collect.Bounds
  /** False: every snapshot reads the facts of every file. */
  readonly isWatching: boolean
}

export interface OpenSnapshots {
  readonly root: Directories.Root
  readonly store: ObjectStore.ObjectStore
  readonly index: WorkspaceIndex.WorkspaceIndex
}

export interface Engine {
  /** Checks every file in the background if the last check was long ago, because some changes are not reported. */
  readonly lookAround: Effect.Effect<void>
  /** Opens both, then runs `use` while no other use runs. */
  readonly use: <A, E>(
    use: (opened: OpenSnapshots, take: TakeSnapshot) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E | Snapshots.SnapshotFailed>
}

/** Records the current workspace, and returns the name of its tree. */
export type TakeSnapshot = (isDurable: boolean) => Effect.Effect<string, Snapshots.SnapshotFailed>

/** The file of a workspace's snapshots. */
export const fileOf = (directory: string, root: string): string =>
  path.join(directory, `${hash("sha256", root, "hex").slice(0, 32)}.db`)

/** The interval at which a repeated snapshot extends the retention of its objects, rather than at every turn. */
const renewMillis = 60 * 60 * 1000
/** The number of entries from which an index is saved early, because reading the workspace again would take long. */
const worthSavingEntries = 200

export const make = Effect.fnUntraced(function* (options: EngineOptions): Effect.fn.Return<Engine, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const semaphore = Semaphore.makeUnsafe(1)
  let openSnapshots: OpenSnapshots | null = null
  /** True if the store has every content to which the index refers. */
  let isSound = true
  let tooLarge: { readonly failure: Snapshots.SnapshotFailed; readonly atMillis: number } | null = null
  let last: { readonly tree: string; readonly atMillis: number } | null = null

  const open = Effect.suspend(() =>
    openSnapshots === null
      ? Effect.tap(Effect.provideService(openBoth(options), Scope.Scope, scope), (opened) =>
          Effect.sync(() => (openSnapshots = opened))
        )
      : Effect.succeed(openSnapshots)
  )

  const take =
    ({ index, store }: OpenSnapshots): TakeSnapshot =>
    (isDurable) =>
      Effect.tapError(
        Effect.gen(function* (): Effect.gen.Return<string, Snapshots.SnapshotFailed> {
          const atMillis = yield* Clock.currentTimeMillis
          if (!isSound)
            yield* Failures.onStore(() => {
              store.refresh()
              index.verify()
              isSound = true
            })
          if (tooLarge !== null && atMillis - tooLarge.atMillis < tooLargeMillis) return yield* tooLarge.failure
          for (let attempt = 0; ; attempt++) {
            const tree = yield* Effect.tapError(index.update, (failure) =>
              Effect.sync(() => {
                tooLarge = failure.reason === "TooLarge" ? { failure, atMillis } : null
              })
            )
            const isKnown = last !== null && last.tree === tree && atMillis - last.atMillis <= renewMillis
            const isNew = !isKnown || !(yield* Failures.onStore(store.isCurrent))
            const isWritten = !isNew || (yield* Failures.onStore(() => store.commit({ tree, atMillis, isDurable })))
            if (isWritten) {
              if (isNew) {
                if (last === null)
                  yield* Effect.ignore(Failures.onStore(() => saveIndex({ index, store }, worthSavingEntries)))
                last = { tree, atMillis }
              }
              if (isDurable) yield* Failures.onStore(store.sync)
              return tree
            }
            if (attempt === maxAttempts) return yield* Failures.storeFailed(new Error("it is collected all the time"))
            yield* Failures.onStore(() => {
              store.refresh()
              index.verify()
            })
          }
        }),
        // Drops the pending objects, which may be the ones that do not fit, and may no longer belong to the workspace.
        () =>
          Effect.sync(() => {
            isSound = false
            store.discard()
          })
      )

  const use: Engine["use"] = (work) => semaphore.withPermit(Effect.flatMap(open, (both) => work(both, take(both))))
  const look = use(({ index }, takeState) =>
    Effect.suspend(() => {
      index.distrust()
      return takeState(false)
    })
  )
  return {
    use,
    lookAround: Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => {
      const lookedAtMillis = openSnapshots?.index.lookedAtMillis() ?? null
      return lookedAtMillis === null || nowMillis - lookedAtMillis < lookMillis
        ? Effect.void
        : Effect.asVoid(Effect.forkIn(Effect.ignore(look), scope, { startImmediately: true }))
    })
  }
})

const maxAttempts = 3
const lookMillis = 30_000
/** The time for which a workspace that is too large is not scanned again. */
const tooLargeMillis = 60_000

const openBoth = (options: EngineOptions): Effect.Effect<OpenSnapshots, Snapshots.SnapshotFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const { directory, root: rootPath } = options
    const root = yield* Effect.acquireRelease(
      Effect.try({ try: () => Directories.openRoot(ByteName.fromText(rootPath)), catch: Failures.unreadable }),
      ({ directory: { fd } }) => Effect.sync(() => fs.closeSync(fd))
    )
    const database = yield* Effect.acquireRelease(
      Failures.onStore(() => Database.open(fileOf(directory, rootPath))),
      (opened) => Effect.sync(() => opened.close())
    )
    yield* Failures.onStore(() => database.run("INSERT OR IGNORE INTO fact VALUES ('root', ?)", rootPath))
    const store = yield* Failures.onStore(() => ObjectStore.make(database))
    const watches = options.isWatching && root.isSafe ? yield* openWatches(directory) : null
    const { inner, rules } = RulesAbove.read(rootPath)
    const outside = options.outside.flatMap((place) => namesBelow(rootPath, place))
    const index = yield* Effect.acquireRelease(
      Effect.sync(() =>
        WorkspaceIndex.make({
          root,
          store,
          limits: options.limits,
          watches,
          inner,
          rulesAbove: rules,
          outside: () => [...outside, ...options.secretPaths().flatMap((place) => namesBelow(rootPath, place))]
        })
      ),
      (opened) =>
        Effect.sync(() => {
          opened.close()
          // The saved index is only a cache: without it, the next process reads the files again.
          Effect.runSync(Effect.ignore(Failures.onStore(() => saveIndex({ index: opened, store }, 0))))
        })
    )
    yield* Failures.onStore(() => {
      const saved = database.get("SELECT value FROM fact WHERE name = 'index'")?.["value"]
      if (typeof saved !== "string") return
      const [generation, text] = split(saved)
      index.load(text)
      // Objects may have been collected since it was saved.
      if (generation !== String(store.generation())) index.verify()
    })
    yield* Effect.forkIn(Collect.collect(store, options.bounds), yield* Effect.scope)
    return { root, store, index }
  })

const saveIndex = ({ index, store }: Pick<OpenSnapshots, "index" | "store">, minChanges: number): void => {
  // A saved index must not refer to objects that are not in the store.
  if (!store.isComplete() || !store.isCurrent()) return
  const text = index.save()
  if (text.length < minChanges * 100) return
  store.database.transact(false, () =>
    store.database.run(
      "INSERT INTO fact VALUES ('index', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      `${store.generation()}\n${text}`
    )
  )
}

const split = (saved: string): readonly [generation: string, text: string] => {
  const end = saved.indexOf("\n")
  return [saved.slice(0, end), saved.slice(end + 1)]
}

/** Opens the watches; null: this machine cannot provide any. */
const openWatches = (directory: string): Effect.Effect<Watches.Watches | null, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.orElseSucceed(
      Failures.onStore(() => Watches.make(path.join(directory, `watch-${process.pid}-${randomUUID()}`))),
      () => null
    ),
    (watches) => Effect.sync(() => watches?.close())
  )

const namesBelow = (root: string, place: string): ReadonlyArray<ReadonlyArray<string>> => {
  const real = fs.existsSync(place) ? fs.realpathSync.native(place) : place
  const base = root === "/" ? "/" : `${root}/`
  return real.startsWith(base)
    ? [
        real
          .slice(base.length)
          .split("/")
          .filter((name) => name !== "")
          .map(ByteName.fromText)
      ]
    : []
}
