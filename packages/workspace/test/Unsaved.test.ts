import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { environment } from "../src/repository/GitSettings.ts"
import { command, open, put, words } from "./Scratch.ts"

const hasGit = spawnSync("git", ["--version"]).status === 0
const identity = ["-c", "user.name=test", "-c", "user.email=test@example.invalid"]

const git = (root: string, ...args: ReadonlyArray<string>): string => command("git", [...identity, ...args], root)

const commitAll = (root: string): void => {
  git(root, "add", "-A", "--force")
  git(root, "commit", "-q", "-m", "all")
}

describe.skipIf(!hasGit)("RepositoryRead.unsaved [needs git]", () => {
  it.live("names new, changed, staged and ignored files, and no unchanged committed ones", () =>
    Effect.gen(function* () {
      const { at, root, workspace } = yield* open({
        "src/same.txt": "1",
        "src/changed.txt": "1",
        "src/mode.sh": "1",
        'odd "name"\n.txt': "1",
        "é.txt": "1"
      })
      git(root, "init", "-q")
      fs.symlinkSync("same.txt", at("src/link"))
      fs.symlinkSync("same.txt", at("src/relinked"))
      commitAll(root)
      put(root, {
        ".gitignore": "*.log\n",
        "src/changed.txt": "2",
        "src/new.txt": "1",
        "src/staged.txt": "1",
        "x.log": "1"
      })
      git(root, "add", "src/staged.txt")
      fs.unlinkSync(at("src/relinked"))
      fs.symlinkSync("changed.txt", at("src/relinked"))
      const { unsaved } = workspace.repository([])
      assert.deepStrictEqual(yield* unsaved("src", 100), [
        "src/changed.txt",
        "src/new.txt",
        "src/relinked",
        "src/staged.txt"
      ])
      assert.deepStrictEqual(yield* unsaved("src/same.txt", 100), [])
      assert.deepStrictEqual(yield* unsaved("src/link", 100), [])
      assert.deepStrictEqual(yield* unsaved("x.log", 100), ["x.log"])
      assert.deepStrictEqual(yield* unsaved("é.txt", 100), [])
      assert.deepStrictEqual(yield* unsaved('odd "name"\n.txt', 100), [])
      assert.deepStrictEqual(yield* unsaved("src", 2), ["src/changed.txt", "src/new.txt"])
      assert.match(words(yield* Effect.flip(unsaved("none", 100))), /there is no file or directory/)
    })
  )

  it.live("knows the paths of a workspace that is a part of the repository", () =>
    Effect.gen(function* () {
      const { at, root } = yield* open({ "part/a.txt": "1", "part/deep/b.txt": "1" })
      git(root, "init", "-q")
      commitAll(root)
      const { workspace } = yield* open({}, { root: at("part") })
      put(root, { "part/deep/c.txt": "1" })
      assert.deepStrictEqual(yield* workspace.repository([]).unsaved("deep", 100), ["deep/c.txt"])
      assert.deepStrictEqual(yield* workspace.repository([]).unsaved("a.txt", 100), [])
    })
  )

  it.live("treats a path that looks like a flag or a pattern as a path", () =>
    Effect.gen(function* () {
      const { root, workspace } = yield* open({ "--output=x": "1", "*": "1", ":(top)a": "1" })
      git(root, "init", "-q")
      commitAll(root)
      put(root, { new: "1" })
      for (const name of ["--output=x", "*", ":(top)a"]) {
        assert.deepStrictEqual(yield* workspace.repository([]).unsaved(name, 100), [], name)
      }
    })
  )

  it.live("treats every file as unsaved without a repository, or before its first commit", () =>
    Effect.gen(function* () {
      const { root, workspace } = yield* open({ "a/b.txt": "1", "a/empty/": "" })
      assert.deepStrictEqual(yield* workspace.repository([]).unsaved("a", 100), ["a/b.txt"])
      assert.deepStrictEqual(yield* workspace.repository([]).unsaved("a/empty", 100), [])
      git(root, "init", "-q")
      git(root, "add", "a")
      assert.deepStrictEqual(yield* workspace.repository([]).unsaved("a", 100), ["a/b.txt"])
    })
  )

  it.live("works in a repository that names objects by SHA-256", () =>
    Effect.gen(function* () {
      const { root, workspace } = yield* open({ "a.txt": "1", "b.txt": "1" })
      git(root, "init", "-q", "--object-format=sha256")
      commitAll(root)
      put(root, { "b.txt": "2" })
      assert.deepStrictEqual(yield* workspace.repository([]).unsaved("a.txt", 100), [])
      assert.deepStrictEqual(yield* workspace.repository([]).unsaved("b.txt", 100), ["b.txt"])
    })
  )

  it.live("fetches no missing object by a command, also with an older git without that option", () =>
    Effect.gen(function* () {
      const { at, base, root } = yield* open({ "a.txt": "1" })
      git(root, "init", "-q")
      commitAll(root)
      const mark = path.join(base, "ran")
      fs.writeFileSync(at("evil.sh"), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 })
      git(root, "config", "remote.evil.url", `ext::${at("evil.sh")}`)
      git(root, "config", "remote.evil.promisor", "true")
      git(root, "config", "protocol.ext.allow", "always")
      git(root, "config", "extensions.partialClone", "evil")
      const { GIT_NO_LAZY_FETCH: _fetches, ...older }: Readonly<Record<string, string | undefined>> = environment()
      const {
        GIT_ALLOW_PROTOCOL: _protocols,
        GIT_CONFIG_COUNT: _settings,
        ...unguarded
      }: Readonly<Record<string, string | undefined>> = older
      const run = (env: Readonly<Record<string, string | undefined>>) =>
        spawnSync("git", ["-C", root, "cat-file", "-p", "1".repeat(40)], { env })
      run(older)
      assert.isFalse(fs.existsSync(mark))
      run(unguarded)
      assert.isTrue(fs.existsSync(mark))
    })
  )

  it.live("runs no program that the repository configures", () =>
    Effect.gen(function* () {
      const { at, base, root, workspace } = yield* open({ "a.txt": "1", "b.bin": "1" })
      git(root, "init", "-q")
      commitAll(root)
      const mark = path.join(base, "ran")
      const script = at("evil.sh")
      fs.writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> ${mark}\ncat\n`, { mode: 0o755 })
      const settings = [
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "core.editor",
        "core.askPass",
        "diff.external",
        "diff.x.textconv",
        "diff.x.command",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "alias.ls-tree",
        "pager.ls-tree",
        "gpg.program",
        "credential.helper",
        "interactive.diffFilter"
      ]
      for (const key of settings) git(root, "config", key, `${key.startsWith("alias") ? "!" : ""}${script}`)
      git(root, "config", "core.hooksPath", at("hooks"))
      for (const hook of ["post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman"]) {
        put(root, { [`hooks/${hook}`]: fs.readFileSync(script, "utf8") })
        fs.chmodSync(at(`hooks/${hook}`), 0o755)
      }
      put(root, { ".gitattributes": "* filter=x diff=x\n" })
      // A promise that a missing object can be fetched, by a command.
      git(root, "config", "remote.evil.url", `ext::${script}`)
      git(root, "config", "remote.evil.promisor", "true")
      git(root, "config", "protocol.ext.allow", "always")
      git(root, "config", "extensions.partialClone", "evil")
      fs.rmSync(mark, { force: true })
      // With a checked-out file touched, an ordinary status does run the program that is configured here.
      fs.utimesSync(at("a.txt"), 1, 1)
      spawnSync("git", ["status"], { cwd: root })
      assert.isTrue(fs.existsSync(mark))
      fs.rmSync(mark)
      assert.deepStrictEqual(yield* workspace.repository([]).unsaved("a.txt", 100), [])
      assert.isFalse(fs.existsSync(mark), fs.existsSync(mark) ? fs.readFileSync(mark, "utf8") : "")
      // The result is the same if the commit's own tree is missing.
      const tree = git(root, "rev-parse", "HEAD^{tree}").trim()
      fs.rmSync(at(`.git/objects/${tree.slice(0, 2)}/${tree.slice(2)}`))
      assert.deepStrictEqual(yield* workspace.repository([]).unsaved("a.txt", 100), ["a.txt"])
      assert.isFalse(fs.existsSync(mark), fs.existsSync(mark) ? fs.readFileSync(mark, "utf8") : "")
    })
  )
})
