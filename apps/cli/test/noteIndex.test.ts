/** `memory index`: the library of a large memory's index is suggested, fetched by npm, and loaded once. */
import * as MemorySettings from "@bough/host/config/MemorySettings"
import * as IndexLibrary from "@bough/host/memory/IndexLibrary"
import * as VectorLibrary from "@bough/memory/VectorLibrary"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as IndexCheck from "../src/doctor/IndexCheck.ts"
import * as IndexAdvice from "../src/notes/IndexAdvice.ts"
import { withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { npmEnvironment } from "./program/npmEnvironment.ts"
import { withRegistry } from "./program/PackageRegistry.ts"

const version = VectorLibrary.packages["@lancedb/lancedb"]
const machine = { platform: process.platform, arch: process.arch, isMusl: false }
const packages = [
  { name: "@lancedb/lancedb", version, code: 'export const connect = "lancedb"\n' },
  { name: "apache-arrow", version: VectorLibrary.packages["apache-arrow"], code: 'export const Field = "arrow"\n' },
  { name: IndexLibrary.binaryFor(machine), version, code: "" }
]

describe("memory index", () => {
  it("is suggested above 20,000 notes that are compared by meaning, if its library is not installed", () => {
    const facts = { embeddingModel: "static", notes: 20_001, isInstalled: false }
    const advice = IndexCheck.advice("bough", facts)
    assert.strictEqual(
      advice,
      '20,001 notes are compared one by one; "bough memory index install" installs an index for them (LanceDB, 220 MB)'
    )
    assert.strictEqual(IndexCheck.checkIndex("bough", facts).detail, advice)
    for (const other of [{ notes: 20_000 }, { embeddingModel: "none" }, { isInstalled: true }]) {
      assert.isNull(IndexCheck.advice("bough", { ...facts, ...other }))
    }
    assert.strictEqual(IndexCheck.checkIndex("bough", { ...facts, notes: 3 }).detail, "not needed up to 20,000 notes")
  })

  it("is suggested once, and not before the memory is large enough", () =>
    withTestFolder(async (place) => {
      const lines: Array<string> = []
      const settings = { dataDirectory: place.data, memory: MemorySettings.toMemorySettings({}, null) }
      const advise = (written: number, isInstalled = false) =>
        Effect.runPromise(
          IndexAdvice.once({ name: "bough" }, settings, {
            store: { counters: Effect.succeed({ written, dropped: 5 }) },
            say: (sentence) => lines.push(sentence),
            factsOf: (given, notes) => ({ ...IndexCheck.factsOf(given, notes), isInstalled })
          })
        )
      await advise(20_005)
      await advise(20_006, true)
      assert.deepStrictEqual(lines, [])
      await advise(20_006)
      await advise(20_007)
      assert.lengthOf(lines, 1)
      assert.include(lines[0], '20,001 notes are compared one by one; "bough memory index install"')
    }))

  it("says in the sources, where the library is installed, that it is, and loads it", () =>
    withTestFolder(async (place) => {
      assert.strictEqual(
        (await bough(place, ["memory", "index"])).stdout,
        "LanceDB is installed; it is used above 20,000 notes\n"
      )
      const { code, stderr } = await bough(place, ["memory", "index", "install"])
      assert.strictEqual(code, 0)
      assert.match(stderr, /^LanceDB is ready; the next process with more than 20,000 notes builds the index$/m)
    }))

  it("fetches the library and this machine's binary alone into the data directory", () =>
    withTestFolder(async (place) => {
      mkdirSync(place.data, { recursive: true })
      await withRegistry(join(place.root, "registry"), packages, async ({ asked, url }) => {
        await Effect.runPromise(IndexLibrary.install(place.data, npmEnvironment(url, place.root), machine))
        assert.sameMembers(
          asked.filter((path) => !path.endsWith(".tgz")),
          packages.map(({ name }) => `/${name}`)
        )
      })
      assert.deepStrictEqual(
        readdirSync(place.data).filter((file) => file.includes("packages")),
        ["index-packages"]
      )
      const { arrow, lancedb } = await import(pathToFileURL(IndexLibrary.entryIn(place.data)).href)
      assert.deepStrictEqual([lancedb.connect, arrow.Field], ["lancedb", "arrow"])
    }))

  it("leaves nothing behind if the registry cannot be reached, and says that notes are compared as before", () =>
    withTestFolder(async (place) => {
      mkdirSync(place.data, { recursive: true })
      const gone = await withRegistry(join(place.root, "registry"), packages, ({ url }) => Promise.resolve(url))
      const result = await Effect.runPromise(
        Effect.result(IndexLibrary.install(place.data, npmEnvironment(gone, place.root), machine))
      )
      assert.isTrue(Result.isFailure(result))
      if (Result.isSuccess(result)) return
      assert.strictEqual(
        result.failure.message,
        "@lancedb/lancedb was not installed: npm cannot reach its registry (ECONNREFUSED)"
      )
      assert.include(result.failure.hint, "notes are compared one by one")
      assert.deepStrictEqual(readdirSync(place.data), [])
      assert.isFalse(existsSync(IndexLibrary.entryIn(place.data)))
    }))

  it("knows the binary of each machine for which LanceDB has one", () => {
    const memory = fileURLToPath(new URL("../../../packages/memory/node_modules/@lancedb/lancedb/", import.meta.url))
    const manifest = JSON.parse(readFileSync(join(memory, "package.json"), "utf8"))
    assert.strictEqual(manifest.version, version)
    const machines = [
      ["darwin", "arm64", false],
      ["linux", "x64", false],
      ["linux", "x64", true],
      ["linux", "arm64", false],
      ["linux", "arm64", true],
      ["win32", "x64", false],
      ["win32", "arm64", false]
    ] as const
    assert.sameMembers(
      machines.map(([platform, arch, isMusl]) => IndexLibrary.binaryFor({ platform, arch, isMusl })),
      Object.keys(manifest.optionalDependencies).filter((name) => name.startsWith("@lancedb/"))
    )
  })
})
