/**
 * Git treats any directory with a few entries as a repository: file tools ask before they create or change a
 * repository.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { open } from "./Scratch.ts"

describe("A repository that is not called .git", () => {
  it.live("is configuration in each of its parts, whichever comes first", () =>
    Effect.gen(function* () {
      const { read } = yield* open({
        "made/HEAD": "ref: refs/heads/main\n",
        "made/config": "",
        "link/commondir": "../made\n",
        "src/config": "mine"
      })
      const parts = [
        "new/HEAD",
        "made/HEAD",
        "made/config",
        "made/objects",
        "made/refs/heads/x",
        "made/hooks/pre-commit",
        "made/commondir",
        "link/HEAD"
      ]
      for (const path of parts) assert.strictEqual((yield* read.inspect(path)).sensitivity, "configuration", path)
    })
  )

  it.live("is distinguished from files that only have such names", () =>
    Effect.gen(function* () {
      const { read } = yield* open({
        "src/config": "mine",
        "objects/a.txt": "x",
        "made/HEAD": "x",
        "made/notes.txt": "x"
      })
      for (const path of [
        "src/config",
        "config",
        "objects/a.txt",
        "hooks/use.ts",
        "head",
        "HEAD.md",
        "made/notes.txt"
      ]) {
        assert.strictEqual((yield* read.inspect(path)).sensitivity, "none", path)
      }
    })
  )
})
