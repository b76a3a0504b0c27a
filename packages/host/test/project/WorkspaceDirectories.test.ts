/** Which directories belong to a workspace beside its folder. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseFlag, repositoryAround, resolveAdditional } from "../../src/project/WorkspaceDirectories.ts"

const scratch = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "bough-test-")))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

const make = (directory: string, ...names: ReadonlyArray<string>): string => {
  for (const name of names) mkdirSync(join(directory, name), { recursive: true })
  return directory
}

describe("The repository around a folder", () => {
  it.live("is the nearest one above, also where its .git is a file", () =>
    Effect.gen(function* () {
      const base = make(yield* scratch, "repository/.git", "repository/a/b", "repository/tree/c")
      writeFileSync(join(base, "repository/tree/.git"), "gitdir: ../.git/worktrees/tree\n")
      const around = (name: string) => repositoryAround(join(base, name), "/nonexistent")
      assert.strictEqual(around("repository/a/b"), join(base, "repository"))
      assert.strictEqual(around("repository"), join(base, "repository"))
      assert.strictEqual(around("repository/tree/c"), join(base, "repository/tree"))
    })
  )

  it.live("is the folder itself without one, and where one would hold the home directory", () =>
    Effect.gen(function* () {
      const base = make(yield* scratch, "home/.git", "home/me/code", "plain/a")
      assert.strictEqual(repositoryAround(join(base, "plain/a"), join(base, "home/me")), join(base, "plain/a"))
      assert.strictEqual(
        repositoryAround(join(base, "home/me/code"), join(base, "home/me")),
        join(base, "home/me/code")
      )
      symlinkSync(join(base, "home"), join(base, "link"))
      assert.strictEqual(repositoryAround(join(base, "home/me/code"), join(base, "link")), join(base, "home/me/code"))
    })
  )
})

describe("Additional directories", () => {
  it.live("are found from the folder, the home directory and the root, without links", () =>
    Effect.gen(function* () {
      const base = make(yield* scratch, "work", "beside", "home/notes")
      symlinkSync(join(base, "beside"), join(base, "link"))
      const place = { root: join(base, "work"), home: join(base, "home") }
      const found = yield* resolveAdditional(
        [
          { path: "../beside", access: "read-only" },
          { path: "~/notes" },
          parseFlag(`${base}/link:ro`),
          parseFlag("../link")
        ],
        place
      )
      assert.deepStrictEqual(found, [
        { path: join(base, "beside"), writable: false },
        { path: join(base, "home/notes"), writable: true },
        { path: join(base, "beside"), writable: false },
        { path: join(base, "beside"), writable: true }
      ])
    })
  )

  it.live("are refused by name where they are no directories", () =>
    Effect.gen(function* () {
      const base = make(yield* scratch, "work")
      writeFileSync(join(base, "file"), "")
      for (const path of ["../gone", "../file"]) {
        const error = yield* Effect.flip(resolveAdditional([{ path }], { root: join(base, "work"), home: base }))
        assert.include(error.message, JSON.stringify(path))
      }
    })
  )
})
