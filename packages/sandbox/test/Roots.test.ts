/** The directories that commands see beside their folder: the repository around it, and additional directories. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Sandbox } from "../src/index.ts"
import { bubblewrap, environment, place } from "./Places.ts"

const put = (directory: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), content)
  }
}

const git = (directory: string, ...args: ReadonlyArray<string>) =>
  spawnSync("git", ["-C", directory, "-c", "user.name=a", "-c", "user.email=a@b", ...args], { encoding: "utf8" })

/** A repository that starts in `packages/app`, beside it a library to read and a folder to write. */
const monorepo = Effect.gen(function* () {
  const { directory, workspace: repository } = yield* place()
  put(repository, { "package.json": "{}\n", "packages/app/a": "a\n", "packages/lib/b": "b\n", ".env": "canary-17" })
  git(repository, "init", "-q")
  git(repository, "config", "user.name", "a")
  git(repository, "config", "user.email", "a@b")
  git(repository, "add", "packages", "package.json")
  git(repository, "commit", "-qm", "first")
  put(directory, {
    "library/c": "c\n",
    "library/.npmrc": "canary-17\n_auth=canary-17\n",
    "joint/d": "d\n",
    "beside/e": "canary-17"
  })
  const [library, shared] = [join(directory, "library"), join(directory, "joint")]
  const sandbox = yield* Sandbox.make({}, environment)
  const session = {
    root: join(repository, "packages/app"),
    repository,
    additionalDirectories: [
      { path: library, writable: false },
      { path: shared, writable: true }
    ]
  }
  const runAs = (writable: boolean) => sandbox.provided({ ...session, writable }).make({} as never, () => {}).run
  return { directory, repository, library, shared, sandbox, session, run: runAs(true), runAs }
})

describe.skipIf(bubblewrap.skip)(`Roots of a session${bubblewrap.suffix}`, () => {
  it.live("start in the folder, with all of the repository around it", () =>
    Effect.gen(function* () {
      const { repository, run } = yield* monorepo
      const ran = yield* run(
        "pwd; cat ../lib/b ../../package.json; echo x > ../lib/x; git add ..; git commit -qm second; git log --format=%s; cat ../../.env"
      )
      assert.strictEqual(ran.stdout, `${repository}/packages/app\nb\n{}\nsecond\nfirst\n`)
      assert.strictEqual(git(repository, "status", "--short").stdout, "?? .env\n")
      const elsewhere = yield* run("pwd", { cwd: "../.." })
      assert.strictEqual(elsewhere.stdout, `${repository}\n`)
      const outside = yield* Effect.flip(run("pwd", { cwd: "../../.." }))
      assert.include(outside.message, "outside the workspace")
    })
  )

  for (const below of ["/var/tmp", "/dev/shm", "/tmp"]) {
    it.live(`may be below ${below}, where other files are private and not kept`, () =>
      Effect.gen(function* () {
        const directory = yield* Effect.acquireRelease(
          Effect.sync(() => realpathSync(mkdtempSync(join(below, "bough-test-")))),
          (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
        )
        const [workspace, beside] = [join(directory, "workspace"), `${directory}-beside`]
        put(workspace, { "a.txt": "a\n" })
        const sandbox = yield* Sandbox.make({}, environment)
        const { run } = sandbox.provided({ root: workspace, writable: true }).make({} as never, () => {})
        const ran = yield* run(
          `pwd; cat a.txt; echo b >b.txt; echo c >${beside} && cat ${beside}; echo d >/var/tmp/d && cat /var/tmp/d; ls ${directory}`
        )
        assert.strictEqual(ran.stdout, `${workspace}\na\nc\nd\nworkspace\n`, ran.stderr)
        assert.strictEqual(readFileSync(join(workspace, "b.txt"), "utf8"), "b\n")
        assert.isFalse([beside, "/var/tmp/d"].some(existsSync), "it was kept")
      })
    )
  }

  it.live("show additional directories at their own paths, and nothing beside them", () =>
    Effect.gen(function* () {
      const { directory, library, run, shared } = yield* monorepo
      const ran = yield* run(
        `cat ${library}/c ${shared}/d; echo x > ${library}/x; rm -f ${library}/c; echo x > ${shared}/x; cat ${library}/.npmrc ${directory}/beside/e; ls ${directory}`
      )
      assert.strictEqual(ran.stdout, "c\nd\ncanary-17\njoint\nlibrary\nworkspace\n")
      assert.deepStrictEqual(
        [existsSync(join(library, "x")), readFileSync(join(library, "c"), "utf8"), existsSync(join(shared, "x"))],
        [false, "c\n", true]
      )
      assert.strictEqual((yield* run("pwd", { cwd: shared })).stdout, `${shared}\n`)
    })
  )

  it.live("quarantine forbidden files in each of them", () =>
    Effect.gen(function* () {
      const { repository, run, shared } = yield* monorepo
      const ran = yield* run(
        `git init -q ${shared}/new; echo evil > ../AGENTS.md; mkdir ${shared}/.bough ${shared}/.git; git init -q ${shared}`
      )
      assert.include(ran.stderr, 'held back "new/.git"')
      assert.include(ran.stderr, 'held back "packages/AGENTS.md"')
      assert.isFalse(existsSync(join(shared, "new/.git")))
      assert.isFalse(existsSync(join(shared, ".git")))
      assert.isFalse(existsSync(join(repository, "packages/AGENTS.md")))
    })
  )

  it.live("are all read-only for a read-only session", () =>
    Effect.gen(function* () {
      const { repository, runAs, shared } = yield* monorepo
      const ran = yield* runAs(false)(`touch x ../x ${shared}/x; git commit --allow-empty -qm x; git log --format=%s`)
      assert.strictEqual(ran.stdout, "first\n")
      assert.isFalse(existsSync(join(shared, "x")))
      assert.strictEqual(git(repository, "log", "--format=%s").stdout, "first\n")
    })
  )

  it.live("that are nested are shown once, and the inner one may be more writable", () =>
    Effect.gen(function* () {
      const { directory, repository, sandbox } = yield* monorepo
      const { run } = sandbox
        .provided({
          root: repository,
          writable: true,
          additionalDirectories: [
            { path: directory, writable: false },
            { path: join(repository, "packages"), writable: false },
            { path: join(directory, "joint"), writable: true }
          ]
        })
        .make({} as never, () => {})
      const ran = yield* run("touch packages/x ../joint/x && cat ../beside/e && touch ../beside/x")
      assert.strictEqual(ran.stdout, "canary-17")
      assert.match(ran.stderr, /Read-only/u)
    })
  )

  it.live("are refused if one contains the home directory or is missing", () =>
    Effect.gen(function* () {
      const { repository, sandbox } = yield* monorepo
      for (const path of ["/", join(repository, "gone")]) {
        const session = { root: repository, writable: true, additionalDirectories: [{ path, writable: false }] }
        const error = yield* Effect.flip(
          sandbox
            .provided(session)
            .make({} as never, () => {})
            .run("true")
        )
        assert.match(error.message, /holds your home directory|does not exist/u)
      }
    })
  )
})
