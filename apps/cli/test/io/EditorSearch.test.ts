/** The user's editor is what the user's own settings name, else an editor that is installed; never the workspace's. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import * as EditorSearch from "../../src/io/EditorSearch.ts"
import { type TestFolder, withTestFolder } from "../program/Bough.ts"

const program = (path: string): string => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, "#!/bin/sh\n")
  chmodSync(path, 0o755)
  return path
}

const git = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim()

/** Git reads the settings below the place's home, and none of the machine. */
const variablesOf = (
  place: TestFolder,
  path: ReadonlyArray<string>,
  variables: Readonly<Record<string, string>> = {}
) => ({
  HOME: place.home,
  GIT_CONFIG_NOSYSTEM: "1",
  PATH: path.join(delimiter),
  ...variables
})

const found = (place: TestFolder, path: ReadonlyArray<string>, variables: Readonly<Record<string, string>> = {}) =>
  Effect.runPromise(EditorSearch.find({ workspace: place.workspace, variables: variablesOf(place, path, variables) }))

describe("EditorSearch", () => {
  it("takes VISUAL before EDITOR, EDITOR before git's setting, and that before an installed editor", () =>
    withTestFolder(async (place) => {
      const installed = program(join(place.root, "bin/nano"))
      symlinkSync(git, join(place.root, "bin/git"))
      const path = [join(place.root, "bin")]
      assert.strictEqual(await found(place, path), installed)
      writeFileSync(join(place.home, ".gitconfig"), '[include]\n  path = more\n[core]\n  pager = "cat"\n')
      assert.strictEqual(await found(place, path), installed)
      writeFileSync(join(place.home, "more"), "[core]\n  editor = code --wait\n")
      assert.strictEqual(await found(place, path), "code --wait")
      assert.strictEqual(await found(place, path, { EDITOR: "ed" }), "ed")
      assert.strictEqual(await found(place, path, { EDITOR: "ed", VISUAL: "emacs" }), "emacs")
      assert.strictEqual(await found(place, path, { EDITOR: "", VISUAL: "" }), "code --wait")
    }))

  it("takes the first known editor that can be run, with its path quoted for the shell", () =>
    withTestFolder(async (place) => {
      const path = [join(place.root, "a"), join(place.root, "it's b")]
      assert.strictEqual(await found(place, path), null)
      const vi = program(join(path[0], "vi"))
      assert.strictEqual(await found(place, path), vi)
      program(join(path[1], "vim"))
      assert.strictEqual(await found(place, path), `'${place.root}/it'\\''s b/vim'`)
      writeFileSync(join(path[0], "nano"), "not a program")
      mkdirSync(join(path[1], "sensible-editor"))
      assert.strictEqual(await found(place, path), `'${place.root}/it'\\''s b/vim'`)
    }))

  it("takes no editor, git or setting that an agent may have written", () =>
    withTestFolder(async (place) => {
      mkdirSync(join(place.workspace, ".git"))
      writeFileSync(join(place.workspace, ".git/config"), "[core]\n  editor = planted\n")
      const workspace = join(place.workspace, "app")
      const bin = join(place.workspace, "node_modules/.bin")
      program(join(bin, "nano"))
      const planted = program(join(bin, "git"))
      writeFileSync(planted, "#!/bin/sh\necho planted\n")
      symlinkSync(join(bin, "nano"), join(place.home, "nano"))
      symlinkSync(planted, join(place.home, "git"))
      mkdirSync(workspace)
      const search = (path: ReadonlyArray<string>) =>
        Effect.runPromise(EditorSearch.find({ workspace, variables: variablesOf(place, path) }))
      assert.strictEqual(await search([bin, place.home, "node_modules/.bin", ""]), null)
      symlinkSync(git, join(place.root, "git"))
      assert.strictEqual(await search([bin, place.root]), null)
      const own = program(join(place.root, "vi"))
      assert.strictEqual(await search([bin, place.home, place.root]), own)
    }))
})
