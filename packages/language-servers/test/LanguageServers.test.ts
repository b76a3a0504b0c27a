/** Servers that misbehave, end, or are missing: limits, refusals and restarts. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as World from "./World.ts"

const files = { "a.txt": "one two\n", "b.txt": "three\n" }
const at = { line: 1, column: 1 }
const messageOf = (effect: Effect.Effect<unknown, { readonly message: string }>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

describe("LanguageServers", () => {
  it.live("drops places outside of the workspace and invalid ones, and limits their number", () =>
    Effect.gen(function* () {
      const { service } = yield* World.open([World.scripted("replies")], files)
      const { items, omitted } = yield* service.definition("a.txt", at)
      assert.deepStrictEqual(items, [{ path: "a.txt", line: 1, column: 1, endLine: 1, endColumn: 4 }])
      assert.strictEqual(omitted, 9)
      const references = yield* service.references("a.txt", at)
      assert.deepStrictEqual([references.items.length, references.omitted], [1000, 4000])
      const hover = (yield* service.hover("a.txt", at)) ?? ""
      assert.isTrue(hover.startsWith("]0;titleseen"), hover.slice(0, 20))
      assert.isBelow(hover.length, 17_000)
      const symbols = yield* service.symbols("a.txt")
      assert.strictEqual(symbols.items.length, 20)
      assert.isAbove(symbols.omitted, 0)
      assert.deepInclude(symbols.items[0] ?? {}, { kind: "symbol", path: "a.txt" })
    })
  )

  it.live("refuses a rename that leads outside, moves files, overlaps or is empty", () =>
    Effect.gen(function* () {
      const { service } = yield* World.open([World.scripted("replies")], files)
      const why = (name: string) => messageOf(service.rename("a.txt", at, name))
      assert.include(yield* why("outside"), "outside the workspace: file:///etc/passwd")
      assert.include(yield* why("moves"), "more than edit text")
      assert.include(yield* why("overlap"), "overlap")
      assert.include(yield* why("nothing"), "nothing can be renamed there")
    })
  )

  it.live("ends a server that writes no valid messages, or one that is too large", () =>
    Effect.gen(function* () {
      for (const [manner, why] of [
        ["noise", "not the language server protocol"],
        ["huge", "more than 33554432 bytes"]
      ] as const) {
        const { running, service } = yield* World.open([World.scripted(manner)], files)
        assert.include(yield* messageOf(service.hover("a.txt", at)), why)
        yield* Effect.promise(() => ended(running))
      }
    })
  )

  it.live("takes each answer for its own request alone, once, whatever else the server sends", () =>
    Effect.gen(function* () {
      const { service, started } = yield* World.open([World.scripted("wrong")], files)
      for (let round = 0; round < 3; round++) {
        assert.include(yield* service.hover("a.txt", at), "seen")
        assert.strictEqual((yield* service.references("a.txt", at)).omitted, 4000)
      }
      assert.strictEqual(started(), 1)
    })
  )

  it.live("answers the permitted requests of a server, and lets it change nothing", () =>
    Effect.gen(function* () {
      const log = join(yield* World.temporary, "log")
      const server = { ...World.scripted("asks", log), settings: { python: { analysis: { mode: "strict" } } } }
      const { service } = yield* World.open([server], files)
      // The answers of the first round arrive before the second.
      for (let round = 0; round < 3; round++) assert.isNotNull(yield* service.hover("a.txt", at))
      const logText = readFileSync(log, "utf8")
        .trim()
        .split("\n")
        .map((line): Record<string, unknown> => JSON.parse(line))
      const answer = (id: string) => logText.find((message) => message["id"] === id)
      assert.deepStrictEqual(answer("a")?.["result"], [{ mode: "strict" }, null])
      assert.deepInclude(answer("b")?.["result"] ?? {}, { applied: false })
      assert.property(answer("c"), "error")
    })
  )

  it.live("notifies a server of each change with a version, also of files that it has not opened", () =>
    Effect.gen(function* () {
      const log = join(yield* World.temporary, "log")
      const { afterWrite, service, write } = yield* World.open([World.scripted("replies", log)], files)
      yield* service.hover("a.txt", at)
      yield* service.hover("a.txt", at)
      write("a.txt", "changed by a command\n")
      yield* service.hover("a.txt", at)
      write("b.txt", "written by a tool\n")
      assert.isNull(yield* afterWrite("b.txt"))
      const logText = readFileSync(log, "utf8")
      const versions = [...logText.matchAll(/"method":"textDocument\/(did\w+)".*?"version":(\d+)/gu)]
      assert.deepStrictEqual(
        versions.map(([, method, version]) => `${method} ${version}`),
        ["didOpen 1", "didChange 2", "didOpen 1"]
      )
      assert.match(logText, /didChangeWatchedFiles.*b\.txt","type":1/u)
      assert.include(logText, "changed by a command")
    })
  )

  it.live("waits for the complete report of a server that publishes diagnostics itself, in parts and late", () =>
    Effect.gen(function* () {
      const { afterWrite, service, write } = yield* World.open([World.scripted("pushes")], files)
      const { isComplete, problems } = yield* service.diagnostics("a.txt")
      assert.deepStrictEqual([isComplete, problems.map(({ message }) => message)], [true, ["problem of version 1"]])
      // Nothing has changed since.
      assert.deepStrictEqual((yield* service.diagnostics("a.txt")).problems, problems)
      write("a.txt", "other\n")
      assert.strictEqual(
        yield* afterWrite("a.txt"),
        "[scripted: a.txt has 1 new problem; 1 gone, 1 left]\na.txt:1:1 error 1: problem of version 2"
      )
    })
  )

  it.live(
    "keeps nothing of a server that sends notifications without pause, and hears its answers",
    () =>
      Effect.gen(function* () {
        const { service } = yield* World.open([World.scripted("floods")], files)
        // Each answer arrives behind some thousand notifications.
        for (let round = 0; round < 300; round++) assert.isNotNull(yield* service.hover("a.txt", at))
      }),
    thoroughOnly
  )

  it.live("restarts a server that has ended, and pauses if it ends again and again", () =>
    Effect.gen(function* () {
      const { service, started } = yield* World.open([World.scripted("dies")], files)
      const hover = () => messageOf(service.hover("a.txt", at))
      assert.include(yield* hover(), "exit code 7")
      // The server still answers other requests.
      assert.strictEqual((yield* service.definition("a.txt", at)).items.length, 1)
      assert.strictEqual(started(), 2)
      assert.include(yield* hover(), "exit code 7")
      assert.match(yield* hover(), /failed 2 times in a row and may be started again in \d+ s: .*exit code 7/u)
      assert.strictEqual(started(), 2)
    })
  )

  it.live("says why a server does not start, and what to do if there is none", () =>
    Effect.gen(function* () {
      const { service } = yield* World.open([World.scripted("refuses")], files)
      const failure = yield* Effect.flip(service.hover("a.txt", at))
      assert.include(failure.message, "did not start: its process ended with exit code 3: no licence for [31mthis")
      assert.include(JSON.stringify(failure), "scripted.mjs refuses")
      assert.include(yield* messageOf(service.hover("main.go", at)), "go install golang.org/x/tools/gopls@latest")
      assert.include(yield* messageOf(service.hover("notes.xyz", at)), "none is known for such files")
    })
  )

  it.live("ends its processes with its scope", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { running, service } = yield* World.open([World.scripted("replies")], files).pipe(
        Effect.provideService(Scope.Scope, scope)
      )
      yield* service.hover("a.txt", at)
      assert.strictEqual(running.size, 1)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(running.size, 0)
    })
  )
})

/** A killed process disappears a moment later. */
const ended = async (running: ReadonlySet<unknown>): Promise<void> => {
  while (running.size > 0) await sleep(5)
}
