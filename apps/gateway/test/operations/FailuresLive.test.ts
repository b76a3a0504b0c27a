/** Problems for failures without a route, made from real errors of the system. */
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import { writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as FailuresLive from "../../src/operations/FailuresLive.ts"

const errorOf = (run: () => void): unknown => {
  const result = Result.try({ try: run, catch: (error) => error })
  return Result.isFailure(result) ? result.failure : assert.fail("it succeeds")
}

/** The error of a database that may not grow. */
const fullDatabase = () => {
  const database = new DatabaseSync(":memory:")
  database.exec("PRAGMA max_page_count = 2; CREATE TABLE rows (text TEXT)")
  const error = errorOf(() => database.exec("INSERT INTO rows VALUES (zeroblob(100000))"))
  database.close()
  return new SqlError({ reason: classifySqliteError(error, { message: "full", operation: "execute" }) })
}

const statusOf = (error: unknown) =>
  Effect.map(FailuresLive.fromCause(Cause.die(error)), (problem) => [problem.code, problem.recoverable] as const)

describe("a failure without a route", () => {
  it.effect("of a full disk or database can be retried, and one of a bug cannot", () =>
    Effect.gen(function* () {
      const device = errorOf(() => writeFileSync("/dev/full", "text"))
      for (const error of [fullDatabase(), device, new Error("outer", { cause: device })]) {
        assert.deepStrictEqual(yield* statusOf(error), ["store_unavailable", true])
      }
      const circle: { cause?: unknown } = {}
      circle.cause = circle
      const missing = errorOf(() => writeFileSync("/missing/file", "text"))
      for (const error of [new Error("a bug"), missing, circle, null]) {
        assert.deepStrictEqual(yield* statusOf(error), ["internal_error", false])
      }
    })
  )
})
