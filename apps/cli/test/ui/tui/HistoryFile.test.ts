/** HistoryFile: messages of several processes are read back complete, the file is private, and its size is bounded. */
import * as History from "@bough/tui/editor/History"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { thoroughOnly } from "../../../../../test/thorough.ts"
import * as HistoryFile from "../../../src/ui/tui/HistoryFile.ts"

const inFolder = <A, E>(use: (dataDirectory: string) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-history-"))),
    use,
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

const at = (dataDirectory: string, workspaceRoot = "/work") => HistoryFile.make({ dataDirectory, workspaceRoot })

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const run = promisify(execFile)
const program = join(import.meta.dirname, "appendHistory.ts")

describe("HistoryFile", () => {
  it.effect("returns the messages, oldest first, of its own project alone", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const sent = ["one", "two\nlines", "\u001B[31m \u2028 “three”", "two\nlines"]
        for (const text of sent) yield* at(folder).append(text)
        yield* at(folder, "/other").append("elsewhere")
        assert.deepStrictEqual(yield* at(folder).load, sent)
        assert.deepStrictEqual(yield* at(folder, "/new").load, [])
      })
    )
  )

  it.effect("removes texts for good, and no others", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const sent = ["grüße an zebrawood", "stays", "zebrawood\ntwo", "zebrawood", "zebrawood and more"]
        for (const text of sent) yield* at(folder).append(text)
        yield* at(folder).forget(new Set(["grüße an zebrawood", "zebrawood\ntwo", "zebrawood"]))
        assert.deepStrictEqual(yield* at(folder).load, ["stays", "zebrawood and more"])
        yield* at(folder).append("later")
        assert.deepStrictEqual(yield* at(folder).load, ["stays", "zebrawood and more", "later"])
        const [file = ""] = filesIn(folder)
        assert.lengthOf(readFileSync(file, "utf8").match(/zebrawood/gu) ?? [], 1)
        yield* at(folder, "/none").forget(new Set(["x"]))
        assert.lengthOf(filesIn(folder), 1)
      })
    )
  )

  it.effect("is readable only by its owner", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        yield* at(folder).append("a secret")
        const [file = ""] = filesIn(folder)
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        assert.strictEqual(statSync(join(file, "..")).mode & 0o777, 0o700)
      })
    )
  )

  it.live(
    "loses no message of two processes that append at once",
    () =>
      inFolder((folder) =>
        Effect.gen(function* () {
          const count = 400
          yield* Effect.promise(() =>
            Promise.all(["a", "b"].map((name) => run(process.execPath, [program, folder, "/work", name, `${count}`])))
          )
          const entries = yield* at(folder).load
          for (const name of ["a", "b"]) {
            assert.deepStrictEqual(
              entries.filter((entry) => entry.startsWith(`${name} `)).map((entry) => entry.split(" ")[1]),
              Array.from({ length: count }, (_, index) => `${index}`)
            )
          }
        })
      ),
    thoroughOnly
  )

  it.effect("skips a torn line, and starts a new one after it", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        yield* at(folder).append("before")
        const [file = ""] = filesIn(folder)
        appendFileSync(file, '{"v":1,"text":"to')
        assert.deepStrictEqual(yield* at(folder).load, ["before"])
        yield* at(folder).append("after")
        assert.deepStrictEqual(yield* at(folder).load, ["before", "after"])
      })
    )
  )

  it.effect("skips lines of other formats", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        yield* at(folder).append("before")
        const [file = ""] = filesIn(folder)
        appendFileSync(file, '\u0000\nnull\n{"v":2,"text":"later"}\n{"v":1,"text":3}\n')
        yield* at(folder).append("after")
        assert.deepStrictEqual(yield* at(folder).load, ["before", "after"])
      })
    )
  )

  it.effect("stays bounded, in the file and in its reads", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const long = "x".repeat(60_000)
        for (let index = 0; index < 120; index++) yield* at(folder).append(`${index} ${long}`)
        yield* at(folder).append("y".repeat(HistoryFile.longestBytes + 1))
        const bytes = filesIn(folder).reduce((sum, file) => sum + statSync(file).size, 0)
        assert.isBelow(bytes, 2_500_000)
        const entries = yield* at(folder).load
        assert.isAbove(entries.length, 10)
        assert.strictEqual(entries.at(-1)?.split(" ")[0], "119")
        for (let index = 0; index < History.maxEntries + 10; index++) yield* at(folder).append(`short ${index}`)
        assert.strictEqual((yield* at(folder).load).length, History.maxEntries)
      })
    )
  )

  it.effect("reports an error if it cannot be saved", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        writeFileSync(join(folder, "history"), "in the way")
        const failed = yield* Effect.flip(at(folder).append("x"))
        assert.strictEqual(failed._tag, "HistoryFailed")
        assert.include(failed.message, join(folder, "history"))
        rmSync(join(folder, "history"))
        mkdirSync(join(folder, "history"))
        yield* at(folder).append("x")
        assert.deepStrictEqual(yield* at(folder).load, ["x"])
      })
    )
  )
})
