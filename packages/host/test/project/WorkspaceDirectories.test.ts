/** Tests of the directories that belong to a workspace in addition to its folder. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { hasMember } from "../../src/project/MonorepoRoot.ts"
import { parseFlag, resolveAdditional, workspaceAround } from "../../src/project/WorkspaceDirectories.ts"

const scratch = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "bough-test-")))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

const make = (directory: string, ...names: ReadonlyArray<string>): string => {
  for (const name of names) mkdirSync(join(directory, name), { recursive: true })
  return directory
}

describe("The repository around a folder", () => {
  it.live("is the nearest one above, also if its .git is a file", () =>
    Effect.gen(function* () {
      const base = make(yield* scratch, "repository/.git", "repository/a/b", "repository/tree/c")
      writeFileSync(join(base, "repository/tree/.git"), "gitdir: ../.git/worktrees/tree\n")
      const around = (name: string) => workspaceAround(join(base, name), "/nonexistent")
      assert.strictEqual(yield* around("repository/a/b"), join(base, "repository"))
      assert.strictEqual(yield* around("repository"), join(base, "repository"))
      assert.strictEqual(yield* around("repository/tree/c"), join(base, "repository/tree"))
    })
  )

  it.live("is asked for its members at once, however odd the files of package managers are", () =>
    Effect.gen(function* () {
      const directory = make(yield* scratch, "a/b")
      const ofFiles = (files: Readonly<Record<string, string>>) => {
        for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
        return hasMember(directory, join(directory, "a/b"))
      }
      const lines = "\n".repeat(200_000)
      assert.isFalse(ofFiles({ "go.work": lines, "Cargo.toml": `[workspace]\n${lines}` }))
      assert.isFalse(ofFiles({ "pyproject.toml": `[tool.uv.workspace]\n${"members=[\n".repeat(50_000)}` }))
      assert.isTrue(ofFiles({ "go.work": `${lines}  use (\n ./x\n ./a/b // here\n)\n` }))
      assert.isTrue(ofFiles({ "go.work": `${lines}use  ./a/b  \n` }))
      assert.isTrue(ofFiles({ "go.work": "", "Cargo.toml": `[workspace]\n${lines} members = [\n "x", 'a/*'\n]\n` }))
    })
  )

  it.live("is the folder itself without one, and if one would contain the home directory", () =>
    Effect.gen(function* () {
      const base = make(yield* scratch, "home/.git", "home/me/code", "plain/a")
      const around = (name: string, home: string) => workspaceAround(join(base, name), join(base, home))
      assert.strictEqual(yield* around("plain/a", "home/me"), join(base, "plain/a"))
      assert.strictEqual(yield* around("home/me/code", "home/me"), join(base, "home/me/code"))
      symlinkSync(join(base, "home"), join(base, "link"))
      assert.strictEqual(yield* around("home/me/code", "link"), join(base, "home/me/code"))
    })
  )
})

const managers: Readonly<Record<string, readonly [file: string, text: string]>> = {
  pnpm: ["pnpm-workspace.yaml", "# members\npackages:\n  - packages/*\n  - '!packages/left'\n"],
  npm: ["package.json", '{ "name": "all", "workspaces": ["./packages/*", "!packages/left"] }'],
  yarn: ["package.json", '{ "workspaces": { "packages": ["packages/**", "!**/left"] } }'],
  lerna: ["lerna.json", '{ "packages": ["packages/in/"] }'],
  cargo: [
    "Cargo.toml",
    '[workspace]\nresolver = "2"\nmembers = [\n  "packages/*", # all\n]\nexclude = ["packages/left"]\n\n[profile.dev]\n'
  ],
  go: ["go.work", "go 1.25\n\nuse (\n\t./packages/in // one\n)\nuse ./other\n"],
  uv: ["pyproject.toml", "[project]\nname = 'all'\n[tool.uv.workspace]\nmembers = ['packages/i*']\n"]
}

describe("The monorepo around a folder without git", () => {
  it.live.each(Object.entries(managers))("is the one whose members contain the folder: %s", ([, [file, text]]) =>
    Effect.gen(function* () {
      const base = make(yield* scratch, "all/packages/in/src", "all/packages/left", "all/tools")
      writeFileSync(join(base, "all", file), text)
      const around = (name: string) => workspaceAround(join(base, name), "/nonexistent")
      assert.strictEqual(yield* around("all/packages/in"), join(base, "all"))
      assert.strictEqual(yield* around("all/packages/in/src"), join(base, "all"))
      for (const other of ["all", "all/packages/left", "all/tools"]) {
        assert.strictEqual(yield* around(other), join(base, other))
      }
    })
  )

  it.live("yields to a repository, and contains no home directory", () =>
    Effect.gen(function* () {
      const base = make(yield* scratch, "all/packages/in/.git", "all/packages/me/code", "outer/.git", "outer/all/in")
      writeFileSync(join(base, "all/pnpm-workspace.yaml"), "packages: [packages/**]")
      writeFileSync(join(base, "outer/all/pnpm-workspace.yaml"), "packages: [in]")
      const around = (name: string) => workspaceAround(join(base, name), join(base, "all/packages/me"))
      assert.strictEqual(yield* around("all/packages/in"), join(base, "all/packages/in"))
      assert.strictEqual(yield* around("outer/all/in"), join(base, "outer"))
      assert.strictEqual(yield* around("all/packages/me/code"), join(base, "all/packages/me/code"))
    })
  )

  it.live("is none if its file cannot be read, names a directory outside, or is a pipe", () =>
    Effect.gen(function* () {
      for (const text of ["packages: [", "- in", "packages: {a: in}", "packages: ['../x/in']", "packages: [3]"]) {
        const base = make(yield* scratch, "x/in")
        writeFileSync(join(base, "x/pnpm-workspace.yaml"), text)
        writeFileSync(join(base, "x/package.json"), "{")
        execFileSync("mkfifo", [join(base, "x/go.work")])
        assert.strictEqual(yield* workspaceAround(join(base, "x/in"), "/nonexistent"), join(base, "x/in"), text)
      }
    })
  )
})

describe("Additional directories", () => {
  it.live("are resolved from the folder, the home directory and the root, without links", () =>
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

  it.live("are refused by name if they are not directories", () =>
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
