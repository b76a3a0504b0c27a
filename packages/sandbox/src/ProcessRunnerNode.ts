/**
 * ProcessRunner over Node's child processes. Each is killed at its end, with this process, or after too much output: a
 * program that starts no process alone, any other with its own process group.
 */
import { ProcessRunner } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Readable } from "node:stream"
import { type ChildProcess, ignore, start, type StartFailed } from "./internal/ChildProcess.ts"
import * as OwnerWatch from "./internal/OwnerWatch.ts"
import * as PreparedShell from "./internal/PreparedShell.ts"
import { silence } from "./internal/WaitForQuiet.ts"

const stderrBytes = 65_536

type Run = ProcessRunner.ProcessRunner["Service"]["run"]

/** `preparesShell`: a shell may wait for the next program, see `PreparedShell`. */
const makeRun =
  (preparesShell: boolean): Run =>
  ({ input, startsNoProcess = false, maxOutputBytes, onOutput = ignore, program, ...rest }) => {
    const usesShell = preparesShell && startsNoProcess
    return Effect.acquireUseRelease(
      startProgram({ program, input, startsNoProcess, usesShell, ...rest }),
      Effect.fnUntraced(function* (child) {
        const stdout = new StreamHead(maxOutputBytes, onOutput)
        const stderr = new StreamHead(stderrBytes, ignore)
        const gone = Effect.promise(() => child.ended)
        const read = Effect.all([stdout.from(child.stdout, child.kill), stderr.from(child.stderr, Effect.void)], {
          concurrency: 2
        })
        // A process in a session of its own may keep a pipe open forever.
        const silent = silence(() => stdout.pieces + stderr.pieces)
        yield* Effect.raceFirst(read, gone.pipe(Effect.andThen(child.kill), Effect.andThen(silent)))
        const { exitCode } = yield* gone
        return {
          exitCode,
          stdout: stdout.bytes(),
          stderr: new TextDecoder().decode(stderr.bytes()),
          truncated: stdout.isOver
        }
      }),
      (child) => Effect.andThen(dismissed(child), usesShell ? PreparedShell.prepareSoon : Effect.void)
    ).pipe(
      Effect.catchTag("StartFailed", ({ message }) => Effect.fail(new ProcessRunner.SpawnFailed({ program, message })))
    )
  }

interface WantedProgram extends Pick<ProcessRunner.HelperCommand, "args" | "cwd" | "env" | "program"> {
  readonly input: Uint8Array | undefined
  readonly startsNoProcess: boolean
  readonly usesShell: boolean
}

const startProgram = Effect.fnUntraced(function* ({
  input,
  startsNoProcess,
  usesShell,
  ...command
}: WantedProgram): Effect.fn.Return<ChildProcess, StartFailed> {
  const isPlain = input === undefined && Object.keys(command.env).length === 0
  const prepared = usesShell && isPlain ? yield* PreparedShell.execCommand(command) : null
  if (prepared !== null) return prepared
  const watched = startsNoProcess ? OwnerWatch.inSession : OwnerWatch.asOrphan
  const child = yield* start(yield* watched({ ...command, ...(input === undefined ? {} : { input: "pipe" }) }))
  child.stdin?.end(input)
  if (usesShell) yield* PreparedShell.prepare
  return child
})

/** Returns the first `maxBytes` of a stream, which is read to its end. */
class StreamHead {
  readonly #kept: Array<Uint8Array> = []
  readonly #maxBytes: number
  readonly #onKept: (piece: Uint8Array) => void
  #bytes = 0
  pieces = 0

  constructor(maxBytes: number, onKept: (piece: Uint8Array) => void) {
    this.#maxBytes = maxBytes
    this.#onKept = onKept
  }

  get isOver(): boolean {
    return this.#bytes > this.#maxBytes
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#kept)
  }

  #keep(piece: Uint8Array): void {
    this.#kept.push(piece)
    this.#onKept(piece)
  }

  /**
   * Takes pieces as they arrive, since a program may write hundreds of small ones. `onOver` runs once, when the stream
   * is longer; the rest is then read and dropped.
   */
  readonly from = (stream: Readable, onOver: Effect.Effect<void>): Effect.Effect<void> =>
    Effect.callback((resume) => {
      const take = (piece: Uint8Array): void => {
        this.pieces++
        const wasOver = this.isOver
        if (!wasOver) this.#keep(piece.subarray(0, this.#maxBytes - this.#bytes))
        this.#bytes += piece.length
        if (this.isOver && !wasOver) done(Effect.andThen(onOver, this.from(stream, Effect.void)))
      }
      const release = (): void => {
        stream.off("data", take)
        for (const event of ends) stream.off(event, end)
      }
      const done = (then: Effect.Effect<void>): void => {
        release()
        resume(then)
      }
      const end = (): void => done(Effect.void)
      for (const event of ends) stream.on(event, end)
      stream.on("data", take)
      if (stream.readableEnded || stream.destroyed) end()
      return Effect.sync(release)
    })
}

/** The events at the end of a stream. */
const ends = ["end", "close", "error"]

/** Kills the process or its group. Does not wait for the watcher's end. */
const dismissed = (child: ChildProcess): Effect.Effect<void> =>
  Effect.andThen(
    child.kill,
    Effect.promise(() => child.ended)
  ).pipe(Effect.andThen(Effect.sync(child.release)))

/** Runs programs over `node:child_process` without confinement, so it is only for Bough's programs and arguments. */
export const layer: Layer.Layer<ProcessRunner.ProcessRunner> = Layer.succeed(ProcessRunner.ProcessRunner, {
  run: makeRun(true)
})

/** As `layer`, but no process waits for the next program: for code that counts the handles of a call. */
export const layerWithoutWaiting: Layer.Layer<ProcessRunner.ProcessRunner> = Layer.succeed(
  ProcessRunner.ProcessRunner,
  { run: makeRun(false) }
)
