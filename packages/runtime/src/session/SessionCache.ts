/**
 * The Mains that this process has open, as an LRU cache. A session in use is loaded with its folds, tools and ports.
 * The most recently used idle sessions stay loaded; the others are unloaded and read again from the journal on demand,
 * so that a process can have thousands of long sessions open.
 */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { JournalCorrupt, Lease, LeaseLost, SessionStore, StoreFailed } from "../ports/SessionStore.ts"
import * as Loop from "./Loop.ts"
import type { SessionServices } from "./SessionServices.ts"

export interface LoadedSession {
  readonly lease: Lease
  readonly store: SessionStore["Service"]
  /** The maximum number of idle sessions of this store that stay loaded when this one becomes idle. */
  readonly maxLoaded: number
  /** Reads the session from its journal. */
  readonly read: Effect.Effect<SessionServices, ReadFailure>
  /** The loaded session; null: it is unloaded. */
  running: SessionServices | null
  /** The number of current uses. */
  uses: number
}

type ReadFailure = JournalCorrupt | LeaseLost | StoreFailed

/** The idle sessions of one store in one process. */
interface Idle {
  /** Idle and loaded sessions, the least recently used one first. */
  readonly loaded: Set<LoadedSession>
  /** Ensures that two uses at once do not both read the session. */
  readonly reading: Semaphore.Semaphore
}

/** The default suits a user, who talks to few sessions at a time; reloading one takes milliseconds. */
export const defaultMaxLoaded = 16

const idleOf = new WeakMap<SessionStore["Service"], Idle>()

const idle = ({ store }: LoadedSession): Idle => {
  const known = idleOf.get(store)
  if (known !== undefined) return known
  const newIdle: Idle = { loaded: new Set(), reading: Semaphore.makeUnsafe(1) }
  idleOf.set(store, newIdle)
  return newIdle
}

/**
 * Keeps the session loaded until `use` returns. `use` is called only when the effect runs, because an idle session
 * holds several such effects that never run.
 */
export const useSession = <A, E, R>(
  opened: LoadedSession,
  use: (session: SessionServices) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | ReadFailure, R> =>
  Effect.suspend(() => Effect.acquireUseRelease(take(opened), use, () => Effect.sync(() => release(opened))))

/** Uses the session only if it is loaded. */
export const useIfLoaded = <A, E, R>(
  opened: LoadedSession,
  use: (session: SessionServices) => Effect.Effect<A, E, R>
): Effect.Effect<A | void, E | ReadFailure, R> =>
  Effect.suspend(() => (opened.running === null ? Effect.void : useSession(opened, use)))

const take = (opened: LoadedSession): Effect.Effect<SessionServices, ReadFailure> =>
  Effect.suspend(() => {
    const { reading, loaded } = idle(opened)
    opened.uses += 1
    loaded.delete(opened)
    if (opened.running !== null) return Effect.succeed(opened.running)
    return reading
      .withPermit(Effect.suspend(() => read(opened)))
      .pipe(Effect.onError(() => Effect.sync(() => release(opened))))
  })

const read = (opened: LoadedSession): Effect.Effect<SessionServices, ReadFailure> =>
  opened.running !== null
    ? Effect.succeed(opened.running)
    : Effect.tap(opened.read, (running) => Effect.sync(() => (opened.running = running)))

const release = (opened: LoadedSession): void => {
  opened.uses -= 1
  if (opened.uses > 0 || opened.running === null || !isIdle(opened.running)) return
  const { loaded } = idle(opened)
  loaded.add(opened)
  if (loaded.size <= opened.maxLoaded) return
  const [oldest] = loaded
  loaded.delete(oldest)
  oldest.running = null
}

/**
 * True if the journal contains the whole state: nothing is running or open, and no child depends on the session.
 */
const isIdle = ({ turns: { journal, tree } }: SessionServices): boolean =>
  !Loop.isOpen(journal) && journal.state.liveChildren.size === 0 && tree.live.size === 0

/** True if the journal contains the whole state of the session, and the session is not in use. */
export const isStored = ({ running, uses }: LoadedSession): boolean =>
  uses === 0 && (running === null || isIdle(running))

/** Unloads the session at the end of its scope. */
export const close = (opened: LoadedSession): Effect.Effect<void> =>
  Effect.sync(() => {
    idle(opened).loaded.delete(opened)
  })
