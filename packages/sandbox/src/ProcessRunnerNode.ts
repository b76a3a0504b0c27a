/** ProcessRunner over Node's child processes: a group each, killed at the end; output beyond the bound ends it. */
import { ProcessRunner } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Readable } from "node:stream"
import { type ChildProcess, kill, next, start } from "./internal/ChildProcess.ts"

const stderrBytes = 65_536

const run: ProcessRunner.ProcessRunner["Service"]["run"] = ({ maxOutputBytes, program, ...rest }) =>
  Effect.acquireUseRelease(
    start({ program, ...rest }),
    Effect.fnUntraced(function* (child) {
      const [stdout, stderr] = yield* Effect.all(
        [taken(child.stdout, maxOutputBytes, kill(-child.pid)), taken(child.stderr, stderrBytes, Effect.void)],
        { concurrency: 2 }
      )
      const { exitCode } = yield* Effect.promise(() => child.ended)
      return {
        exitCode,
        stdout: stdout.bytes,
        stderr: new TextDecoder().decode(stderr.bytes),
        truncated: stdout.full
      }
    }),
    end
  ).pipe(
    Effect.catchTag("StartFailed", ({ message }) => Effect.fail(new ProcessRunner.SpawnFailed({ program, message })))
  )

/** The first `maxBytes` of a stream, which is read to its end; `onFull` when there is more. */
const taken = Effect.fnUntraced(function* (stream: Readable, maxBytes: number, onFull: Effect.Effect<void>) {
  const pieces: Array<Uint8Array> = []
  let bytes = 0
  let full = false
  while (true) {
    const piece = yield* next(stream)
    if (piece === null) return { bytes: Buffer.concat(pieces), full }
    if (bytes < maxBytes) pieces.push(piece.subarray(0, maxBytes - bytes))
    bytes += piece.length
    if (bytes > maxBytes && !full) yield* onFull
    full = bytes > maxBytes
  }
})

const end = (child: ChildProcess): Effect.Effect<void> =>
  Effect.andThen(
    kill(-child.pid),
    Effect.promise(() => child.ended.then(child.release))
  )

export const layer: Layer.Layer<ProcessRunner.ProcessRunner> = Layer.succeed(ProcessRunner.ProcessRunner, { run })
