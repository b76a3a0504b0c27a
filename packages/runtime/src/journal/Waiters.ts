/**
 * The waiters for new items of a stream: fibers and functions. They are woken immediately, once per turn of the event
 * loop, or within a short time.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

export interface Waiters {
  readonly wake: () => void
  /** Wakes once in this turn of the event loop, however often it is called, and never during the caller's work. */
  readonly wakeSoon: () => void
  /** Wakes with the next wake-up, but at the latest after `lateMillis`. */
  readonly wakeLater: () => void
  /** Wakes immediately, but like `wakeLater` if the last wake-up was less than `lateMillis` ago. */
  readonly wakePaced: () => void
  /** Returns the number of calls that woke, or will wake, so far. */
  readonly calls: () => number
  /**
   * Completes with the next wake-up, or at once if `calls` now exceeds the given number, because a fiber may pause
   * before it waits.
   */
  readonly moreSince: (calls: number) => Effect.Effect<void>
  /** Calls the function at every wake-up, until the returned function is called. It must not throw. */
  readonly listen: (onWake: () => void) => () => void
}

/** The longest delay of `wakeLater`, in milliseconds. */
export const lateMillis = 200

/** A clock that never goes back. `performance` would load Node's timeline with the first event. */
const clockMillis = (): number => Number(process.hrtime.bigint()) / 1e6

let soon: Array<() => void> = []

/**
 * One event loop callback serves all waiters of the process, because a callback per waiter would cost as much as a
 * short wake-up.
 */
const runSoon = (work: () => void): void => {
  soon.push(work)
  if (soon.length === 1) setImmediate(runAll)
}

const runAll = (): void => {
  const all = soon
  soon = []
  runEach(all)
}

/** The work that one timer of the process does, because a timer per waiter would cost as much as a short wake-up. */
let late = new Set<() => void>()
let lateTimer: NodeJS.Timeout | null = null

const runLater = (work: () => void): void => {
  late.add(work)
  // oxlint-disable-next-line no-restricted-globals -- its work runs outside of any fiber
  lateTimer ??= setTimeout(runLate, lateMillis)
}

const runLate = (): void => {
  lateTimer = null
  const all = late
  late = new Set()
  runEach(all)
}

const runEach = (all: Iterable<() => void>): void => {
  for (const work of all) {
    const run = Result.try({ try: work, catch: (thrown) => thrown })
    // An error in one waiter ends the process as usual, but only after the other waiters were woken.
    if (Result.isFailure(run)) setImmediate(() => throwAgain(run.failure))
  }
}

const throwAgain = (thrown: unknown): never => {
  throw thrown
}

export const make = (): Waiters => {
  const waiting = new Set<() => void>()
  /** Copied when it changes, because it is read far more often. */
  let listening: ReadonlyArray<() => void> = []
  let isWaking = false
  let calls = 0
  let wokenMillis = -Infinity
  const wake = (): void => {
    calls += 1
    wokenMillis = clockMillis()
    late.delete(wake)
    if (waiting.size > 0) for (const resume of Array.from(waiting)) resume()
    for (const onWake of listening) onWake()
  }
  const wakeOnce = (): void => {
    isWaking = false
    wake()
  }
  const wakeLater = (): void => {
    calls += 1
    if (waiting.size + listening.length > 0) runLater(wake)
  }
  return {
    wake,
    wakeSoon: () => {
      calls += 1
      if (isWaking || waiting.size + listening.length === 0) return
      isWaking = true
      runSoon(wakeOnce)
    },
    wakeLater,
    wakePaced: () => {
      if (clockMillis() - wokenMillis < lateMillis) wakeLater()
      else wake()
    },
    calls: () => calls,
    moreSince: (seen) =>
      Effect.callback<void>((resume) => {
        if (calls !== seen) return resume(Effect.void)
        const wakeUp = (): void => {
          waiting.delete(wakeUp)
          resume(Effect.void)
        }
        waiting.add(wakeUp)
        return Effect.sync(() => waiting.delete(wakeUp))
      }),
    listen: (onWake) => {
      // Each listener gets a new object, so that the same function can listen twice.
      const listener = (): void => onWake()
      listening = [...listening, listener]
      return () => void (listening = listening.filter((other) => other !== listener))
    }
  }
}
