/** Repositories with names, authors, times, sizes and settings that git accepts and no user would choose. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { requires } from "../../../test/requirements.ts"
import { someOf, thorough, thoroughOnly } from "../../../test/thorough.ts"
import { GitBlame, GitCommit, GitDiff, GitListBranches, GitLog, GitShow, GitStatus } from "../src/index.ts"
import { type OpenedDoor } from "./doors.ts"
import { open, put, words } from "./Harness.ts"

const program = requires("git")

/** Settings by which users change what git prints. */
const settings = [
  ["diff.suppressBlankEmpty", "true"],
  ["diff.noPrefix", "true"],
  ["diff.mnemonicPrefix", "true"],
  ["diff.srcPrefix", "x/y/"],
  ["diff.dstPrefix", "x/y/"],
  ["diff.relative", "true"],
  ["diff.context", "0"],
  ["diff.interHunkContext", "50"],
  ["diff.orderFile", "/etc/passwd"],
  ["diff.algorithm", "patience"],
  ["diff.wsErrorHighlight", "all"],
  ["color.ui", "always"],
  ["color.diff", "always"],
  ["color.status", "always"],
  ["color.branch", "always"],
  ["core.quotePath", "true"],
  ["status.relativePaths", "false"],
  ["status.short", "true"],
  ["status.branch", "false"],
  ["status.showUntrackedFiles", "no"],
  ["log.follow", "true"],
  ["log.abbrevCommit", "true"],
  ["log.showRoot", "false"],
  ["log.decorate", "full"],
  ["format.pretty", "raw"],
  ["apply.whitespace", "error"],
  ["commit.template", "/etc/passwd"],
  ["commit.status", "false"],
  ["commit.verbose", "2"],
  ["i18n.commitEncoding", "UTF-16"]
] as const

/** Makes a commit of the tree of HEAD from its raw lines, and checks out its branch. */
const commit = ({ at, git: person }: OpenedDoor, lines: ReadonlyArray<string>, message: string): string => {
  const tree = person("rev-parse", "HEAD^{tree}")
  const parent = person("rev-parse", "HEAD")
  fs.writeFileSync(at(".git/raw"), [`tree ${tree}`, `parent ${parent}`, ...lines, "", message].join("\n"))
  const id = person("hash-object", "-t", "commit", "-w", "--literally", at(".git/raw"))
  person("update-ref", "HEAD", id)
  return id
}

const ada = "Ada <ada@example.invalid> 1700000000 +0000"

