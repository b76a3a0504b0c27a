/** `--packs FILE`, and the `@bough/cli` that is found beside the file. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { packsFlag } from "../../src/bin/packsFlag.ts"
import { put, withTestFolder } from "../program/Bough.ts"

describe("--packs", () => {
  it.each([[["--packs"]], [["--packs="]], [["--packs", "--verbose", "tools"]], [["tools", "--packs", "--", "own.ts"]]])(
    "%j has no file",
    (words) => {
      assert.deepStrictEqual(
        packsFlag(words, () => "/at"),
        { _tag: "Missing" }
      )
    }
  )

  it("is absent after --", () => {
    assert.isNull(packsFlag(["run", "--", "--packs", "own.ts"], () => "/at"))
  })

  it.each([
    [["--packs", "own.ts", "tools"], "/at/own.ts", ["tools"]],
    [["tools", "--packs=own.ts"], "/at/own.ts", ["tools"]],
    [["--packs", "own.ts", "--cwd", "sub", "tools"], "/at/sub/own.ts", ["--cwd", "sub", "tools"]],
    [["--cwd=/else", "--packs", "own.ts"], "/else/own.ts", ["--cwd=/else"]],
    [["--packs", "/x/own.ts", "--cwd", "sub"], "/x/own.ts", ["--cwd", "sub"]]
  ])("%j names %s", (words, file, left) => {
    assert.deepStrictEqual(
      packsFlag(words, () => "/at"),
      { _tag: "Packs", file, words: left }
    )
  })
})

describe("the @bough/cli beside a file of packs", () => {
  it("is reported as missing, or as too old", () =>
    withTestFolder(async (place) => {
      const module = new URL("../../src/own/resolveOwn.ts", import.meta.url).href
      const script = `
        import { resolveOwn } from ${JSON.stringify(module)}
        console.log(resolveOwn(${JSON.stringify(`${place.workspace}/own.ts`)}, "own").message)`
      // A new process, because the variables of the test's own process name other packages.
      const stderrOf = () =>
        spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8", env: {} }).stdout
      assert.match(stderrOf(), /^there is no .*own\.ts$/mu)
      put(place, "own.ts", "")
      assert.match(stderrOf(), /^no @bough\/cli is installed beside .*own\.ts$/mu)
      put(place, "node_modules/@bough/cli/index.js", "")
      const manifest = JSON.stringify({ name: "@bough/cli", exports: { ".": "./index.js" } })
      put(place, "node_modules/@bough/cli/package.json", manifest)
      assert.match(stderrOf(), /beside .*own\.ts cannot load packs$/mu)
    }))
})
