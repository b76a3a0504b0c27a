import { ProcessRunnerNode } from "@bough/sandbox"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { HeadCommit } from "../src/index.ts"
import { command, directories, put } from "./Scratch.ts"

const hasGit = spawnSync("git", ["--version"]).status === 0

const git = (root: string, ...args: ReadonlyArray<string>): string =>
  command("git", ["-c", "user.name=test", "-c", "user.email=test@example.invalid", ...args], root)

const of = (directory: string) => Effect.provide(HeadCommit.headCommit(directory), ProcessRunnerNode.layer)

describe.skipIf(!hasGit)("HeadCommit [needs git]", () => {
  it.live("is the commit that the directory is at, also below the root of its repository", () =>
    Effect.gen(function* () {
      const { root } = yield* directories
      git(root, "init", "-q")
      assert.isNull(yield* of(root))
      put(root, { "sub/a.txt": "1" })
      git(root, "add", "-A")
      git(root, "commit", "-q", "-m", "one")
      const first = git(root, "rev-parse", "HEAD").trim()
      assert.match(first, /^[0-9a-f]{40}$/)
      assert.deepStrictEqual([yield* of(root), yield* of(`${root}/sub`)], [first, first])
      git(root, "commit", "-q", "--allow-empty", "-m", "two")
      assert.strictEqual(yield* of(root), git(root, "rev-parse", "HEAD").trim())
    }).pipe(Effect.scoped)
  )

  it.live("is none outside of a repository, and in a directory that is not there", () =>
    Effect.gen(function* () {
      const { root } = yield* directories
      assert.deepStrictEqual([yield* of(root), yield* of(`${root}/none`)], [null, null])
    }).pipe(Effect.scoped)
  )
})
