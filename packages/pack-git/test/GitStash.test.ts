/** `git_stash` over real repositories: stashed changes, and their return. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { GitStash } from "../src/index.ts"
import { open, put, words } from "./Harness.ts"

const program = requires("git")

describe.skipIf(program.skip)(`git_stash${program.suffix}`, () => {
  it.live("stashes new files too, applies them, and names a file that is in the way", () =>
    Effect.gen(function* () {
      const { at, call, git: run, root } = yield* open()
      put(root, { "new.txt": "new\n", "a folder/x.txt": "x\n" })
      yield* call(GitStash, { action: "push", untracked: true })
      assert.strictEqual(run("status", "--porcelain"), "")
      put(root, { "new.txt": "in the way\n" })
      const inTheWay = words(yield* Effect.flip(call(GitStash, { action: "pop" })))
      assert.match(inTheWay, /"new\.txt" would be overwritten/)
      assert.match(inTheWay, /the stash entry is kept/)
      fs.rmSync(at("new.txt"))
      yield* call(GitStash, { action: "pop" })
      assert.strictEqual(fs.readFileSync(at("new.txt"), "utf8"), "new\n")
      assert.strictEqual(fs.readFileSync(at("a folder/x.txt"), "utf8"), "x\n")
    })
  )

  it.live(
    "names conflicts, and keeps the stash entry",
    () =>
      Effect.gen(function* () {
        const { call, git: run, root } = yield* open()
        put(root, { "a.txt": "mine\n" })
        yield* call(GitStash, { action: "push" })
        put(root, { "a.txt": "theirs\n" })
        run("commit", "-q", "-a", "-m", "theirs")
        const conflict = words(yield* Effect.flip(call(GitStash, { action: "pop" })))
        assert.match(conflict, /conflicts are now in "a\.txt"/)
        assert.match(conflict, /the stash entry is kept/)
        assert.lengthOf((yield* call(GitStash, { action: "list" })).output.entries, 1)
      }),
    thoroughOnly
  )

  it.live("takes no file that a rule withholds, and asks for one that may hold credentials", () =>
    Effect.gen(function* () {
      const {
        call,
        git: run,
        raised,
        root
      } = yield* open({
        withheld: [{ path: "kept.txt", rule: "deny read_file path=kept.txt" }]
      })
      put(root, { "kept.txt": "private\n", "a.txt": "mine\n", ".env": "TOKEN=1\n" })
      assert.isNull(yield* raised(GitStash, { action: "push" }))
      assert.match((yield* raised(GitStash, { action: "push", untracked: true })) ?? "", /\.env may hold credentials/)
      const refused = words(yield* Effect.flip(call(GitStash, { action: "push", untracked: true })))
      assert.match(refused, /"kept\.txt" may not be read here/)
      assert.strictEqual(run("stash", "list"), "")
      yield* call(GitStash, { action: "push" })
      assert.strictEqual(run("status", "--porcelain"), "?? .env\n?? kept.txt")
    })
  )

  it.live("is refused if the configuration includes a file, which could come back and name a program", () =>
    Effect.gen(function* () {
      const { at, call, git: run, root } = yield* open()
      put(root, { "a.txt": "mine\n", more: "" })
      run("config", "include.path", at("more"))
      for (const action of ["push", "pop"] as const) {
        const refused = words(yield* Effect.flip(call(GitStash, { action, untracked: true })))
        assert.match(refused, /configuration includes the file/)
      }
      assert.isTrue(fs.existsSync(at("more")))
    })
  )
})
