/** A command that closes the workspace to its owner: the checks after it read the directory all the same. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { existsSync, lstatSync, statSync } from "node:fs"
import { join } from "node:path"
import { asRoot, bubblewrap, fresh } from "./Places.ts"

const suite = (name: string, owner: number | undefined, requirement: typeof bubblewrap) =>
  describe.skipIf(requirement.skip)(`A command that closes the workspace, ${name}${requirement.suffix}`, () => {
    it.live.each(["000", "300", "500"])(
      "to mode %s leaves no file that instructs agents, and it is open again",
      (mode) =>
        Effect.gen(function* () {
          const { run, workspace } = yield* fresh({}, owner)
          const before = statSync(workspace).mode
          const made = "echo evil > CLAUDE.md; mkdir .vscode; echo evil > .vscode/tasks.json"
          const { stderr } = yield* run(`${made}; chmod ${mode} .`)
          assert.strictEqual(statSync(workspace).mode & 0o700, before & 0o700)
          assert.include(stderr, `a command took away your access to "${workspace}"; it was restored`)
          assert.include(stderr, 'held back "CLAUDE.md"')
          assert.deepStrictEqual(
            ["CLAUDE.md", ".vscode"].filter((entry) => existsSync(join(workspace, entry))),
            []
          )
        })
    )

    it.live.each([".git", ".git/refs/heads", ".git/refs/heads/a"])("hides no link by closing %s", (closed) =>
      Effect.gen(function* () {
        const { run, workspace } = yield* fresh({}, owner)
        spawnSync("git", ["-C", workspace, "init", "-q"])
        if (owner !== undefined) spawnSync("chown", ["-R", `${owner}:${owner}`, workspace])
        const { stderr } = yield* run(`mkdir .git/refs/heads/a; ln -s /tmp/x .git/refs/heads/a/b; chmod 000 ${closed}`)
        assert.include(stderr, "refs/heads/a/b")
        assert.isUndefined(lstatSync(join(workspace, ".git/refs/heads/a/b"), { throwIfNoEntry: false }))
        assert.strictEqual(statSync(join(workspace, closed)).mode & 0o700, 0o700)
      })
    )
  })

suite("run by the user of the tests", undefined, bubblewrap)
suite("run by root for an ordinary user", 65_534, asRoot)
