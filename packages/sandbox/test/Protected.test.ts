/**
 * `.git` and `.bough` of a workspace, existing or not: no command changes them, and the host sees nothing of the
 * protection.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { reserve, release } from "../src/internal/Reserved.ts"
import { asRoot, bubblewrap, fresh, place } from "./Places.ts"

const attempts = (name: string): string =>
  [
    `mkdir ${name}`,
    `mkdir -p ${name}/hooks`,
    `echo evil > ${name}/config`,
    `rm -rf ${name}`,
    `mv ${name} moved && mkdir ${name}`,
    `mkdir other && mv -T other ${name}`,
    `rmdir other`,
    `ln -sfn /tmp ${name}`,
    `(cd .. && mv workspace away)`
  ].join("; ")

describe.skipIf(bubblewrap.skip)(`Protected names${bubblewrap.suffix}`, () => {
  for (const name of [".git", ".bough"]) {
    it.live(`a missing ${name} cannot be created, and is missing afterwards`, () =>
      Effect.gen(function* () {
        const { run, workspace } = yield* fresh()
        const ran = yield* run(`${attempts(name)}; ls -A ${name}; touch done`)
        assert.strictEqual(ran.stdout, "")
        assert.deepStrictEqual(readdirSync(workspace), ["done"])
      })
    )

    it.live(`an existing ${name} stays unchanged`, () =>
      Effect.gen(function* () {
        const { run, workspace } = yield* fresh()
        mkdirSync(join(workspace, name, "hooks"), { recursive: true })
        writeFileSync(join(workspace, name, "config"), "kept")
        const ran = yield* run(`${attempts(name)}; cat ${name}/config`)
        assert.strictEqual(ran.stdout, "kept")
        assert.deepStrictEqual(readdirSync(workspace), [name])
        assert.deepStrictEqual(readdirSync(join(workspace, name)), ["config", "hooks"])
        assert.deepStrictEqual(readdirSync(join(workspace, name, "hooks")), [])
      })
    )

    it.live(`a ${name} that is a link is refused: its target could be swapped`, () =>
      Effect.gen(function* () {
        const { directory, run, workspace } = yield* fresh()
        mkdirSync(join(directory, "elsewhere"))
        symlinkSync(join(directory, "elsewhere"), join(workspace, name))
        const error = yield* Effect.flip(run("touch made"))
        assert.strictEqual(error._tag, "PermissionDenied")
        assert.include(error.message, "is a link")
        assert.deepStrictEqual(readdirSync(workspace), [name])
      })
    )
  }

  it.live("the hooks of a repository cannot be swapped by moving the whole .git", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      spawnSync("git", ["init", "-q", workspace])
      const ran = yield* run(
        "mv .git g2; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit; git config core.fsmonitor evil; git status --short"
      )
      assert.match(ran.stderr, /Device or resource busy/)
      assert.isFalse(existsSync(join(workspace, ".git/hooks/pre-commit")))
      assert.isFalse(existsSync(join(workspace, "g2")))
      assert.notInclude(readFileSync(join(workspace, ".git/config"), "utf8"), "evil")
    })
  )

  it.live("one command that ends does not unprotect another that continues", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      const started = yield* Deferred.make<void>()
      const long = yield* Effect.forkChild(
        run(
          "echo started; until [ -e go ]; do sleep 0.02; done; mkdir .bough && echo made; mv .bough away && echo moved",
          {
            onOutput: () => Effect.asVoid(Deferred.succeed(started, undefined))
          }
        )
      )
      yield* Deferred.await(started)
      yield* run("true")
      yield* run("touch go")
      assert.strictEqual((yield* Fiber.join(long)).stdout, "started\n")
      assert.deepStrictEqual(readdirSync(workspace), ["go"])
    })
  )

  it.live("a linked worktree finds its repository, and nothing beside it", () =>
    Effect.gen(function* () {
      const { directory, run, workspace } = yield* fresh()
      const main = join(directory, "main")
      const git = (...args: ReadonlyArray<string>) =>
        spawnSync("git", ["-C", main, "-c", "user.name=a", "-c", "user.email=a@b", ...args])
      mkdirSync(main)
      git("init", "-q")
      git("commit", "-q", "--allow-empty", "-m", "first")
      rmdirSync(workspace)
      git("worktree", "add", "-q", workspace)
      const ran = yield* run(`git log --format=%s; touch ${main}/x ${main}/.git/hooks/x`)
      assert.strictEqual(ran.stdout, "first\n")
      assert.deepStrictEqual([existsSync(join(main, "x")), existsSync(join(main, ".git/hooks/x"))], [false, false])
    })
  )

  it.live("a file that only claims to be a worktree shows nothing", () =>
    Effect.gen(function* () {
      const { directory, run, workspace } = yield* fresh()
      const foreign = join(directory, "foreign/.git")
      for (const path of ["worktrees/w", "objects", "refs"]) mkdirSync(join(foreign, path), { recursive: true })
      writeFileSync(join(foreign, "HEAD"), "canary-88")
      writeFileSync(join(foreign, "worktrees/w/gitdir"), join(directory, "another/.git"))
      writeFileSync(join(workspace, ".git"), `gitdir: ${foreign}/worktrees/w\n`)
      assert.strictEqual((yield* run(`cat ${foreign}/HEAD`)).stdout, "")
    })
  )
})

describe("Reserved", () => {
  it.live("a directory left by a process that died is taken over and cleared", () =>
    Effect.gen(function* () {
      const { workspace } = yield* place()
      const mine = yield* reserve(workspace, ".bough")
      const [mark] = readdirSync(join(workspace, ".bough"))
      // The same mark with an impossible pid, like that of a killed process.
      mkdirSync(join(workspace, ".bough", mark.replace(/-\d+-(\d+)-\d+$/, "-99999999-$1-0")))
      const second = yield* reserve(workspace, ".bough")
      assert.strictEqual(second._tag, "Reserved")
      yield* release(mine)
      assert.isTrue(existsSync(join(workspace, ".bough")))
      yield* release(second)
      assert.isFalse(existsSync(join(workspace, ".bough")))
    })
  )

  it.live("a mark of another PID namespace stays, since its process cannot be looked up from here", () =>
    Effect.gen(function* () {
      const { workspace } = yield* place()
      const mine = yield* reserve(workspace, ".bough")
      const [mark] = readdirSync(join(workspace, ".bough"))
      const foreign = mark.replace(
        /^(bough-sandbox-)\d+-\d+-(\d+)-\d+$/,
        (_, name: string, started: string) => `${name}1-99999999-${started}-0`
      )
      assert.notStrictEqual(foreign, mark)
      mkdirSync(join(workspace, ".bough", foreign))
      const second = yield* reserve(workspace, ".bough")
      assert.strictEqual(second._tag, "Reserved")
      yield* release(second)
      yield* release(mine)
      assert.deepStrictEqual(readdirSync(join(workspace, ".bough")), [foreign])
    })
  )

  it.live("runs of one process share a mark, and the directory stays until the last of them", () =>
    Effect.gen(function* () {
      const { workspace } = yield* place()
      const first = yield* reserve(workspace, ".bough")
      const second = yield* reserve(workspace, ".bough")
      assert.lengthOf(readdirSync(join(workspace, ".bough")), 1)
      yield* release(first)
      const third = yield* reserve(workspace, ".bough")
      yield* release(second)
      assert.lengthOf(readdirSync(join(workspace, ".bough")), 1)
      yield* release(third)
      assert.isFalse(existsSync(join(workspace, ".bough")))
      yield* release(yield* reserve(workspace, ".bough"))
      assert.isFalse(existsSync(join(workspace, ".bough")))
    })
  )

  it.live("a file that a user puts beside the mark between two runs stays", () =>
    Effect.gen(function* () {
      const { workspace } = yield* place()
      const first = yield* reserve(workspace, ".bough")
      writeFileSync(join(workspace, ".bough/config.jsonc"), "{}")
      assert.strictEqual((yield* reserve(workspace, ".bough"))._tag, "Present")
      yield* release(first)
      assert.deepStrictEqual(readdirSync(join(workspace, ".bough")), ["config.jsonc"])
    })
  )

  it.live("runs that share a mark keep it if a second one had to be made", () =>
    Effect.gen(function* () {
      const { workspace } = yield* place()
      const [first, second] = [yield* reserve(workspace, ".bough"), yield* reserve(workspace, ".bough")]
      const [mark] = readdirSync(join(workspace, ".bough"))
      const foreign = mark.replace(/^(bough-sandbox-)\d+/, (_, name: string) => `${name}1`)
      mkdirSync(join(workspace, ".bough", foreign))
      const third = yield* reserve(workspace, ".bough")
      assert.lengthOf(readdirSync(join(workspace, ".bough")), 3)
      rmdirSync(join(workspace, ".bough", foreign))
      yield* release(third)
      yield* release(first)
      assert.deepStrictEqual(readdirSync(join(workspace, ".bough")), [mark])
      yield* release(second)
      assert.isFalse(existsSync(join(workspace, ".bough")))
    })
  )

  it.live("a directory with any other content is not ours", () =>
    Effect.gen(function* () {
      const { workspace } = yield* place()
      mkdirSync(join(workspace, ".bough"))
      writeFileSync(join(workspace, ".bough/config.jsonc"), "{}")
      const standing = yield* reserve(workspace, ".bough")
      assert.strictEqual(standing._tag, "Present")
      yield* release(standing)
      assert.deepStrictEqual(readdirSync(join(workspace, ".bough")), ["config.jsonc"])
    })
  )

  it.live.skipIf(asRoot.skip)(
    `a directory of another account is there, although it cannot be read${asRoot.suffix}`,
    () =>
      Effect.gen(function* () {
        const { workspace } = yield* place(65_534)
        mkdirSync(join(workspace, ".git"), { mode: 0o700 })
        const standing = yield* Effect.acquireUseRelease(
          Effect.sync(() => process.seteuid?.(65_534)),
          () => reserve(workspace, ".git"),
          () => Effect.sync(() => process.seteuid?.(0))
        )
        assert.strictEqual(standing._tag, "Present")
      })
  )
})