describe.skipIf(program.skip)(`git tools over an odd repository${program.suffix}`, () => {
  it.live("an author, a subject and a time are shown as they are, and do not pass for another field", () =>
    Effect.gen(function* () {
      const opened = yield* open()
      const forged = `Eve\u001feve@example.invalid\u001f0\u001fforged <eve@example.invalid> 99999999999999 +0000`
      const id = commit(opened, [`author ${forged}`, `committer ${ada}`], "subject\u001fof\u001fit\n\nbody\u001f")
      const { output, text } = yield* opened.call(GitLog, {})
      assert.deepInclude(output.commits[0] ?? {}, {
        id,
        author: "Eve\u001feve@example.invalid\u001f0\u001fforged",
        email: "eve@example.invalid",
        subject: "subject\u001fof\u001fit",
        body: "body\u001f"
      })
      assert.include(text, "at no date Eve")
      assert.include((yield* opened.call(GitShow, { commit: id })).text, "<eve@example.invalid>")
      assert.lengthOf((yield* opened.call(GitBlame, { path: "a.txt", toLine: 3 })).output.lines, 3)
      assert.strictEqual((yield* opened.call(GitListBranches, {})).output.branches[0]?.name, "main")
    })
  )

  it.live("a commit without an author has an empty one", () =>
    Effect.gen(function* () {
      const opened = yield* open()
      const id = commit(opened, [`committer ${ada}`], "orphan")
      const { output } = yield* opened.call(GitLog, { limit: 1 })
      assert.deepInclude(output.commits[0] ?? {}, { id, author: "", subject: "orphan" })
      yield* opened.call(GitShow, { commit: id })
    })
  )

  it.live(
    "a history whose messages are too long is cut after whole commits, and says so",
    () =>
      Effect.gen(function* () {
        const opened = yield* open()
        const header = [`author ${ada}`, `committer ${ada}`]
        for (const subject of ["one", "two", "three"])
          commit(opened, header, `${subject}\n\n${"x".repeat(7 * 2 ** 20)}`)
        const { output, text } = yield* opened.call(GitLog, {})
        assert.deepStrictEqual(
          output.commits.map(({ subject }) => subject),
          ["three", "two"]
        )
        assert.isTrue(output.truncated)
        assert.include(text, "there are more")
        const id = commit(opened, header, `four\n\n${"x".repeat(17 * 2 ** 20)}`)
        assert.match(words(yield* Effect.flip(opened.call(GitShow, { commit: id }))), /is too long to be read/u)
        assert.deepStrictEqual((yield* opened.call(GitLog, {})).output, { commits: [], truncated: true })
        // A subject may be as long.
        commit(opened, header, "y".repeat(17 * 2 ** 20))
        assert.deepStrictEqual((yield* opened.call(GitListBranches, {})).output.branches, [])
      }),
    thoroughOnly
  )

  it.live.each(someOf([["all of them", settings] as const, ...settings.map((one) => [one[0], [one]] as const)], 1))(
    "settings of the output (%s) change no result",
    ([, set]) =>
      Effect.gen(function* () {
        const before = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? "" : `line ${at}`))
        const after = before.map((line, at) => (at === 1 || at === 19 ? `${line} changed` : line))
        const results = []
        for (const each of [[], set]) {
          const { call, git: person, root } = yield* open({ files: { "é/a b.txt": before.join("\n"), "b.txt": "1\n" } })
          for (const [key, value] of each) person("config", key, value)
          put(root, { "é/a b.txt": after.join("\n"), "b.txt": "2\n", "new.txt": "1\n" })
          const { output: diff } = yield* call(GitDiff, {})
          const { output: status } = yield* call(GitStatus, {})
          const [hunk] = diff.files.find(({ path }) => path !== "b.txt")?.hunks ?? []
          const { output: made } = yield* call(GitCommit, { message: "one hunk\n\nbody", hunks: [hunk?.id ?? ""] })
          const { output: log } = yield* call(GitLog, {})
          results.push([
            diff,
            { ...status, commit: null },
            { ...made, id: null },
            log.commits.map(({ author, body, subject }) => [author, subject, body]),
            person("cat-file", "-p", "HEAD:é/a b.txt"),
            person("diff-index", "--name-status", "HEAD")
          ])
        }
        assert.deepStrictEqual(results[1], results[0])
      }),
    thorough
  )

  it.live.each(["/proc/self/cwd/more", "//proc/self/cwd/more", "/dev/fd/../cwd/more", "/dev/../proc/self/cwd/more"])(
    "a setting may not include a file of the workspace as %s",
    (path) =>
      Effect.gen(function* () {
        const { call, git: person } = yield* open()
        person("config", "include.path", path)
        assert.match(words(yield* Effect.flip(call(GitStatus, {}))), /configuration includes the file/u)
      })
  )

  it.live("a setting may not include a file of the workspace through a link outside of it", () =>
    Effect.gen(function* () {
      const { at, base, call, git: person } = yield* open()
      fs.writeFileSync(at("more"), "")
      fs.symlinkSync(at("more"), `${base}/link`)
      person("config", "include.path", `${base}/link`)
      assert.match(words(yield* Effect.flip(call(GitStatus, {}))), /configuration includes the file/u)
      fs.writeFileSync(`${base}/own`, "")
      person("config", "include.path", `${base}/own`)
      yield* call(GitStatus, {})
    })
  )

  it.live("a setting of the worktree may not include a file of the workspace", () =>
    Effect.gen(function* () {
      const { at, call, git: person } = yield* open()
      fs.writeFileSync(at("more"), "")
      person("config", "extensions.worktreeConfig", "true")
      person("config", "--worktree", "include.path", at("more"))
      assert.match(words(yield* Effect.flip(call(GitStatus, {}))), /configuration includes the file/u)
    })
  )

  it.live("a filter of an included file outside of the workspace is off", () =>
    Effect.gen(function* () {
      const { base, call, git: person, root } = yield* open()
      const mark = `${base}/mark`
      fs.writeFileSync(`${base}/own`, `[filter "own"]\n\tclean = touch ${mark} && cat\n`)
      person("config", "include.path", `${base}/own`)
      put(root, { ".gitattributes": "* filter=own\n", "a.txt": "1\n2\n" })
      yield* call(GitDiff, {})
      assert.isFalse(fs.existsSync(mark))
      person("diff")
      assert.isTrue(fs.existsSync(mark))
    })
  )

  it.live("an operation reads the configuration by one start of git, and the author by two", () =>
    Effect.gen(function* () {
      const started: Array<ReadonlyArray<string>> = []
      const { call, root } = yield* open({ onGit: (args) => started.push(args) })
      const configReads = () => started.splice(0).filter((args) => args.includes("config"))
      yield* call(GitStatus, {})
      assert.lengthOf(configReads(), 1)
      put(root, { "a.txt": "1\n" })
      yield* call(GitCommit, { message: "one", files: ["a.txt"] })
      const ofAuthor = configReads().filter((args) => args.some((arg) => arg.includes("user")))
      assert.lengthOf(ofAuthor, 2)
    })
  )
})
