/**
 * ProcessRunner over Node's child processes. Each has its own process group, which is killed at its end, with this
 * process, or after too much output.
 */
import { ProcessRunner } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Readable } from "node:stream"
import { type ChildProcess, kill, next, start } from "./internal/ChildProcess.ts"
import * as OwnerWatch from "./internal/OwnerWatch.ts"
import { silence } from "./internal/WaitForQuiet.ts"

const stderrBytes = 65_536

const run: ProcessRunner.ProcessRunner["Service"]["run"] = ({ input, maxOutputBytes, program, ...rest }) =>
  Effect.acquireUseRelease(
    Effect.flatMap(OwnerWatch.asOrphan({ program, ...rest, ...(input === undefined ? {} : { input: "pipe" }) }), start),
    Effect.fnUntraced(function* (child) {
      child.stdin?.end(input)
      const stdout = new Taken(maxOutputBytes)
      const stderr = new Taken(stderrBytes)
      const gone = Effect.promise(() => child.ended)
      const read = Effect.all([stdout.from(child.stdout, kill(-child.pid)), stderr.from(child.stderr, Effect.void)], {
        concurrency: 2
      })
      // A process that started its own session may hold a pipe open forever.
      const silent = silence(() => stdout.pieces + stderr.pieces)
      yield* Effect.raceFirst(read, gone.pipe(Effect.andThen(kill(-child.pid)), Effect.andThen(silent)))
      const { exitCode } = yield* gone
      return {
        exitCode,
        stdout: stdout.bytes(),
        stderr: new TextDecoder().decode(stderr.bytes()),
        truncated: stdout.isOver
      }
    }),
    end
  ).pipe(
    Effect.catchTag("StartFailed", ({ message }) => Effect.fail(new ProcessRunner.SpawnFailed({ program, message })))
  )

/** Returns the first `maxBytes` of a stream, which is read to its end. */
class Taken {
  readonly #kept: Array<Uint8Array> = []
  readonly #maxBytes: number
  #bytes = 0
  pieces = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get isOver(): boolean {
    return this.#bytes > this.#maxBytes
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#kept)
  }

  /** `onOver` runs once, if the stream is longer. */
  readonly from = Effect.fnUntraced(function* (this: Taken, stream: Readable, onOver: Effect.Effect<void>) {
    while (true) {
      const piece = yield* next(stream)
      if (piece === null) return
      this.pieces++
      const wasOver = this.isOver
      if (!wasOver) this.#kept.push(piece.subarray(0, this.#maxBytes - this.#bytes))
      this.#bytes += piece.length
      if (this.isOver && !wasOver) yield* onOver
    }
  })
}

const end = (child: ChildProcess): Effect.Effect<void> =>
  Effect.andThen(
    kill(-child.pid),
    Effect.promise(() => child.ended)
  ).pipe(Effect.andThen(OwnerWatch.dismiss(child)), Effect.andThen(Effect.sync(child.release)))

/** Runs programs over `node:child_process` without confinement, so it is only for our own programs and arguments. */
export const layer: Layer.Layer<ProcessRunner.ProcessRunner> = Layer.succeed(ProcessRunner.ProcessRunner, { run })
