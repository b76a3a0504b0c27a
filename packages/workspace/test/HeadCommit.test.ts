import { ProcessRunnerNode } from "@bough/sandbox"
import { ProcessRunner } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { spawnSync } from "node:child_process"
import { symlinkSync } from "node:fs"
import { thoroughOnly } from "../../../test/thorough.ts"
import { HeadCommit } from "../src/index.ts"
import { command, directories, put } from "./Scratch.ts"

const hasGit = spawnSync("git", ["--version"]).status === 0

const git = (root: string, ...args: ReadonlyArray<string>): string =>
  command("git", ["-c", "user.name=test", "-c", "user.email=test@example.invalid", ...args], root)

const of = (directory: string) => Effect.provide(HeadCommit.headCommit(directory), ProcessRunnerNode.layer)

/** Reads the commit while no program can be started. */
const fromFiles = (directory: string) =>
  Effect.provide(
    HeadCommit.headCommit(directory),
    Layer.succeed(ProcessRunner.ProcessRunner, { run: ({ program }) => Effect.die(`${program} was started`) })
  )

const committed = Effect.map(directories, ({ base, root }) => {
  git(root, "init", "-q", "-b", "main")
  git(root, "commit", "-q", "--allow-empty", "-m", "one")
  return { base, root, first: git(root, "rev-parse", "HEAD").trim() }
})

describe.skipIf(!hasGit)("HeadCommit [needs git]", () => {
  it.live("is the checked-out commit, also below the root of its repository", () =>
    Effect.gen(function* () {
      const { root } = yield* directories
      git(root, "init", "-q")
      assert.isNull(yield* of(root))
      put(root, { "sub/a.txt": "1" })
      git(root, "add", "-A")
      git(root, "commit", "-q", "-m", "one")
      const first = git(root, "rev-parse", "HEAD").trim()
      assert.match(first, /^[0-9a-f]{40}$/)
      assert.deepStrictEqual([yield* of(root), yield* of(`${root}/sub`)], [first, first])
      git(root, "commit", "-q", "--allow-empty", "-m", "two")
      assert.strictEqual(yield* of(root), git(root, "rev-parse", "HEAD").trim())
    }).pipe(Effect.scoped)
  )

  it.live("is unknown at once if a pipe is in the place of its branch", () =>
    Effect.gen(function* () {
      const { root } = yield* committed
      command("rm", [".git/refs/heads/main"], root)
      command("mkfifo", [".git/refs/heads/main"], root)
      assert.isNull(yield* fromFiles(root))
    }).pipe(Effect.scoped)
  )

  it.live(
    "is unknown if git itself waits at a pipe",
    () =>
      Effect.gen(function* () {
        const { root } = yield* committed
        put(root, { ".git/refs/heads/main": "ref: refs/heads/other\n" })
        command("mkfifo", [".git/refs/heads/other"], root)
        assert.isNull(yield* of(root))
      }).pipe(Effect.scoped),
    thoroughOnly
  )

  it.live("starts no process outside of a repository, and none below a link into a repository", () =>
    Effect.gen(function* () {
      const { outside, root } = yield* directories
      const runner = yield* ProcessRunner.ProcessRunner
      const started: Array<string> = []
      const counted = ProcessRunner.ProcessRunner.of({
        ...runner,
        run: (command) =>
          Effect.andThen(
            Effect.sync(() => started.push(command.program)),
            runner.run(command)
          )
      })
      const of = (directory: string) =>
        Effect.provideService(HeadCommit.headCommit(directory), ProcessRunner.ProcessRunner, counted)
      git(outside, "init", "-q")
      git(outside, "commit", "-q", "--allow-empty", "-m", "one")
      put(outside, { "sub/": "" })
      symlinkSync(`${outside}/sub`, `${root}/link`)
      assert.deepStrictEqual([yield* of(root), started], [null, []])
      const head = git(outside, "rev-parse", "HEAD").trim()
      assert.deepStrictEqual([yield* of(`${root}/link`), started], [head, []])
    }).pipe(Effect.scoped, Effect.provide(ProcessRunnerNode.layer))
  )

  it.live("is read without a program, however the repository names it", () =>
    Effect.gen(function* () {
      const { base, first, root } = yield* committed
      const linked = `${base}/linked`
      git(root, "worktree", "add", "-q", "-b", "topic/one", linked)
      git(linked, "commit", "-q", "--allow-empty", "-m", "two")
      const second = git(linked, "rev-parse", "HEAD").trim()
      assert.notStrictEqual(second, first)
      assert.deepStrictEqual([yield* fromFiles(root), yield* fromFiles(linked)], [first, second])
      git(root, "pack-refs", "--all")
      assert.deepStrictEqual([yield* fromFiles(root), yield* fromFiles(linked)], [first, second])
      git(root, "switch", "-q", "--detach", second)
      assert.strictEqual(yield* fromFiles(root), second)
      git(root, "switch", "-q", "--orphan", "empty")
      assert.isNull(yield* fromFiles(root))
    }).pipe(Effect.scoped)
  )

  it.live("asks git if HEAD names another name, a branch of another alphabet or a damaged one", () =>
    Effect.gen(function* () {
      const { first, root } = yield* committed
      git(root, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
      git(root, "symbolic-ref", "HEAD", "refs/heads/alias")
      assert.strictEqual(yield* of(root), first)
      git(root, "switch", "-q", "-c", "größe")
      assert.strictEqual(yield* of(root), first)
      put(root, { ".git/refs/heads/größe": "" })
      assert.isNull(yield* of(root))
    }).pipe(Effect.scoped)
  )

  it.live("is null outside of a repository, and in a missing directory", () =>
    Effect.gen(function* () {
      const { root } = yield* directories
      assert.deepStrictEqual([yield* of(root), yield* of(`${root}/none`)], [null, null])
    }).pipe(Effect.scoped)
  )
})
