/** A new pack as its author gets it, in a folder of its own: it compiles and passes its own test. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import {
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { thoroughOnly } from "../../../test/thorough.ts"

const own = fileURLToPath(new URL("..", import.meta.url))

const withFolder = (use: (folder: string) => void): void => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bough-create-")))
  try {
    use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const run = (cwd: string, ...words: ReadonlyArray<string>) =>
  spawnSync(process.execPath, words, { cwd, encoding: "utf8", env: { PATH: process.env["PATH"] ?? "", HOME: cwd } })

const create = (cwd: string, ...words: ReadonlyArray<string>) => run(cwd, join(own, "src/main.ts"), ...words)

describe("create-bough-pack", () => {
  it("makes a pack that compiles and passes the conformance kit", thoroughOnly, () => {
    withFolder((folder) => {
      const created = create(folder, "word-tools")
      assert.deepStrictEqual([created.status, created.stderr], [0, ""])
      assert.match(
        created.stdout,
        /^created the pack word-tools\. Next:\n {2}cd word-tools\n {2}npm install --no-save /u
      )
      const pack = join(folder, "word-tools")
      symlinkSync(join(own, "node_modules"), join(pack, "node_modules"))

      const tested = run(pack, "--test", "test/*.test.ts")
      assert.strictEqual(tested.status, 0, tested.stdout)
      assert.match(tested.stdout, /count_words: the tier is honest/u)
      const compiler = join(own, "node_modules/typescript/bin/tsc")
      const built = run(pack, compiler, "-p", "tsconfig.build.json")
      assert.strictEqual(built.status, 0, built.stdout)
      assert.isTrue(existsSync(join(pack, "dist/index.js")) && existsSync(join(pack, "dist/index.d.ts")))

      const texts = globSync("**/*", { cwd: pack, withFileTypes: true, exclude: ["node_modules"] })
        .filter((entry) => entry.isFile())
        .map(({ name, parentPath }) => readFileSync(join(parentPath, name), "utf8"))
      assert.deepStrictEqual(
        texts.filter((text) => text.includes("my-pack")),
        []
      )
      for (const file of [".gitignore", ".github/workflows/ci.yml", "bough.packs.ts"]) {
        assert.isTrue(existsSync(join(pack, file)), file)
      }
      const { dependencies, devDependencies, name, peerDependencies } = JSON.parse(
        readFileSync(join(pack, "package.json"), "utf8")
      )
      assert.deepStrictEqual([name, dependencies], ["word-tools", undefined])
      assert.deepStrictEqual(Object.keys(peerDependencies), ["@bough/tool", "effect"])
      assert.includeMembers(Object.keys(devDependencies), ["@bough/cli", "esbuild", "typescript"])
    })
  })

  it("fails the pack's own test once its tool breaks the contract", thoroughOnly, () => {
    withFolder((folder) => {
      create(folder, "word-tools")
      const pack = join(folder, "word-tools")
      symlinkSync(join(own, "node_modules"), join(pack, "node_modules"))
      const file = join(pack, "src/CountWords.ts")
      writeFileSync(
        file,
        readFileSync(file, "utf8").replace(
          "return Tool.result({ output: { words }",
          "return Tool.result({ output: { words: -1 }"
        )
      )
      assert.notStrictEqual(run(pack, "--test", "test/*.test.ts").status, 0)
    })
  })

  it("refuses a folder that is not empty, and an invalid package name", () => {
    withFolder((folder) => {
      create(folder, "first")
      const again = create(folder, "first")
      assert.deepStrictEqual([again.status, again.stderr], [1, "create-bough-pack: first is not empty\n"])
      const named = create(folder, "First Pack")
      assert.deepStrictEqual([named.status, existsSync(join(folder, "First Pack"))], [1, false])
      assert.strictEqual(create(folder).status, 2)
    })
  })
})
