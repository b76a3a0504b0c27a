/** Names that lead elsewhere after a call was judged: the handler does what was shown, or nothing. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import * as path from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { GitBranch, GitCommit, GitPush, GitStash, GitSwitch } from "../src/index.ts"
import { git, open, put, type Setting, words } from "./Harness.ts"

const program = requires("git")
const tasks = ".vscode/tasks.json"

/** `main`, and `other`, with one commit more; `evil` brings tasks that an editor runs. */
const branched = (setting: Setting = {}) =>
  Effect.gen(function* () {
    const opened = yield* open(setting)
    const { git: run, root } = opened
    const commitOn = (branch: string, name: string) => {
      run("switch", "-q", "-c", branch, "main")
      put(root, { [name]: "{}\n" })
      run("add", "-A", "--force")
      run("commit", "-q", "-m", branch)
      run("switch", "-q", "main")
      return run("rev-parse", branch)
    }
    return { ...opened, other: commitOn("other", "b.txt"), evil: commitOn("evil", tasks) }
  })

describe.skipIf(program.skip)(`git calls whose names move${program.suffix}`, () => {
  it.live(
    "git_switch shows the commit, is judged by it, and does not check out another one",
    () =>
      Effect.gen(function* () {
        const { call, classify, evil, git: run, other, preview } = yield* branched()
        assert.deepStrictEqual((yield* classify(GitSwitch, { branch: "other" })).facts, [
          { key: "branch other", digest: other }
        ])
        const { render } = yield* preview(GitSwitch, { branch: "other" })
        assert.match(render, /^switch to other at [0-9a-f]{10} \S+ Ada: other\n\nadded b\.txt \+1 -0\n$/)
        assert.include(render, other.slice(0, 10))
        const move = () => void run("update-ref", "refs/heads/other", evil)
        const error = yield* Effect.flip(call(GitSwitch, { branch: "other" }, move))
        assert.match(words(error), /the branch "other" has moved since the call was judged/)
        assert.strictEqual(run("branch", "--show-current"), "main")
        // Judged again, it is another call.
        assert.strictEqual((yield* call(GitSwitch, { branch: "other" })).output.commit, evil)
      }),
    thoroughOnly
  )

  it.live("git_switch checks out no other commit, however late the branch moves", () =>
    Effect.gen(function* () {
      const late: { move: () => void } = { move: () => {} }
      const onGit = (args: ReadonlyArray<string>) => {
        if (args.includes("switch")) late.move()
      }
      const { at, call, evil, git: run, other } = yield* branched({ onGit })
      late.move = () => void run("update-ref", "refs/heads/other", evil)
      const error = yield* Effect.flip(call(GitSwitch, { branch: "other" }))
      assert.match(words(error), /the branch "other", whose judged commit is checked out without a branch, has moved/)
      assert.isFalse(existsSync(at(tasks)))
      assert.deepStrictEqual([run("rev-parse", "HEAD"), run("status", "--porcelain")], [other, ""])
      late.move = () => {}
      assert.strictEqual((yield* call(GitSwitch, { branch: "main" })).output.branch, "main")
      assert.strictEqual(run("branch", "--show-current"), "main")
    })
  )

  it.live("git_switch leaves the history of checkouts as git does, and no branch in two worktrees", () =>
    Effect.gen(function* () {
      const { base, call, git: run } = yield* branched()
      yield* call(GitSwitch, { branch: "other" })
      assert.strictEqual(run("rev-parse", "--abbrev-ref", "@{-1}"), "main")
      run("switch", "-q", "-")
      assert.strictEqual(run("branch", "--show-current"), "main")
      run("worktree", "add", "-q", path.join(base, "beside"), "other")
      const error = yield* Effect.flip(call(GitSwitch, { branch: "other" }))
      assert.match(words(error), /"other" is already checked out at ".*beside"/)
      assert.strictEqual(run("branch", "--show-current"), "main")
    })
  )

  it.live(
    "git_stash applies the entry that was shown, even if another was stashed meanwhile",
    () =>
      Effect.gen(function* () {
        const { call, classify, git: run, preview, root, text } = yield* branched()
        put(root, { "a.txt": "mine\n" })
        run("stash", "push", "-q", "-m", "mine")
        const entry = run("rev-parse", "stash@{0}")
        assert.deepStrictEqual((yield* classify(GitStash, { action: "pop" })).facts, [
          { key: "stash@{0}", digest: entry }
        ])
        assert.match((yield* preview(GitStash, { action: "pop" })).render, /^apply stash@\{0\}, .*mine\n\na\.txt\n$/)
        const layAside = () => {
          put(root, { [tasks]: "{}" })
          run("stash", "push", "-q", "--include-untracked")
        }
        const error = yield* Effect.flip(call(GitStash, { action: "pop" }, layAside))
        assert.match(words(error), /stash@\{0\} has moved since the call was judged/)
        yield* call(GitStash, { action: "pop", index: 1 })
        assert.strictEqual(text("a.txt"), "mine\n")
        assert.lengthOf(run("stash", "list").split("\n"), 1)
      }),
    thoroughOnly
  )

  it.live(
    "git_branch starts at the shown commit, and git_push sends the shown commits",
    () =>
      Effect.gen(function* () {
        const { base, call, evil, git: run, other, preview } = yield* branched()
        const move = () => void run("update-ref", "refs/heads/other", evil)
        assert.include((yield* preview(GitBranch, { name: "new", from: "other" })).render, other.slice(0, 10))
        yield* call(GitBranch, { name: "new", from: "other" }, move)
        assert.strictEqual(run("rev-parse", "new"), other)
        const remote = path.join(base, "remote.git")
        git(base, "init", "-q", "--bare", remote)
        run("remote", "add", "origin", remote)
        const moveMain = () => void run("update-ref", "refs/heads/main", evil)
        const error = yield* Effect.flip(call(GitPush, { branch: "main" }, moveMain))
        assert.match(
          words(error),
          /not done: the repository has changed since this call was judged \(push origin main\)/
        )
        assert.strictEqual(git(remote, "branch", "--list").trim(), "")
        yield* call(GitPush, { branch: "main" })
        assert.strictEqual(git(remote, "rev-parse", "main").trim(), evil)
      }),
    thoroughOnly
  )

  it.live("git_commit is judged by the files that were shown and by the commit that it follows", () =>
    Effect.gen(function* () {
      const { classify, git: run, root } = yield* branched()
      const facts = () => Effect.map(classify(GitCommit, { message: "m", files: ["."] }), (found) => found.facts)
      put(root, { "a.txt": "changed\n" })
      const shown = yield* facts()
      assert.deepStrictEqual(yield* facts(), shown)
      put(root, { "c.txt": "new\n" })
      const more = yield* facts()
      assert.notDeepEqual(more, shown)
      run("commit", "-q", "--allow-empty", "-m", "more")
      assert.notDeepEqual(yield* facts(), more)
    })
  )
})
