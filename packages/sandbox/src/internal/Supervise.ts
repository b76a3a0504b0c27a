/**
 * Supervises a child process from start to end: output is streamed and bounded, time is limited, and no process is left
 * when it returns.
 */
import { type Execution, PausableTimeout } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Readable } from "node:stream"
import { BoundedOutput } from "../BoundedOutput.ts"
import type { StreamRedaction } from "../CommandVault.ts"
import { type ChildProcess, type ProcessEnd, next } from "./ChildProcess.ts"
import * as OwnerWatch from "./OwnerWatch.ts"
import * as TimeLimit from "./TimeLimit.ts"
import { silence } from "./WaitForQuiet.ts"

export interface Attendance extends Pick<Execution.RunOptions, "onOutput" | "timeoutMillis"> {
  /** Redacts values in a stream of output before any other code reads it; absent: nothing is redacted. */
  readonly hiding?: () => StreamRedaction | null
  /** The number of bytes that are stored of each stream. */
  readonly maxOutputBytes: number
  /** Kills the remaining processes. `report`: the data from descriptor 3 so far. */
  readonly kill: (child: ChildProcess, report: string) => Effect.Effect<void>
  /** Pauses: the time limit is paused while one is open. */
  readonly pauses?: PausableTimeout.Pauses
  /** Lets the child continue once it is ready; `report` is its output so far. */
  readonly admit?: (child: ChildProcess, report: () => string) => Effect.Effect<void>
  /** Waits until no process is left, after the child itself has ended. `report` is complete. */
  readonly settle?: (report: string, child: ChildProcess) => Effect.Effect<void>
}

/** `report` is the data from descriptor 3. */
export type Outcome = ProcessEnd & Omit<Execution.RunResult, keyof ProcessEnd> & { readonly report: string }

const reportBytes = 4096

/** Starts and supervises a child, which has been killed and has settled when this returns. */
export const attend = Effect.fnUntraced(function* <E>(start: Effect.Effect<ChildProcess, E>, attendance: Attendance) {
  const {
    admit,
    hiding,
    kill,
    maxOutputBytes,
    onOutput,
    pauses = PausableTimeout.make(),
    settle,
    timeoutMillis
  } = attendance
  const startedNanos = yield* Clock.monotonicTimeNanos
  const elapsed = Effect.map(Clock.monotonicTimeNanos, (now) => Number((now - startedNanos) / 1_000_000n))
  const stdout = new StreamReader(maxOutputBytes, onOutput && ((text) => onOutput("stdout", text)), hiding?.() ?? null)
  const stderr = new StreamReader(maxOutputBytes, onOutput && ((text) => onOutput("stderr", text)), hiding?.() ?? null)
  const report = new StreamReader(reportBytes, undefined, null)
  const readings = [stdout, stderr, report]
  const supervised = Effect.acquireUseRelease(
    start,
    (child) => {
      const streams = [child.stdout, child.stderr, child.third]
      const drained = readings.map((reading, at) => reading.drain(streams[at]))
      const read = Effect.all(drained, { concurrency: "unbounded", discard: true })
      const processEnd = Effect.promise(() => child.ended)
      const outputEnd = Effect.raceFirst(
        read,
        Effect.andThen(
          processEnd,
          silence(() => events(readings))
        )
      )
      const admitted =
        admit === undefined
          ? []
          : [
              Effect.andThen(
                admit(child, () => report.output.text()),
                Effect.never
              )
            ]
      return Effect.andThen(Effect.raceAllFirst([outputEnd, ...admitted]), processEnd)
    },
    Effect.fnUntraced(function* (child) {
      yield* kill(child, report.output.text())
      yield* Effect.promise(() => child.ended)
      const reported = Effect.raceFirst(
        report.drain(child.third),
        silence(() => events([report]))
      )
      const settled =
        settle === undefined ? reported : Effect.andThen(reported, () => settle(report.output.text(), child))
      yield* Effect.all([settled, OwnerWatch.dismiss(child)], { concurrency: 2, discard: true })
      child.release()
    })
  )
  const ended = yield* timeoutMillis === undefined
    ? supervised
    : Effect.raceFirst(
        supervised,
        Effect.andThen(PausableTimeout.sleep(pauses, timeoutMillis), elapsed).pipe(
          Effect.flatMap((elapsedMillis) => {
            const soFar = [stdout, stderr].map((reading) => reading.text())
            return Effect.fail(TimeLimit.timeoutError(elapsedMillis, soFar))
          })
        )
      )
  const outcome: Outcome = {
    ...ended,
    stdout: stdout.text(),
    stderr: stderr.text(),
    omittedBytes: stdout.output.omittedBytes + stderr.output.omittedBytes,
    elapsedMillis: yield* elapsed,
    report: report.output.text()
  }
  return outcome
})

const events = (readings: ReadonlyArray<StreamReader>): number =>
  readings.reduce((sum, reading) => sum + reading.events(), 0)

/** One stream while it is read. */
class StreamReader {
  readonly output: BoundedOutput
  readonly onText: ((text: string) => Effect.Effect<void>) | undefined
  readonly hiding: StreamRedaction | null
  readonly decoder = new TextDecoder()
  #pieces = 0
  #takes = 0
  #isTaking = false

  constructor(
    maxBytes: number,
    onText: ((text: string) => Effect.Effect<void>) | undefined,
    hiding: StreamRedaction | null
  ) {
    this.output = new BoundedOutput(maxBytes)
    this.onText = onText
    this.hiding = hiding
  }

  /** Returns all output that may be shown. Stops reading a stream that other processes keep open. */
  text(): string {
    if (this.hiding !== null) this.output.push(Buffer.from(this.hiding.end(), "utf8"))
    return this.output.text()
  }

  /** Returns a count that changes with every event, and while a piece is being processed. */
  events(): number {
    if (this.#isTaking) this.#takes++
    return this.#pieces + this.#takes
  }

  readonly drain = Effect.fnUntraced(function* (this: StreamReader, stream: Readable | null) {
    if (stream === null) return
    while (true) {
      const piece = yield* next(stream)
      this.#pieces++
      this.#isTaking = true
      if (this.hiding === null && piece !== null) this.output.push(piece)
      if (this.hiding !== null || this.onText !== undefined) {
        const text = this.#shown(piece === null ? this.decoder.decode() : this.decoder.decode(piece, { stream: true }))
        const rest = piece === null ? (this.hiding?.end() ?? "") : ""
        if (this.hiding !== null) this.output.push(Buffer.from(text + rest, "utf8"))
        if (this.onText !== undefined && text + rest !== "") yield* this.onText(text + rest)
      }
      this.#isTaking = false
      if (piece === null) return
    }
  })

  #shown(text: string): string {
    return this.hiding === null ? text : this.hiding.push(text)
  }
}
