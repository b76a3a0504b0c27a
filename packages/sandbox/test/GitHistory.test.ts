/** The history of a repository: no command cuts it off, because git then deletes the commits behind the cut. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { someOf, thorough } from "../../../test/thorough.ts"
import { bubblewrap, fresh } from "./Places.ts"
import { git, repository } from "./Repositories.ts"

const withGit = requires("linux", "bubblewrap", "git")

const commits = ["two", "three", "four"]

const grown = (workspace: string): void => {
  repository(workspace)
  for (const subject of commits) git(workspace, "commit", "-q", "--allow-empty", "-m", subject)
}

const history = (workspace: string): string => git(workspace, "log", "--format=%s").stdout

const whole = [...commits.toReversed(), "first", ""].join("\n")

/** Ways to cut the history off behind HEAD. */
const cuts = [
  ["a file", "git rev-parse HEAD >.git/shallow"],
  ["a file that was moved there", "git rev-parse HEAD >cut; mv cut .git/shallow"],
  ["a link", "git rev-parse HEAD >cut; ln -s ../cut .git/shallow"]
] as const

/** Ways to show another commit in place of HEAD. */
const replacements = [
  ["a reference", "git replace HEAD HEAD~2"],
  ["a file", "mkdir -p .git/refs/replace; git rev-parse HEAD~2 >.git/refs/replace/$(git rev-parse HEAD)"],
  ["packed references", "git replace HEAD HEAD~2; git pack-refs --all"],
  [
    "the file of packed references",
    "git pack-refs --all; echo $(git rev-parse HEAD~2) refs/replace/$(git rev-parse HEAD) >>.git/packed-refs"
  ]
] as const

describe.skipIf(withGit.skip || bubblewrap.skip)(`The history of a repository${withGit.suffix}`, () => {
  for (const [name, command] of someOf(cuts, 1)) {
    it.live(
      `is not cut off by ${name}`,
      () =>
        Effect.gen(function* () {
          const { run, workspace } = yield* fresh()
          grown(workspace)
          const ran = yield* run(`${command}; git log --format=%s | wc -l`)
          assert.strictEqual(ran.stdout, "1\n", "git does not read it")
          assert.include(ran.stderr, ".git/shallow")
          assert.isFalse(existsSync(join(workspace, ".git/shallow")))
          git(workspace, "reflog", "expire", "--expire=now", "--all")
          git(workspace, "gc", "-q", "--prune=now")
          assert.strictEqual(history(workspace), whole)
          assert.strictEqual(git(workspace, "fsck", "--strict").status, 0)
        }),
      thorough
    )
  }

  for (const [name, command] of someOf(replacements, 2)) {
    it.live(
      `is not shown differently from what a push sends, by ${name}, and a user's own replacements stay`,
      () =>
        Effect.gen(function* () {
          const { run, workspace } = yield* fresh()
          grown(workspace)
          // Each replaces the first commit by itself with another message.
          const own = git(workspace, "commit-tree", "HEAD^{tree}", "-m", "renamed").stdout.trim()
          const first = git(workspace, "rev-list", "--max-parents=0", "HEAD").stdout.trim()
          git(workspace, "replace", first, own)
          git(workspace, "pack-refs", "--all")
          const before = history(workspace)
          assert.include(before, "renamed")
          yield* run(command)
          assert.strictEqual(history(workspace), before)
          assert.strictEqual(git(workspace, "replace", "--list").stdout.trim(), first)
        }),
      thorough
    )
  }

  it.live("gets no files beside its packs that git trusts when it deletes", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      grown(workspace)
      git(workspace, "gc", "-q")
      const packs = join(workspace, ".git/objects/pack")
      const before = readdirSync(packs)
      const pack = before.find((name) => name.endsWith(".pack")) ?? ""
      assert.match(pack, /^pack-/)
      const base = pack.slice(0, -".pack".length)
      const ran = yield* run(
        `git commit -q --allow-empty -m five; for e in bitmap rev mtimes promisor; do echo forged >.git/objects/pack/${base}.$e; done; git repack -q -a -b; ls .git/objects/pack/*.pack | wc -l`
      )
      assert.strictEqual(ran.stdout, "1\n", ran.stderr)
      const after = readdirSync(packs).filter((name) => !before.includes(name))
      assert.sameMembers(
        after.map((name) => name.replace(/^.*\./u, "")),
        ["pack", "idx"]
      )
      assert.isFalse(after.some((name) => name.startsWith(base)))
      assert.strictEqual(git(workspace, "fsck", "--strict").status, 0)
      git(workspace, "gc", "-q", "--prune=now")
      assert.strictEqual(history(workspace), `five\n${whole}`)
    })
  )

  it.live("stays as short as the user's clone is", () =>
    Effect.gen(function* () {
      const { directory, run, workspace } = yield* fresh()
      grown(join(directory, "origin"))
      git(directory, "clone", "-q", "--depth=2", `file://${join(directory, "origin")}`, workspace)
      for (const [key, value] of Object.entries({ "user.name": "a", "user.email": "a@b" })) {
        git(workspace, "config", key, value)
      }
      const before = readFileSync(join(workspace, ".git/shallow"), "utf8")
      const ran = yield* run(
        "rm -f .git/shallow; mv .git/shallow x; git rev-parse HEAD >>.git/shallow; git commit -q --allow-empty -m five; git log --format=%s"
      )
      assert.strictEqual(ran.stdout, "five\nfour\nthree\n")
      assert.strictEqual(readFileSync(join(workspace, ".git/shallow"), "utf8"), before)
      assert.strictEqual(history(workspace), "five\nfour\nthree\n")
    })
  )
})
