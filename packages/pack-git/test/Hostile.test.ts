/** Repositories, names and paths that try to run a program, to reach other files or to hide changes. */
import type { ToolError } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as fs from "node:fs"
import * as path from "node:path"
import { requires } from "../../../test/requirements.ts"
import { isThorough, someOf, thorough, thoroughOnly } from "../../../test/thorough.ts"
import {
  GitBlame,
  GitBranch,
  GitCommit,
  GitDiff,
  GitLog,
  GitPush,
  GitShow,
  GitStash,
  GitStatus,
  GitSwitch
} from "../src/index.ts"
import { localDoors, type OpenedDoor, remoteDoors } from "./doors.ts"
import { git, open, put, words } from "./Harness.ts"

const program = requires("git")

const ignored = <A, E>(effect: Effect.Effect<A, E>) => Effect.ignore(effect)

/** All operations of a session, in an order in which each has work. Failures are fine: no program may run. */
const everything = (opened: OpenedDoor) =>
  Effect.gen(function* () {
    const { call, root } = opened
    put(root, { "a.txt": `${Math.random()}\n`, "f.dat": `${Math.random()}\n`, "new.dat": "1\n" })
    yield* ignored(call(GitStatus, {}))
    yield* ignored(call(GitDiff, {}))
    yield* ignored(call(GitDiff, { from: "HEAD" }))
    yield* ignored(call(GitLog, { paths: ["a.txt"] }))
    yield* ignored(call(GitShow, { commit: "HEAD" }))
    yield* ignored(call(GitShow, { commit: "HEAD", file: "f.dat" }))
    yield* ignored(call(GitBlame, { path: "a.txt", toLine: 1 }))
    yield* changing(opened)
  })

/** The operations that change files or the repository. */
const changing = (opened: OpenedDoor) =>
  Effect.gen(function* () {
    const { call } = opened
    yield* ignored(call(GitCommit, { message: "one", files: ["a.txt"] }))
    yield* ignored(call(GitCommit, { message: "two", files: ["f.dat", "new.dat"] }))
    yield* ignored(call(GitStash, { action: "push", untracked: true }))
    yield* ignored(call(GitBranch, { name: "side" }))
    yield* ignored(call(GitSwitch, { branch: "side" }))
    yield* ignored(call(GitSwitch, { branch: "other" }))
    yield* ignored(call(GitStash, { action: "pop" }))
    yield* pushing(opened)
  })

const pushing = ({ call }: OpenedDoor) => Effect.ignore(call(GitPush, { branch: "main", remote: "origin" }))

