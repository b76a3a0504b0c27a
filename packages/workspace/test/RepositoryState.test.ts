import { ProcessRunnerNode } from "@bough/sandbox"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { RepositoryState } from "../src/index.ts"
import { command, directories, put } from "./Scratch.ts"

const hasGit = spawnSync("git", ["--version"]).status === 0

const git = (root: string, ...args: ReadonlyArray<string>): string =>
  command(
    "git",
    ["-c", "user.name=test", "-c", "user.email=test@example.invalid", "-c", "protocol.file.allow=always", ...args],
    root
  )

const stateOf = (directory: string) =>
  Effect.provide(RepositoryState.repositoryState({ directory, timeoutMillis: 20_000 }), ProcessRunnerNode.layer)

/** A repository on the branch main with one commit. */
const repository = Effect.map(directories, ({ base, root }) => {
  git(root, "init", "-q", "-b", "main")
  put(root, { "a.txt": "one\n", "sub/b c\n.txt": "two\n", "run.sh": "#!/bin/sh\n" })
  git(root, "add", "-A")
  git(root, "commit", "-q", "-m", "one")
  return { base, root }
})

/** Ways in which a repository gets changes. */
const changes: Readonly<Record<string, (root: string) => void>> = {
  "another content": (root) => put(root, { "a.txt": "one more\n" }),
  "another content of the same size": (root) => {
    fs.writeFileSync(path.join(root, "a.txt"), "eno\n")
    fs.utimesSync(path.join(root, "a.txt"), 1, 1)
  },
  "a file that is gone": (root) => fs.rmSync(path.join(root, "sub/b c\n.txt")),
  "a file that is staged": (root) => {
    put(root, { "new.txt": "" })
    git(root, "add", "new.txt")
  },
  "a file that is staged to be removed": (root) => git(root, "rm", "-q", "--cached", "a.txt")
}

describe.skipIf(!hasGit)("RepositoryState [needs git]", () => {
  it.live("is the branch of the enclosing repository, without changes after a commit", () =>
    Effect.gen(function* () {
      const { root } = yield* repository
      assert.deepStrictEqual(yield* stateOf(root), { branch: "main", changed: false })
      assert.deepStrictEqual(yield* stateOf(path.join(root, "sub")), { branch: "main", changed: false })
      git(root, "switch", "-q", "-c", "topic/one")
      assert.deepStrictEqual(yield* stateOf(root), { branch: "topic/one", changed: false })
      git(root, "switch", "-q", "--detach")
      assert.deepStrictEqual(yield* stateOf(root), { branch: null, changed: false })
    }).pipe(Effect.scoped)
  )

  for (const [name, change] of Object.entries(changes)) {
    it.live(`has changes by ${name}, seen from the root and from below it`, () =>
      Effect.gen(function* () {
        const { root } = yield* repository
        change(root)
        assert.deepStrictEqual(yield* stateOf(root), { branch: "main", changed: true })
        assert.deepStrictEqual(yield* stateOf(path.join(root, "sub")), { branch: "main", changed: true })
        git(root, "add", "-A")
        git(root, "commit", "-q", "--allow-empty", "-m", "two")
        assert.deepStrictEqual(yield* stateOf(root), { branch: "main", changed: false })
      }).pipe(Effect.scoped)
    )
  }

  it.live("reads linked worktrees and submodules", () =>
    Effect.gen(function* () {
      const { base, root } = yield* repository
      const linked = path.join(base, "linked")
      git(root, "worktree", "add", "-q", linked, "-b", "side")
      assert.deepStrictEqual(yield* stateOf(linked), { branch: "side", changed: false })
      const outer = path.join(base, "outer")
      fs.mkdirSync(outer)
      git(outer, "init", "-q", "-b", "trunk")
      git(outer, "submodule", "--quiet", "add", root, "inner")
      git(outer, "commit", "-q", "-m", "with a submodule")
      assert.deepStrictEqual(yield* stateOf(outer), { branch: "trunk", changed: false })
      assert.deepStrictEqual(yield* stateOf(path.join(outer, "inner")), { branch: "main", changed: false })
    }).pipe(Effect.scoped)
  )

  it.live("does not know of changes before the first commit, and is null outside of a repository", () =>
    Effect.gen(function* () {
      const { root } = yield* directories
      assert.isNull(yield* stateOf(root))
      git(root, "init", "-q", "-b", "main")
      assert.deepStrictEqual(yield* stateOf(root), { branch: "main", changed: null })
    }).pipe(Effect.scoped)
  )

  it.live("runs no program that a repository configures", () =>
    Effect.gen(function* () {
      const { base, root } = yield* repository
      const marker = path.join(base, "ran")
      const program = `sh -c 'touch ${marker}; cat'`
      for (const key of [
        "filter.evil.clean",
        "filter.evil.process",
        "core.fsmonitor",
        "diff.evil.textconv",
        "diff.external"
      ]) {
        git(root, "config", key, program)
      }
      put(root, {
        ".git/info/attributes": "* filter=evil diff=evil\n",
        ".gitattributes": "* filter=evil diff=evil\n",
        "a.txt": "changed\n"
      })
      fs.utimesSync(path.join(root, "run.sh"), 1, 1)
      assert.deepStrictEqual(yield* stateOf(root), { branch: "main", changed: true })
      assert.isFalse(fs.existsSync(marker))
      // The same repository does run it if git compares contents.
      spawnSync("git", ["status"], { cwd: root })
      assert.isTrue(fs.existsSync(marker))
    }).pipe(Effect.scoped)
  )
})
