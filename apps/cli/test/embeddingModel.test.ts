/**
 * `memory model install`: the library that runs a real model is fetched by npm, tried with a real model, and configured
 * only then.
 */
import * as TransformersLibrary from "@bough/host/memory/TransformersLibrary"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Folder from "../../../packages/memory/test/onnx/Folder.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { put, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { npmEnvironment } from "./program/npmEnvironment.ts"
import { withRegistry } from "./program/PackageRegistry.ts"

const memory = fileURLToPath(new URL("../../../packages/memory/", import.meta.url))
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
const { version } = manifestOf(join(memory, "node_modules", TransformersLibrary.packageName))

/** The package in the registry; it exports the real library. */
const library = {
  name: TransformersLibrary.packageName,
  version,
  code: `export * from ${JSON.stringify(
    new URL(`file://${join(memory, "node_modules", TransformersLibrary.packageName, "dist/transformers.node.mjs")}`)
      .href
  )}\n`
}

describe("memory model install", () => {
  it("asks for the version range that the memory package declares", () => {
    assert.strictEqual(manifestOf(memory).peerDependencies[TransformersLibrary.packageName], TransformersLibrary.range)
  })

  it("configures a folder's model after it was loaded, and leaves the configuration unchanged if that fails", () =>
    withTestFolder(async (place) => {
      const folder = join(place.workspace, "model")
      Folder.write(folder)
      await bough(place, ["memory", "save", "The physician is on holiday"])
      const installed = await bough(place, ["memory", "model", "install", "model"])
      assert.deepStrictEqual([installed.code, installed.stdout], [0, ""])
      assert.strictEqual((await bough(place, ["config", "get", "embedding.model"])).stdout, `${folder}\n`)
      assert.include((await bough(place, ["memory", "search", "doctor's vacation"])).stdout, "on holiday")
      put(place, "broken/config.json", "{}")
      const broken = await bough(place, ["memory", "model", "install", "broken"])
      assert.strictEqual(broken.code, 1)
      assert.match(broken.stderr, /cannot be used: .*embedding\.model is unchanged/s)
      assert.strictEqual((await bough(place, ["config", "get", "embedding.model"])).stdout, `${folder}\n`)
      assert.strictEqual((await bough(place, ["memory", "model"])).stdout, `${folder}\n`)
    }))

  it("is suggested by doctor to a user with more than 50 notes, and once by a search", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const notes = (count: number) => {
        for (let n = 0; n < count; n++) put(place, `notes/note-${n}.md`, `---\nid: note-${n}\n---\n\nthing ${n}\n`)
        return bough(place, ["memory", "import", join(place.workspace, "notes")])
      }
      const advice = 'a larger embedding model finds more; install one with "bough memory model install"'
      const outputOf = async (args: ReadonlyArray<string>) => {
        const { stderr, stdout } = await bough(place, args)
        return `${stdout}${stderr}`.includes(advice)
      }
      await notes(50)
      assert.deepStrictEqual(
        [await outputOf(["memory", "search", "thing"]), await outputOf(["doctor"])],
        [false, false]
      )
      await notes(51)
      assert.deepStrictEqual(
        [await outputOf(["memory", "search", "thing"]), await outputOf(["memory", "search", "thing"])],
        [true, false]
      )
      assert.isTrue(await outputOf(["doctor"]))
      await bough(place, ["config", "set", "embedding.model", "none"])
      assert.isFalse(await outputOf(["doctor"]))
    })
  )

  it("fetches the library by npm into the data directory, where a program without it finds it", thoroughOnly, () =>
    withTestFolder(async (place) => {
      await withRegistry(join(place.root, "registry"), library, async ({ asked, url }) => {
        mkdirSync(place.data, { recursive: true })
        await Effect.runPromise(TransformersLibrary.install(place.data, npmEnvironment(url, place.root)))
        assert.deepStrictEqual(asked, [`/${library.name}`, "/package.tgz"])
      })
      assert.deepStrictEqual(
        readdirSync(place.data).filter((file) => file.includes("packages")),
        ["packages"]
      )
      const model = join(place.root, "model")
      Folder.write(model)
      assert.match(run(place.root, { name: "model", library: TransformersLibrary.entryIn(place.data) }), /^100 \d+$/)
      assert.match(run(place.root, { name: "model" }), /^not installed: .*bough memory model install/)
    })
  )

  it(
    "reports in one sentence that the registry cannot be reached, or npm's own error, and leaves no files",
    thoroughOnly,
    () =>
      withTestFolder(async (place) => {
        mkdirSync(place.data, { recursive: true })
        const gone = await withRegistry(join(place.root, "registry"), library, ({ url }) => Promise.resolve(url))
        const install = (registry: string, home: string) =>
          Effect.runPromise(Effect.result(TransformersLibrary.install(place.data, npmEnvironment(registry, home))))
        const messageOf = (result: Result.Result<void, { readonly message: string | null }>) =>
          Result.isFailure(result) ? result.failure.message : "it was installed"
        const offline = await install(gone, place.root)
        assert.match(
          messageOf(offline) ?? "",
          /^@huggingface\/transformers was not installed: npm cannot reach its registry \(ECONNREFUSED\)$/
        )
        const older = { ...library, version: "3.0.0" }
        await withRegistry(join(place.root, "older"), older, async ({ url }) => {
          assert.match(
            messageOf(await install(url, join(place.root, "b"))) ?? "",
            /^@huggingface\/transformers was not installed: No matching version/
          )
        })
        assert.deepStrictEqual(readdirSync(place.data), [])
        assert.isFalse(existsSync(TransformersLibrary.entryIn(place.data)))
      })
  )
})

/**
 * A process in a directory of its own, with nothing installed beside the memory package, and the vector that it
 * computed for a text.
 */
const run = (root: string, files: { readonly name: string; readonly library?: string }): string => {
  const place = join(root, "elsewhere")
  cpSync(join(memory, "src"), join(place, "src"), { recursive: true })
  if (!existsSync(join(place, "node_modules"))) {
    mkdirSync(join(place, "node_modules"))
    symlinkSync(join(memory, "node_modules", "@bough"), join(place, "node_modules", "@bough"))
    symlinkSync(join(memory, "node_modules", "effect"), join(place, "node_modules", "effect"))
  }
  const input = { revision: null, localFolder: root, cacheFolder: null, hub: null, dtype: "fp32", ...files }
  writeFileSync(
    join(place, "try.mjs"),
    `import { load } from "./src/TransformersThread.ts"
     try {
       const { embed } = await load(${JSON.stringify(input)})
       const { dimension, vectors } = await embed(["a physician"])
       console.log(dimension, vectors.length)
     } catch (error) { console.log("not installed:", error.message) }`
  )
  return execFileSync(process.execPath, [join(place, "try.mjs")], { encoding: "utf8" }).trim()
}