describe.skipIf(program.skip)(`git tools over a hostile repository${program.suffix}`, () => {
  const alone = Object.keys(localDoors).filter((name) => /^(?:filter|included file|merge driver)/u.test(name))
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ...alone.map((name) => [name, [name]] as const),
    // A filter and a merge driver would hide the other settings.
    ["all others at once", Object.keys(localDoors).filter((name) => !alone.includes(name))]
  ]

  const nothingRuns = (
    names: ReadonlyArray<string>,
    from: typeof localDoors,
    use: (opened: OpenedDoor) => Effect.Effect<void>
  ) =>
    Effect.gen(function* () {
      const opened = yield* open({ files: { "a.txt": "1\n", "f.dat": "1\n" } })
      const { base, git: person, root } = opened
      git(base, "init", "-q", "--bare", "remote.git")
      person("remote", "add", "origin", path.join(base, "remote.git"))
      person("switch", "-q", "-c", "other")
      put(root, { "a.txt": "other\n", "f.dat": "other\n" })
      person("commit", "-q", "-am", "other")
      person("switch", "-q", "main")
      const mark = path.join(base, "ran")
      const script = path.join(base, "run.sh")
      fs.writeFileSync(script, `#!/bin/sh\ntouch ${mark}\ncat\n`, { mode: 0o755 })
      for (const name of names) from[name](opened, script)
      yield* use(opened)
      assert.isFalse(fs.existsSync(mark))
    })

  it.live.each(someOf(cases, 1))(
    "%s: nothing runs",
    ([, names]) => nothingRuns(names, localDoors, everything),
    thorough
  )

  it.live.each(someOf(Object.keys(remoteDoors), 1))(
    "a push with %s: nothing runs",
    (name) => nothingRuns([name], remoteDoors, pushing),
    thorough
  )

  it.live(
    "a repository that says its files are elsewhere changes nothing there",
    () =>
      Effect.gen(function* () {
        const opened = yield* open()
        const elsewhere = path.join(opened.base, "elsewhere")
        put(elsewhere, { "a.txt": "mine\n" })
        opened.git("branch", "other", "HEAD")
        opened.git("config", "core.worktree", elsewhere)
        put(opened.root, { "a.txt": "2\n", "f.dat": "2\n", "new.dat": "1\n" })
        yield* changing(opened)
        assert.deepStrictEqual(fs.readdirSync(elsewhere), ["a.txt"])
        assert.strictEqual(fs.readFileSync(path.join(elsewhere, "a.txt"), "utf8"), "mine\n")
      }),
    thoroughOnly
  )

  it.live("a .git file that leads to a repository which does not know it is not followed", () =>
    Effect.gen(function* () {
      const { at, call, root } = yield* open({ files: null })
      const victim = yield* open()
      for (const target of [victim.at(".git"), path.relative(root, victim.at(".git"))]) {
        fs.writeFileSync(at(".git"), `gitdir: ${target}\n`)
        put(root, { "x.txt": "1\n" })
        yield* Effect.flip(call(GitCommit, { message: "m", files: ["x.txt"] }))
        yield* Effect.flip(call(GitLog, {}))
      }
      fs.rmSync(at(".git"))
      fs.symlinkSync(victim.at(".git"), at(".git"))
      assert.match(words(yield* Effect.flip(call(GitLog, {}))), /is not a git repository/)
      assert.strictEqual(victim.git("log", "--format=%s"), "first")
    })
  )

  it.live(
    "names that are options, ranges or paths match no branch",
    () =>
      Effect.gen(function* () {
        const { base, call, root } = yield* open({ files: { "a.txt": "1\n", ".env": "KEY=canary-7f3a\n" } })
        const mark = path.join(base, "ran")
        const names = [
          "--output=x",
          "-O/etc/hosts",
          `--upload-pack=touch ${mark}`,
          "--no-index",
          "-",
          "--",
          "--all",
          "HEAD:.env",
          ":.env",
          "HEAD^{tree}",
          ":0:.env",
          "HEAD..HEAD",
          "@{u}",
          "refs/heads/none",
          "HEAD\0",
          "\n",
          "*",
          "^HEAD"
        ]
        for (const [at, name] of someOf([...names.entries()], 3)) {
          const all: ReadonlyArray<Effect.Effect<unknown, ToolError.ToolError>> = [
            call(GitShow, { commit: name }),
            call(GitShow, { commit: name, file: "a.txt" }),
            call(GitDiff, { from: name }),
            call(GitDiff, { from: "HEAD", to: name }),
            call(GitBlame, { path: "a.txt", toLine: 1, commit: name }),
            call(GitBranch, { name: "ok", from: name }),
            call(GitSwitch, { branch: name }),
            call(GitPush, { branch: name }),
            call(GitPush, { remote: name })
          ]
          // Each name with three of the tools, each tool with several names.
          for (const each of [0, 1, 2].map((turn) => all[(at * 2 + turn * 3) % all.length])) {
            assert.notInclude(words(yield* Effect.flip(each)), "canary")
          }
        }
        const branches = ["-x", "a..b", "a b", "@", "HEAD", "a~1", "x.lock", "/a", "a//b", "refs/../../x", "@{-1}"]
        for (const name of someOf(branches, 3)) {
          yield* Effect.flip(call(GitBranch, { name }))
        }
        assert.isFalse(fs.existsSync(mark))
        assert.deepStrictEqual(fs.readdirSync(root).toSorted(), [".env", ".git", "a.txt"])
      }),
    thorough
  )

  it.live(
    "paths that lead out, to git's own files or to secrets are refused, in every tool",
    () =>
      Effect.gen(function* () {
        const { call, root } = yield* open({
          files: { "a.txt": "1\n", ".env": "KEY=canary-7f3a\n", "k/id_rsa": "canary-7f3a\n" }
        })
        put(root, { ".env": "KEY=canary-7f3a-2\n", "a.txt": "2\n" })
        const paths = [
          "../x",
          "/etc/hosts",
          "a/../../x",
          ".git/config",
          ".env",
          "k/id_rsa",
          ".ENV",
          "./.env",
          ":(top).env",
          ":/.env",
          "\0"
        ]
        for (const [at, file] of paths.entries()) {
          const all: ReadonlyArray<Effect.Effect<unknown, ToolError.ToolError>> = [
            call(GitDiff, { paths: [file] }),
            call(GitLog, { paths: [file] }),
            call(GitShow, { commit: "HEAD", file }),
            call(GitBlame, { path: file, toLine: 1 })
          ]
          // Each path with one of the tools, each tool with several paths.
          for (const each of isThorough ? all : [all[at % all.length]]) {
            const exit = yield* Effect.exit(each)
            assert.notInclude(JSON.stringify(exit), "canary")
          }
        }
        for (const file of ["../x", "/etc/hosts", ".git/config", "k/id_rsa"]) {
          yield* Effect.flip(call(GitCommit, { message: "m", files: [file] }))
        }
      }),
    thorough
  )

  it.live("differences, commits and files contain no secrets and no withheld files, and say so", () =>
    Effect.gen(function* () {
      const files = {
        "a.txt": "1\n",
        ".env": "canary-1\n",
        "private/x.txt": "canary-2\n",
        "deep/server.pem": "canary-3\n"
      }
      const withheld = [{ path: "private", rule: "deny read_file path=private/**" }]
      const { call, git: person, raised, root } = yield* open({ files, withheld })
      put(root, {
        "a.txt": "2\n",
        ".env": "canary-1b\n",
        "private/x.txt": "canary-2b\n",
        "deep/server.pem": "canary-3b\n"
      })
      const diff = yield* call(GitDiff, {})
      assert.deepStrictEqual(diff.output.hidden, [".env", "deep/server.pem", "private/x.txt"])
      assert.include(diff.text, "[not shown: .env, deep/server.pem, private/x.txt]")
      person("mv", "private/x.txt", "public.txt")
      const staged = yield* call(GitDiff, { staged: true })
      const shown = yield* call(GitShow, { commit: "HEAD" })
      for (const { output, text } of [diff, staged, shown]) assert.notInclude(JSON.stringify(output) + text, "canary")
      // With the user's approval a secret file is committed, and named.
      assert.match((yield* raised(GitCommit, { message: "m", files: [".env"] })) ?? "", /\.env may hold credentials/)
      assert.isNull(yield* raised(GitCommit, { message: "m", files: ["a.txt"] }))
      assert.match((yield* raised(GitCommit, { message: "m", files: ["."] })) ?? "", /\.env may hold credentials/)
    })
  )

  it.live("a file that goes through a filter is not committed with other bytes", () =>
    Effect.gen(function* () {
      const { call, root } = yield* open({ files: { ".gitattributes": "*.bin filter=lfs\n", "a.txt": "1\n" } })
      put(root, { "big.bin": "1\n" })
      assert.match(
        words(yield* Effect.flip(call(GitCommit, { message: "m", files: ["big.bin"] }))),
        /goes through the filter "lfs"/
      )
    })
  )

  const Line = Schema.Literals([
    "one",
    "two",
    "@@ -1 +1 @@",
    "diff --git a/x b/x",
    "--- a/x",
    "+++ b/x",
    "",
    "\\ No newline",
    "é",
    "\t"
  ])
  const Text = Schema.Struct({ lines: Schema.Array(Line), ended: Schema.Boolean })
  const textOf = ({ ended, lines }: typeof Text.Type) => lines.join("\n") + (ended ? "\n" : "")

  it.live.prop(
    "for any lines, committing every hunk commits the current file",
    { before: Arbitrary.schema(Text), after: Arbitrary.schema(Text) },
    ({ after, before }) =>
      Effect.gen(function* () {
        const name = 'odd "é" name.txt'
        const { call, git: person, root } = yield* open({ files: { [name]: textOf(before) } })
        put(root, { [name]: textOf(after) })
        const { output } = yield* call(GitDiff, {})
        const hunks = output.files.flatMap((file) => file.hunks.map(({ id }) => id))
        if (hunks.length === 0) return assert.strictEqual(textOf(before), textOf(after))
        yield* call(GitCommit, { message: "all of it", hunks: [...new Set(hunks)] })
        assert.strictEqual(person("status", "--porcelain"), "")
        assert.strictEqual(git(root, "show", `HEAD:${name}`), textOf(after))
      }).pipe(Effect.scoped),
    { ...thorough, arbitrary: { runs: isThorough ? 6 : 2 } }
  )
})
