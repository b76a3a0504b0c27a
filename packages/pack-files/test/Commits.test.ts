/** Files as a commit contains them, independently of the current workspace: over a real repository. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { requires } from "../../../test/requirements.ts"
import { ListFiles, ReadFile, SearchFiles } from "../src/index.ts"
import { canary, open } from "./Harness.ts"

const needed = requires("git")

const git = (root: string, ...args: ReadonlyArray<string>): void => {
  const person = ["-c", "user.name=Ada", "-c", "user.email=ada@example.invalid"]
  const { status, stderr } = spawnSync("git", [...person, ...args], { cwd: root, encoding: "utf8" })
  if (status !== 0) throw new Error(stderr)
}

const committed = Effect.fnUntraced(function* () {
  const workspace = yield* open({
    "src/a.ts": "const before = 1\nexport const call = () => before\n",
    "src/b.py": "before = 2\n",
    "src/.hidden": "before\n",
    ".env": `TOKEN=${canary} before\n`,
    "image.bin": new Uint8Array([0, 1, 2])
  })
  git(workspace.root, "init", "-q", "-b", "main")
  git(workspace.root, "add", "-A", "--force")
  git(workspace.root, "commit", "-q", "-m", "first")
  fs.writeFileSync(path.join(workspace.root, "src/a.ts"), "const after = 1\n")
  fs.rmSync(path.join(workspace.root, "src/b.py"))
  // Nothing that the repository configures runs.
  git(workspace.root, "config", "diff.evil.textconv", "touch ran; cat")
  fs.writeFileSync(path.join(workspace.root, ".gitattributes"), "*.ts diff=evil\n")
  return workspace
})

describe.skipIf(needed.skip)(`Files of a commit${needed.suffix}`, () => {
  it.live("are read by lines, even if they are changed or deleted now", () =>
    Effect.gen(function* () {
      const { call } = yield* committed()
      const now = yield* call(ReadFile, { path: "src/a.ts" })
      assert.include(JSON.stringify(now.output), "after")
      const { output } = yield* call(ReadFile, { path: "src/a.ts", commit: "HEAD", fromLine: 2 })
      assert.deepInclude(output, { fromLine: 2, lines: 1, totalLines: 2, text: "export const call = () => before\n" })
      assert.include(JSON.stringify((yield* call(ReadFile, { path: "src/b.py", commit: "main" })).output), "before = 2")
      const missing = yield* Effect.flip(call(ReadFile, { path: "src/c.py", commit: "main" }))
      assert.match(missing.message, /is not a file in/)
      const unknown = yield* Effect.flip(call(ReadFile, { path: "src/b.py", commit: "--help" }))
      assert.deepInclude(unknown, { _tag: "ValidationError", field: "commit" })
    })
  )

  it.live("are listed with their sizes, without files that a call may not read", () =>
    Effect.gen(function* () {
      const { call } = yield* committed()
      const { output } = yield* call(ListFiles, { path: ".", commit: "HEAD", recursive: true, hidden: true })
      assert.deepStrictEqual(
        output.entries.map(({ bytes, path }) => [path, bytes]),
        [
          ["image.bin", 3],
          ["src/.hidden", 7],
          ["src/a.ts", 50],
          ["src/b.py", 11]
        ]
      )
      const below = yield* call(ListFiles, { path: "src", commit: "HEAD", limit: 1 })
      assert.deepStrictEqual(
        [below.output.entries.map(({ path }) => path), below.output.truncated],
        [["src/a.ts"], true]
      )
      const wrong = yield* Effect.flip(call(ListFiles, { path: "src/a.ts", commit: "HEAD" }))
      assert.match(wrong.message, /is not a directory/)
    })
  )

  it.live("are searched, and each hit gives its byte range in the commit", () =>
    Effect.gen(function* () {
      const { at, call } = yield* committed()
      const { output } = yield* call(SearchFiles, { pattern: "\\bbefore\\b", commit: "HEAD", contextLines: 1 })
      assert.deepStrictEqual(
        output.files.map(({ hits, path }) => [path, hits.map(({ line }) => line)]),
        [
          ["src/.hidden", [1]],
          ["src/a.ts", [1, 2]],
          ["src/b.py", [1]]
        ]
      )
      const hit = output.files[1]?.hits[1]
      assert.deepInclude(hit, { startByte: 17, endByte: 50, before: ["const before = 1"] })
      assert.notInclude(JSON.stringify(output), canary)
      const some = yield* call(SearchFiles, {
        pattern: "BEFORE =",
        commit: "HEAD",
        literal: true,
        ignoreCase: true,
        globs: ["*.{ts,py}", "!a.*"]
      })
      assert.deepStrictEqual(
        some.output.files.map(({ path }) => path),
        ["src/b.py"]
      )
      const wrong = yield* Effect.flip(call(SearchFiles, { pattern: "(", commit: "HEAD" }))
      assert.deepInclude(wrong, { _tag: "ValidationError", field: "pattern" })
      assert.isFalse(fs.existsSync(at("ran")))
    })
  )
})
