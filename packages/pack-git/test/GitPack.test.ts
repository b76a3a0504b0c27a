/** The git tools in everyday use, over real repositories. */
import { packFilesSpec } from "@bough/tool/testing/packFilesSpec"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as GitPack from "../src/GitPack.ts"
import {
  GitBlame,
  GitBranch,
  GitCommit,
  GitDiff,
  GitListBranches,
  GitLog,
  GitPush,
  GitShow,
  GitStash,
  GitStatus,
  GitSwitch
} from "../src/index.ts"
import { git, open, put, words } from "./Harness.ts"

const program = requires("git")

const numbered = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`)

packFilesSpec("GitPack", GitPack.all, new URL("../src", import.meta.url))

describe.skipIf(program.skip)(`the git tools${program.suffix}`, () => {
  it.live("git_status reports staged, changed, renamed, conflicting and new files", () =>
    Effect.gen(function* () {
      const {
        at,
        call,
        git: run,
        root
      } = yield* open({ files: { "a b.txt": "1\n", "é.txt": "1\n", "c.txt": "1\n2\n3\n" } })
      put(root, { "a b.txt": "2\n", "new/x.txt": "1\n", ".gitignore": "*.log\n", "x.log": "1\n" })
      run("mv", "c.txt", "d.txt")
      run("add", "a b.txt")
      put(root, { "a b.txt": "3\n" })
      fs.unlinkSync(at("é.txt"))
      const { display, output, text } = yield* call(GitStatus, {})
      assert.deepStrictEqual(output.files, [
        { path: "a b.txt", from: null, staged: "modified", unstaged: "modified", conflicted: false },
        { path: "d.txt", from: "c.txt", staged: "renamed", unstaged: null, conflicted: false },
        { path: "é.txt", from: null, staged: null, unstaged: "deleted", conflicted: false }
      ])
      assert.deepStrictEqual(output.untracked, [".gitignore", "new/"])
      assert.include(text, "staged renamed c.txt → d.txt")
      assert.strictEqual(display, "On main: 5 changed files")
    })
  )

  it.live("git_status reports a running merge, and a branch that is ahead and behind", () =>
    Effect.gen(function* () {
      const { call, git: run, root } = yield* open()
      run("switch", "-q", "-c", "other")
      put(root, { "a.txt": "theirs\n" })
      run("commit", "-q", "-am", "theirs")
      run("switch", "-q", "main")
      put(root, { "a.txt": "ours\n" })
      run("commit", "-q", "-am", "ours")
      run("branch", "-q", "--set-upstream-to=other")
      assert.throws(() => run("merge", "-q", "other"))
      const { output, text } = yield* call(GitStatus, {})
      assert.deepStrictEqual(output.upstream, { name: "other", ahead: 1, behind: 1 })
      assert.strictEqual(output.operation, "merge")
      assert.deepStrictEqual(
        output.files.map(({ conflicted, path: name }) => [name, conflicted]),
        [["a.txt", true]]
      )
      assert.include(text, "a merge is under way")
      assert.match(words(yield* Effect.flip(call(GitCommit, { message: "m", files: ["a.txt"] }))), /merge is under way/)
    })
  )

  it.live("git_status tells patches from mails that are being applied from a rebase", () =>
    Effect.gen(function* () {
      const { at, call, git: run, root } = yield* open()
      run("switch", "-q", "-c", "other")
      put(root, { "a.txt": "theirs\n" })
      run("commit", "-q", "-am", "theirs")
      run("format-patch", "-q", "-1", "-o", at(".git/patches"))
      run("switch", "-q", "main")
      put(root, { "a.txt": "ours\n" })
      run("commit", "-q", "-am", "ours")
      assert.throws(() => run("am", "-q", at(".git/patches/0001-theirs.patch")))
      const applying = yield* call(GitStatus, {})
      assert.strictEqual(applying.output.operation, "am")
      assert.include(applying.text, "an am is under way")
      run("am", "--abort")
      assert.throws(() => run("rebase", "-q", "--apply", "other"))
      assert.strictEqual((yield* call(GitStatus, {})).output.operation, "rebase")
    })
  )

  it.live("paths are relative to the workspace", () =>
    Effect.gen(function* () {
      const { call, root } = yield* open({ files: { "app/a.txt": "1\n", "lib/b.txt": "1\n" }, start: "app" })
      put(root, { "app/a.txt": "2\n", "lib/b.txt": "2\n" })
      const { output } = yield* call(GitDiff, {})
      assert.deepStrictEqual(
        output.files.map((file) => file.path),
        ["a.txt", "../lib/b.txt"]
      )
      const only = yield* call(GitDiff, { paths: ["../lib"] })
      assert.deepStrictEqual(
        only.output.files.map((file) => file.path),
        ["../lib/b.txt"]
      )
      yield* call(GitCommit, { message: "both", files: ["a.txt", "../lib/b.txt"] })
      assert.strictEqual(git(root, "status", "--porcelain"), "")
    })
  )

  it.live("git_diff compares files, index and commits, and counts lines", () =>
    Effect.gen(function* () {
      const { call, git: run, root } = yield* open()
      put(root, { "a.txt": "one\n2\nthree\n", "b.bin": new Uint8Array([0, 1, 2]) })
      run("add", "b.bin")
      const unstaged = yield* call(GitDiff, {})
      assert.include(unstaged.text, "-two\n+2\n")
      assert.deepStrictEqual(
        unstaged.output.files.map((file) => [file.path, file.added, file.deleted]),
        [["a.txt", 1, 1]]
      )
      const staged = yield* call(GitDiff, { staged: true })
      assert.deepStrictEqual(
        staged.output.files.map((file) => [file.path, file.change, file.added]),
        [["b.bin", "added", null]]
      )
      run("commit", "-q", "-am", "second")
      const between = yield* call(GitDiff, { from: "HEAD~1", to: "HEAD", paths: ["a.txt"] })
      assert.lengthOf(between.output.files, 1)
      const unknown = yield* Effect.flip(call(GitDiff, { from: "nowhere" }))
      assert.deepInclude(unknown, { message: 'there is no commit "nowhere"', field: "from" })
      assert.match(words(yield* Effect.flip(call(GitDiff, { to: "HEAD" }))), /^ValidationError name the commit/)
    })
  )

  it.live("git_commit commits chosen hunks, and leaves other staged and changed files unchanged", () =>
    Effect.gen(function* () {
      const {
        call,
        git: run,
        root
      } = yield* open({ files: { "a.txt": numbered.join(""), "b.txt": "1\n", "c.txt": "1\n" } })
      const changed = numbered.with(1, "second\n").with(14, "fifteenth \u00FF\n").with(28, "last but one\n")
      put(root, { "a.txt": changed.join(""), "b.txt": "2\n", "c.txt": "2\n" })
      run("add", "c.txt")
      const { output } = yield* call(GitDiff, {})
      const [first, middle] = output.files.find((file) => file.path === "a.txt")?.hunks ?? []
      const done = yield* call(GitCommit, {
        message: "the middle\n\nwith a body",
        hunks: [middle.id],
        files: ["b.txt"]
      })
      assert.deepStrictEqual(done.output.files, ["a.txt", "b.txt"])
      assert.strictEqual(run("show", "HEAD:a.txt"), numbered.with(14, "fifteenth \u00FF\n").join("").trimEnd())
      assert.strictEqual(run("log", "-1", "--format=%an %s / %b").trim(), "Ada the middle / with a body")
      assert.strictEqual(run("status", "--porcelain"), " M a.txt\nM  c.txt")
      // A committed hunk no longer exists; the others keep their names.
      const later = yield* call(GitDiff, {})
      assert.strictEqual(later.output.files[0].hunks[0].id, first.id)
      assert.match(
        words(yield* Effect.flip(call(GitCommit, { message: "again", hunks: [middle.id] }))),
        /^ValidationError no hunk is called/
      )
      // A hunk of a file that is named in full is included.
      const twice = yield* call(GitCommit, { message: "whole", files: ["a.txt"], hunks: [first.id] })
      assert.deepStrictEqual(twice.output.files, ["a.txt"])
      assert.strictEqual(run("status", "--porcelain"), "M  c.txt")
      yield* call(GitCommit, { message: "what is staged" })
      assert.strictEqual(run("status", "--porcelain"), "")
    })
  )

  it.live(
    "git_commit commits new and deleted files below a directory, and refuses unchanged ones",
    () =>
      Effect.gen(function* () {
        const {
          at,
          call,
          git: run,
          root
        } = yield* open({ files: { "src/a.txt": "1\n", "src/b.txt": "1\n", "z.txt": "1\n" } })
        put(root, { "src/deep/c.txt": "1\n", "other.txt": "1\n" })
        fs.unlinkSync(at("src/b.txt"))
        const done = yield* call(GitCommit, { message: "src", files: ["src"] })
        assert.deepStrictEqual(done.output.files, ["src/b.txt", "src/deep/c.txt"])
        assert.strictEqual(run("status", "--porcelain"), "?? other.txt")
        assert.match(
          words(yield* Effect.flip(call(GitCommit, { message: "m", files: ["z.txt"] }))),
          /nothing is changed at "z.txt"/
        )
        assert.match(words(yield* Effect.flip(call(GitCommit, { message: " ", files: ["other.txt"] }))), /write what/)
        assert.match(words(yield* Effect.flip(call(GitCommit, { message: "m" }))), /nothing added to commit|git failed/)
      }),
    thoroughOnly
  )

  it.live("git_commit makes the first commit of a repository", () =>
    Effect.gen(function* () {
      const { call, root } = yield* open({ files: null })
      assert.match(words(yield* Effect.flip(call(GitStatus, {}))), /is not a git repository/)
      git(root, "init", "-q", "-b", "trunk")
      put(root, { "a.txt": "1\n" })
      assert.include((yield* call(GitStatus, {})).text, "no commit yet")
      assert.deepStrictEqual((yield* call(GitLog, {})).output.commits, [])
      const { output } = yield* call(GitCommit, { message: "first", files: ["a.txt"] })
      assert.deepStrictEqual([output.branch, output.files], ["trunk", ["a.txt"]])
      assert.include((yield* call(GitShow, { commit: "HEAD" })).text, "+1")
    })
  )

  it.live(
    "git_commit reports a missing author",
    () =>
      Effect.gen(function* () {
        const { call, root } = yield* open({ variables: { HOME: "/nonexistent", PATH: process.env["PATH"] ?? "" } })
        put(root, { "a.txt": "2\n" })
        const error = yield* Effect.flip(call(GitCommit, { message: "m", files: ["a.txt"] }))
        assert.match(words(error), /^ExecutionError git: a commit needs an author: user\.name is not set/)
        git(root, "config", "user.name", "Grace")
        git(root, "config", "user.email", "grace@example.invalid")
        yield* call(GitCommit, { message: "m", files: ["a.txt"] })
        assert.strictEqual(git(root, "log", "-1", "--format=%an"), "Grace\n")
      }),
    thoroughOnly
  )

  it.live("git_log, git_show and git_blame report who changed what", () =>
    Effect.gen(function* () {
      const { call, git: run, root } = yield* open()
      put(root, { "a.txt": "one\nzwei\nthree\n" })
      run("commit", "-q", "-am", "Translate\n\nA word of it.", "--author=Grace <grace@example.invalid>")
      put(root, { "b.txt": "x\n", "a.txt": "one\nzwei\ndrei\n" })
      const log = yield* call(GitLog, { limit: 1 })
      assert.deepStrictEqual([log.output.commits.length, log.output.truncated], [1, true])
      assert.strictEqual(log.output.commits[0].body, "A word of it.")
      assert.lengthOf((yield* call(GitLog, { author: "grace" })).output.commits, 1)
      assert.lengthOf((yield* call(GitLog, { message: "TRANSLATE" })).output.commits, 1)
      assert.lengthOf((yield* call(GitLog, { range: "HEAD~1..HEAD" })).output.commits, 1)
      const shown = yield* call(GitShow, { commit: "main" })
      assert.include(shown.text, "-two\n+zwei")
      assert.strictEqual((yield* call(GitShow, { commit: "HEAD~1", file: "a.txt" })).text, "one\ntwo\nthree\n")
      assert.match(words(yield* Effect.flip(call(GitShow, { commit: "HEAD", file: "b.txt" }))), /is not a file in/)
      const { output } = yield* call(GitBlame, { path: "a.txt", toLine: 3 })
      assert.deepStrictEqual(
        output.lines.map(({ author, commit, text }) => [text, commit === null ? null : author]),
        [
          ["one", "Ada"],
          ["zwei", "Grace"],
          ["drei", null]
        ]
      )
    })
  )

  it.live(
    "branches are created, listed and switched to, and uncommitted changes are kept",
    () =>
      Effect.gen(function* () {
        const { call, git: run, raised, root, findExisting, text } = yield* open()
        assert.isNull(yield* findExisting(GitBranch, { name: "topic" }))
        yield* call(GitBranch, { name: "topic" })
        assert.isNotNull(yield* findExisting(GitBranch, { name: "topic" }))
        assert.match(words(yield* Effect.flip(call(GitBranch, { name: "topic" }))), /there is a branch "topic" already/)
        put(root, { "a.txt": "changed\n", "AGENTS.md": "be kind\n" })
        run("add", "-A")
        run("commit", "-q", "-m", "second")
        assert.match((yield* raised(GitSwitch, { branch: "topic" })) ?? "", /AGENTS\.md instructs agents/)
        put(root, { "a.txt": "mine\n" })
        assert.match(words(yield* Effect.flip(call(GitSwitch, { branch: "topic" }))), /overwritten|local changes/)
        assert.strictEqual(text("a.txt"), "mine\n")
        const laid = yield* call(GitStash, { action: "push", message: "for later" })
        assert.include(laid.text, "for later")
        const switched = yield* call(GitSwitch, { branch: "topic" })
        assert.deepStrictEqual(switched.output.files, ["AGENTS.md", "a.txt"])
        const { output } = yield* call(GitListBranches, {})
        assert.deepStrictEqual(output.branches.map(({ isCurrent, name }) => `${name} ${isCurrent}`).toSorted(), [
          "main false",
          "topic true"
        ])
        yield* call(GitSwitch, { branch: "main" })
        yield* call(GitStash, { action: "pop" })
        assert.strictEqual(text("a.txt"), "mine\n")
        assert.deepStrictEqual((yield* call(GitStash, { action: "list" })).output.entries, [])
        assert.match(words(yield* Effect.flip(call(GitSwitch, { branch: "nowhere" }))), /there is no branch "nowhere"/)
      }),
    thoroughOnly
  )

  it.live(
    "git_push shows the commits to send, sends them, and refuses to lose commits unless it is told to",
    () =>
      Effect.gen(function* () {
        const { base, call, git: run, preview, root } = yield* open()
        const remote = path.join(base, "remote.git")
        git(base, "init", "-q", "--bare", remote)
        run("remote", "add", "origin", remote)
        const before = yield* preview(GitPush, {})
        assert.match(
          before.render,
          /^push main to origin, .*remote\.git\nnew, at [0-9a-f]{10}\n\n.* Ada: first\n\nadded a\.txt \+3 -0\n$/
        )
        // The receiving side borrows objects from another repository, and says nothing about it.
        git(base, "init", "-q", "--bare", "lender.git")
        put(remote, { "objects/info/alternates": `${path.join(base, "lender.git/objects")}\n` })
        assert.strictEqual((yield* call(GitPush, {})).output.answer, "")
        assert.strictEqual(git(remote, "log", "-1", "--format=%s", "main").trim(), "first")
        assert.deepStrictEqual((yield* call(GitStatus, {})).output.upstream, {
          name: "origin/main",
          ahead: 0,
          behind: 0
        })
        put(root, { "a.txt": "more\n" })
        yield* call(GitCommit, { message: "second", files: ["a.txt"] })
        const again = yield* preview(GitPush, {})
        assert.include(again.render, "modified a.txt +1 -3")
        assert.notDeepEqual(again.preconditions, before.preconditions)
        // Another user pushed first.
        git(base, "clone", "-q", "-b", "main", remote, "other")
        put(path.join(base, "other"), { "b.txt": "1\n" })
        git(path.join(base, "other"), "add", "-A")
        git(path.join(base, "other"), "commit", "-q", "-m", "theirs")
        git(path.join(base, "other"), "push", "-q", "origin", "main")
        const refused = yield* Effect.flip(call(GitPush, {}))
        assert.match(words(refused), /the push to \S+ failed/)
        assert.match((refused as { readonly hint?: string }).hint ?? "", /fetch and merge or rebase/)
        // Commits that were never fetched are not replaced either.
        assert.match(words(yield* Effect.flip(call(GitPush, { replace: true }))), /stale info|the push to \S+ failed/)
        assert.strictEqual(git(remote, "log", "-1", "--format=%s", "main").trim(), "theirs")
        run("fetch", "-q", "origin")
        assert.include((yield* preview(GitPush, { replace: true })).render, "commits there that are not here are lost")
        yield* call(GitPush, { replace: true })
        assert.strictEqual(git(remote, "log", "-1", "--format=%s", "main").trim(), "second")
        // Addresses that git accepts: one that names a program is refused before git sees it, an IPv6 host is not.
        for (const [url, isRefused] of [
          ["ext::sh -c false", true],
          ["ssh://[::1]:1/x.git", false]
        ] as const) {
          run("remote", "set-url", "origin", url)
          const refusal = words(yield* Effect.flip(call(GitPush, { replace: true })))
          assert.strictEqual(/is not an ssh or https address/.test(refusal), isRefused, refusal)
        }
        assert.match(
          words(yield* Effect.flip(preview(GitPush, { remote: "none" }))),
          /there is no remote "none": there is origin/
        )
      }),
    thoroughOnly
  )

  it.live(
    "works in a linked worktree, and in a repository with SHA-256",
    () =>
      Effect.gen(function* () {
        const { base, call, git: run, root } = yield* open()
        run("worktree", "add", "-q", path.join(base, "linked"), "-b", "linked")
        const linked = yield* open({ files: null })
        fs.rmSync(linked.root, { recursive: true })
        assert.include((yield* call(GitListBranches, {})).text, "linked")
        put(root, { "a.txt": "2\n" })
        yield* call(GitCommit, { message: "second", files: ["a.txt"] })
        const newer = yield* open({ files: null })
        git(newer.root, "init", "-q", "-b", "main", "--object-format=sha256")
        git(newer.base, "init", "-q", "--bare", "--object-format=sha256", "remote.git")
        git(newer.root, "remote", "add", "origin", "../remote.git")
        put(newer.root, { "a.txt": "1\n" })
        const { output } = yield* newer.call(GitCommit, { message: "first", files: ["a.txt"] })
        assert.lengthOf(output.id, 64)
        yield* newer.call(GitPush, {})
        assert.include((yield* newer.call(GitShow, { commit: output.id })).text, "+1")
      }),
    thoroughOnly
  )
})
