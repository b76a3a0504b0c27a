/** A comparison with files leaves the index of the repository as it is. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { requires } from "../../../test/requirements.ts"
import { GitDiff } from "../src/index.ts"
import { open } from "./Harness.ts"

const program = requires("git")

describe.skipIf(program.skip)(`git_diff and the index${program.suffix}`, () => {
  it.live("writes no index and no lock for files that only have new times", () =>
    Effect.gen(function* () {
      const { at, call } = yield* open({ files: { "a.txt": "one\n", "b.txt": "two\n" } })
      fs.utimesSync(at("a.txt"), 1, 1)
      fs.writeFileSync(at("b.txt"), "changed\n")
      const index = fs.readFileSync(at(".git/index"))
      // A lock file changes the time of its directory.
      const directoryTime = () => fs.statSync(at(".git"), { bigint: true }).mtimeNs
      const before = directoryTime()
      for (const parameters of [{}, { from: "HEAD" }, { staged: true }]) {
        const { output } = yield* call(GitDiff, parameters as never)
        const names = output.files.map(({ path }) => path)
        assert.deepStrictEqual(names, "staged" in parameters ? [] : ["b.txt"])
      }
      assert.isTrue(fs.readFileSync(at(".git/index")).equals(index))
      assert.strictEqual(directoryTime(), before)
    })
  )

  it.live("finds a change of the same size that is as old as the index", () =>
    Effect.gen(function* () {
      const { at, call, git } = yield* open({ files: { "a.txt": "one\n" } })
      // The time at which the entry of a file changed cannot be set.
      git("config", "core.trustctime", "false")
      const time = 1_700_000_000
      fs.utimesSync(at("a.txt"), time, time)
      git("update-index", "--refresh")
      fs.utimesSync(at(".git/index"), time, time)
      fs.writeFileSync(at("a.txt"), "two\n")
      fs.utimesSync(at("a.txt"), time, time)
      const { output } = yield* call(GitDiff, {})
      assert.deepStrictEqual(
        output.files.map(({ path }) => path),
        ["a.txt"]
      )
    })
  )
})
