/** Handlers that are generators or thenables: their progress, their end, and their errors. */
import { Tool, ToolPack } from "@bough/tool"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { z } from "zod"
import { open } from "../src/index.ts"

let root = ""
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bough-generators-"))
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

const facts = { description: "Counts", version: 1, tier: "ReadOnly", replay: "Safe", capabilities: [] } as const

const boom = () => {
  throw new Error("boom")
}

// oxlint-disable-next-line unicorn/no-thenable -- what awaits it is tested
const thenable = (then: PropertyDescriptor) => Object.defineProperty({}, "then", then)

describe("a handler of Tool.fromAsync", () => {
  const calling = async (execute: () => unknown): Promise<string> => {
    const tool = Tool.fromAsync("odd", {
      ...facts,
      timeoutMillis: 100,
      parameters: z.object({}),
      output: z.object({}),
      execute: execute as never
    })
    await using opened = await open(ToolPack.make(tool), { root })
    return JSON.stringify(await opened.odd())
  }

  it("lets timers and other work run while a generator yields without waiting", async () => {
    const timer = { hasFired: false }
    const result = calling(async function* () {
      setTimeout(() => (timer.hasFired = true))
      for (let line = 0; line < 3_000_000 && !timer.hasFired; line++) yield "line"
      return { output: {}, display: timer.hasFired ? "others ran" : "others waited" }
    })
    assert.include(await result, "others ran")
  })

  it("ends an endless generator by its timeout", async () => {
    let isClosed = false
    const result = calling(async function* () {
      try {
        for (let line = 0; line < 3_000_000; line++) yield "line"
      } finally {
        isClosed = true
      }
      return { output: {}, display: "" }
    })
    assert.include(await result, '"_tag":"Timeout"')
    assert.isTrue(isClosed)
  })

  const generator =
    (next: unknown, more: object = {}) =>
    () => ({
      [Symbol.asyncIterator]() {
        return this
      },
      next,
      ...more
    })

  it.each<[what: string, execute: () => unknown, says: string]>([
    [
      "throws",
      async function* () {
        yield "a"
        throw new Error("boom")
      },
      '"message":"boom"'
    ],
    [
      "returns nothing",
      async function* () {
        yield "a"
      },
      "it returned undefined"
    ],
    [
      "yields what has no words",
      async function* () {
        yield Object.create(null)
      },
      "ExecutionError"
    ],
    ["is not to be closed", generator(() => new Promise(() => {})), '"_tag":"Timeout"'],
    [
      "throws when it is closed",
      generator(() => new Promise(() => {}), {
        return: () => {
          throw new Error("open")
        }
      }),
      '"_tag":"Timeout"'
    ],
    ["has no steps", generator(async () => 3), "next() returned no step"],
    ["has steps that are null", generator(async () => null), "next() returned no step"],
    ["never settles, as a thenable", () => thenable({ value: () => {} }), '"_tag":"Timeout"'],
    ["is a thenable that throws", () => thenable({ get: boom }), '"message":"boom"'],
    [
      "is a generator without async",
      function* () {
        yield "a"
      },
      "an object without output"
    ]
  ])("reports the error of a handler that %s", async (_, execute, says) => {
    assert.include(await calling(execute), says)
  })
})
