import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, readFileSync, rmdirSync } from "node:fs"
import { constants } from "node:os"
import * as SystemError from "../src/SystemError.ts"

describe("SystemError", () => {
  it.effect("says why a call was refused and for which path, without the code", () =>
    Effect.gen(function* () {
      const missing = yield* Effect.flip(SystemError.attempt(() => readFileSync("/nope/a.txt")))
      assert.deepStrictEqual(
        [missing._tag, missing.code, missing.path, missing.message],
        ["SystemError", "ENOENT", "/nope/a.txt", "there is no file or directory /nope/a.txt"]
      )
      const reasonOf = (work: () => unknown) =>
        Effect.map(Effect.flip(SystemError.attempt(work)), ({ message }) => message)
      assert.strictEqual(yield* reasonOf(() => readFileSync("/")), "it is a directory, not a file")
      assert.strictEqual(yield* reasonOf(() => rmdirSync("/usr")), "the directory /usr is not empty")
      assert.strictEqual(yield* reasonOf(() => mkdirSync("/nope/a")), "no directory can be created at /nope/a")
    })
  )

  it("keeps a text that is not a failed call unchanged", () => {
    assert.strictEqual(SystemError.reason(new Error("it is not a directory")), "it is not a directory")
    assert.strictEqual(SystemError.reason("EPIPE"), "EPIPE")
    assert.strictEqual(SystemError.toSystemError(null).code, "")
    assert.strictEqual(SystemError.reason(new Error("ESRCH: no such process, kill")), "no such process")
  })

  it("has no code in any of its messages", () => {
    const codes = Object.keys(constants.errno)
    const sentences = codes.flatMap((code) => [SystemError.words(code, null), SystemError.words(code, "x")])
    assert.isAbove(sentences.filter((words) => words !== null).length, 30)
    assert.deepStrictEqual(
      sentences.filter((words) => words !== null && /\bE[A-Z]{3,}/.test(words)),
      []
    )
  })
})
