/** Questions about the whole project wait for servers that answer before they have found its files. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as ProjectLoading from "../src/client/ProjectLoading.ts"

const isFound = (messages: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const loading = ProjectLoading.make()
    messages.forEach(loading.log)
    const fiber = yield* Effect.forkChild(loading.found, { startImmediately: true })
    const found = fiber.pollUnsafe() !== undefined
    yield* Fiber.interrupt(fiber)
    return found
  })

const start = "Pyright language server 1.1.414 starting"

describe("ProjectLoading", () => {
  it.effect.each([
    [[], true],
    [["gopls is ready"], true],
    [[start], false],
    [["basedpyright language server 1.31.0 starting", "Assuming Python version 3.11"], false],
    [[start, "Found 2 source files"], true],
    [[start, "Found 1 source file"], true],
    [[start, "No source files found."], true]
  ] as const)("after the messages %j: %s", ([messages, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* isFound(messages), expected)
    })
  )

  it("concerns uses, renames and symbols of the project", () => {
    const methods = ["references", "rename", "hover", "documentSymbol"].map((name) => `textDocument/${name}`)
    assert.deepStrictEqual([...methods, "workspace/symbol"].filter(ProjectLoading.concernsProject), [
      "textDocument/references",
      "textDocument/rename",
      "workspace/symbol"
    ])
  })
})
