/** Tests of the files that a rename plans: edits that do not match the current text change nothing. */
import { ProcessRunnerNode } from "@bough/sandbox"
import { Capability, type CodeIntelligence } from "@bough/tool"
import { Workspace } from "@bough/workspace"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { plan } from "../src/internal/renaming.ts"

const planIn = Effect.fnUntraced(function* (
  files: Readonly<Record<string, string | Uint8Array>>,
  edits: ReadonlyArray<CodeIntelligence.FileEdit>
) {
  const root = yield* Effect.acquireRelease(
    Effect.sync(() => fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "bough-rename-")))),
    (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
  )
  for (const [name, content] of Object.entries(files)) fs.writeFileSync(join(root, name), content)
  const workspace = yield* Effect.provide(Workspace.make({ root }), ProcessRunnerNode.layer)
  return yield* Effect.provideService(
    plan(edits, { name: "old", newName: "fresh" }),
    Capability.WorkspaceRead,
    workspace.read([])
  )
})

const edit = (line: number, column: number, newText = "fresh", length = 3): CodeIntelligence.TextEdit => ({
  line,
  column,
  endLine: line,
  endColumn: column + length,
  newText
})

describe("a rename", () => {
  it.live("keeps line endings, the byte order mark and everything beside the name", () =>
    Effect.gen(function* () {
      const [file] = yield* planIn({ "a.ts": "\uFEFFold(old)\r\n\r\nold\r\n" }, [
        { path: "a.ts", edits: [edit(1, 1), edit(1, 5), edit(3, 1, "old: fresh")] }
      ])
      assert.strictEqual(Buffer.from(file?.content ?? []).toString(), "\uFEFFfresh(fresh)\r\n\r\nold: fresh\r\n")
      assert.deepStrictEqual(file?.lines, [
        { line: 1, before: "old(old)", after: "fresh(fresh)" },
        { line: 3, before: "old", after: "old: fresh" }
      ])
    })
  )

  it.live.each(["fresh as old", "old as fresh", "old: fresh", "fresh=fresh", 'fresh "', ".fresh"])(
    "writes the new name beside the old one, as in %j",
    (written) =>
      Effect.gen(function* () {
        const [file] = yield* planIn({ "a.ts": "old\n" }, [{ path: "a.ts", edits: [edit(1, 1, written)] }])
        assert.strictEqual(Buffer.from(file?.content ?? []).toString(), `${written}\n`)
      })
  )

  it.live.each<readonly [string, CodeIntelligence.TextEdit]>([
    ["code after the name", edit(1, 1, "fresh; evil()")],
    ["code instead of the name", edit(1, 1, "evil")],
    ["a call", edit(1, 1, "fresh()")],
    ["an import before the name", edit(1, 1, 'import"x";fresh', 0)],
    ["nothing, which deletes the name", edit(1, 1, "")],
    ["the name many times", edit(1, 1, "fresh".repeat(20_000))],
    ["a second line", edit(1, 1, "two\nlines")],
    ["a control character", edit(1, 1, "fresh\u001b")]
  ])("changes nothing if the server writes %s", ([, written]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(planIn({ "a.ts": "old\n" }, [{ path: "a.ts", edits: [edit(1, 1), written] }]))
      assert.include(error.message, "the language server would write more than the new name")
    })
  )

  it.live("changes nothing if one edit is not at the name, or one file may not be changed", () =>
    Effect.gen(function* () {
      const why = (files: Parameters<typeof planIn>[0], edits: Parameters<typeof planIn>[1]) =>
        Effect.map(Effect.flip(planIn(files, edits)), (error) => JSON.stringify([error, error.message]))
      const files = {
        "a.ts": "old\n",
        "b.ts": "new\n",
        ".env": "old=1\n",
        "latin.ts": new Uint8Array([0x6f, 0x6c, 0x64, 0xe9])
      }
      const both = [
        { path: "a.ts", edits: [edit(1, 1)] },
        { path: "b.ts", edits: [edit(1, 1)] }
      ]
      assert.include(
        yield* why(files, both),
        "b.ts cannot be changed: the language server does not know its present text"
      )
      for (const wrong of [edit(1, 2), edit(7, 1), { ...edit(1, 1), endLine: 2 }]) {
        assert.include(yield* why(files, [{ path: "a.ts", edits: [wrong] }]), "present text")
      }
      assert.include(yield* why(files, [{ path: ".env", edits: [edit(1, 1)] }]), "it holds secrets")
      assert.include(yield* why(files, [{ path: "latin.ts", edits: [edit(1, 1)] }]), "not UTF-8")
      assert.include(yield* why(files, [{ path: "../elsewhere.ts", edits: [edit(1, 1)] }]), "outside")
    })
  )
})
