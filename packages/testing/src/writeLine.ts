/**
 * Writes a line to standard output before it returns. The pipe to a test is non-blocking: if a program writes faster
 * than the test reads, this function waits for space.
 */
import * as Result from "effect/Result"
import { writeSync } from "node:fs"

const sleeper = new Int32Array(new SharedArrayBuffer(4))

const isFull = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EAGAIN"

export const writeLine = (line: string): void => {
  let rest = Buffer.from(`${line}\n`)
  while (rest.length > 0) {
    const written = Result.try(() => writeSync(1, rest))
    if (Result.isSuccess(written)) rest = rest.subarray(written.success)
    else if (isFull(written.failure)) Atomics.wait(sleeper, 0, 0, 1)
    else throw written.failure
  }
}
