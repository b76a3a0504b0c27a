/**
 * Runs work that may hang or exhaust memory, such as parsing untrusted bytes, in separate threads. If a request takes
 * too long, uses too much memory or is interrupted, its thread is ended; the main thread never blocks:
 * adr/0043-foreign-bytes-in-threads.md.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import type { Transferable } from "node:worker_threads"
import { Worker } from "node:worker_threads"

/** The work was ended. `Crashed`: it failed, and its thread sent no response. */
export class ThreadEnded extends Schema.TaggedError<ThreadEnded>()("ThreadEnded", {
  reason: Schema.Literals(["Time", "Memory", "Crashed"]),
  message: Schema.String
}) {}

export interface BoundedThreadsOptions {
  /** URL of a module that calls `Answering.serve`. */
  readonly module: URL
  /** The maximum heap of the thread. */
  readonly maxHeapMegabytes: number
  /** The allowed growth of the whole process's memory during one request, because buffers are not part of a heap. */
  readonly maxGrowthMegabytes: number
  /** The maximum time for one request. */
  readonly maxMillis: number
}

export interface BoundedThreads<Request, Reply> {
  /** Runs a request in a separate thread. `transfer`: buffers that are transferred instead of copied. */
  readonly run: (request: Request, transfer?: ReadonlyArray<Transferable>) => Effect.Effect<Reply, ThreadEnded>
}

/** The time that a thread waits for the next request after a response. */
const idleMillis = 30_000
/** The interval of memory checks. A thread can fill about a gigabyte per second. */
const lookMillis = 50
const mebibyte = 1024 ** 2

/** One thread; `resume` completes the waiting request, and has no effect while the thread is idle. */
interface Slot<Reply> {
  readonly worker: Worker
  resume: (answer: Effect.Effect<Reply, ThreadEnded>) => void
  /** Ends the thread once it has been idle for too long; null while it works. */
  timer: NodeJS.Timeout | null
}

/** Starts the first thread with the first request. Idle threads do not keep the process alive. */
export const make = <Request, Reply>(options: BoundedThreadsOptions): BoundedThreads<Request, Reply> => {
  const idle: Array<Slot<Reply>> = []

  const forget = (slot: Slot<Reply>): void => {
    const index = idle.indexOf(slot)
    if (index !== -1) idle.splice(index, 1)
    if (slot.timer !== null) clearTimeout(slot.timer)
    slot.timer = null
  }

  const take = Effect.sync((): Slot<Reply> => {
    const [waiting] = idle
    if (waiting === undefined) return start(options, forget)
    forget(waiting)
    waiting.worker.ref()
    return waiting
  })

  /** Keeps one thread for the next request. */
  const giveBack = (slot: Slot<Reply>): Effect.Effect<unknown> => {
    if (idle.length > 0) return end(slot)
    slot.resume = ignored
    // oxlint-disable-next-line no-restricted-globals -- unlike Effect.sleep it keeps no process alive
    slot.timer = setTimeout(() => {
      forget(slot)
      void slot.worker.terminate()
    }, idleMillis)
    slot.timer.unref()
    slot.worker.unref()
    idle.push(slot)
    return Effect.void
  }

  return {
    run: (request, transfer = []) =>
      Effect.acquireUseRelease(
        take,
        (slot) =>
          Effect.raceFirst(answerOf(slot, request, transfer), memoryGrown(options)).pipe(
            Effect.timeoutOrElse({
              duration: options.maxMillis,
              orElse: () => Effect.fail(ended("Time", `it took more than ${options.maxMillis / 1000} s`))
            })
          ),
        (slot, exit) => (Exit.isSuccess(exit) ? giveBack(slot) : end(slot))
      )
  }
}

const ignored = (): void => {}

const start = <Reply>(
  { maxHeapMegabytes, module }: BoundedThreadsOptions,
  forget: (slot: Slot<Reply>) => void
): Slot<Reply> => {
  const worker = new Worker(module, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes } })
  const slot: Slot<Reply> = { worker, resume: ignored, timer: null }
  const stopped = (why: ThreadEnded): void => {
    forget(slot)
    slot.resume(Effect.fail(why))
  }
  worker.on("message", (reply: Reply) => slot.resume(Effect.succeed(reply)))
  worker.on("error", (error: NodeJS.ErrnoException) =>
    stopped(
      error.code === "ERR_WORKER_OUT_OF_MEMORY"
        ? ended("Memory", "it took more memory than it may")
        : ended("Crashed", error.message)
    )
  )
  worker.on("exit", (code) => stopped(ended("Crashed", `its thread ended with code ${code}`)))
  return slot
}

const end = <Reply>(slot: Slot<Reply>): Effect.Effect<unknown> =>
  Effect.promise(() => {
    slot.resume = ignored
    return slot.worker.terminate()
  })

const answerOf = <Reply>(
  slot: Slot<Reply>,
  request: unknown,
  transfer: ReadonlyArray<Transferable>
): Effect.Effect<Reply, ThreadEnded> =>
  Effect.callback<Reply, ThreadEnded>((resume) => {
    slot.resume = resume
    slot.worker.postMessage(request, transfer)
  })

/** Fails when the process has grown by more than the limit; never succeeds. */
const memoryGrown = ({ maxGrowthMegabytes }: BoundedThreadsOptions): Effect.Effect<never, ThreadEnded> =>
  Effect.suspend(() => {
    const maxBytes = process.memoryUsage.rss() + maxGrowthMegabytes * mebibyte
    const look: Effect.Effect<never, ThreadEnded> = Effect.flatMap(Effect.sleep(lookMillis), () =>
      process.memoryUsage.rss() > maxBytes ? Effect.fail(ended("Memory", "it took more memory than it may")) : look
    )
    return look
  })

const ended = (reason: ThreadEnded["reason"], message: string): ThreadEnded => new ThreadEnded({ reason, message })
