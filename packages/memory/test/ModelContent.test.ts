/** The files of a model that count for its identity, and those that do not. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { sampled } from "../../../test/thorough.ts"
import type { TransformersModel } from "../src/index.ts"
import * as ModelContent from "../src/ModelContent.ts"
import { temporaryDirectory } from "./World.ts"

const loaded = ["config.json", "onnx/model.onnx", "tokenizer.json", "tokenizer_config.json"]
/** Read by the runtime alone, which finds them by their names in the weights. */
const besideWeights = ["onnx/model.onnx_data", "onnx/model.onnx_data_1", "onnx/weights.bin"]
const ofOthers = [
  "README.md",
  "vocab.txt",
  "v1/config.json",
  "onnx/model_quantized.onnx",
  "onnx/model_fp16.onnx_data",
  "onnx/.DS_Store",
  "onnx/model.onnx.tmp.4711.x1"
]

const local = (localFolder: string, name = "model"): TransformersModel.ModelFiles => ({
  name,
  revision: null,
  localFolder,
  cacheFolder: null,
  hub: null,
  dtype: "fp32"
})

type Contents = Readonly<Record<string, string>>

const write = (folder: string, contents: Contents): void => {
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}

const identityOf = (files: TransformersModel.ModelFiles): Effect.Effect<string> =>
  Effect.promise(() => ModelContent.identityOf(files, loaded, ModelContent.stamps(files)))

const whole: Contents = Object.fromEntries(loaded.map((name) => [name, name]))

const Names = Schema.Literals([...loaded, ...besideWeights, ...ofOthers])
const Content = Schema.Literals(["", "a", "b"])
const counts = (name: string) => !ofOthers.includes(name)

describe("ModelContent", () => {
  it.effect.prop(
    "changes if a file that may be loaded differs, and with no other file",
    [Schema.Record(Names, Content), Names, Content],
    ([input, name, content]) =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const contents: Contents = { ...whole, ...input }
        write(join(directory, "left"), contents)
        write(join(directory, "right"), { ...contents, [name]: content })
        const [left, right] = yield* Effect.forEach(["left", "right"], (folder) => identityOf(local(directory, folder)))
        assert.strictEqual(left === right, contents[name] === content || !counts(name), name)
      }),
    sampled({ arbitrary: { runs: 60, size: 8 } })
  )

  it.effect("distinguishes the contents of one file from those of two", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      write(join(directory, "a"), { ...whole, "config.json": "xy", "onnx/model.onnx": "z" })
      write(join(directory, "b"), { ...whole, "config.json": "x", "onnx/model.onnx": "yz" })
      assert.notStrictEqual(yield* identityOf(local(directory, "a")), yield* identityOf(local(directory, "b")))
    })
  )

  it.effect("is the same from the cache of the hub, in any revision, which is read first, as in the library", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const [folder, cacheFolder] = [join(directory, "local"), join(directory, "cache")]
      write(join(folder, "model"), whole)
      const first = yield* identityOf(local(folder))
      for (const revision of [null, "main", "v1"]) {
        const files = { ...local(folder), cacheFolder, revision }
        const place = join(cacheFolder, "model", revision === "v1" ? "v1" : "")
        cpSync(join(folder, "model"), place, { recursive: true })
        assert.strictEqual(yield* identityOf(files), first)
        write(place, { "config.json": "another" })
        assert.notStrictEqual(yield* identityOf(files), first)
        rmSync(cacheFolder, { recursive: true })
      }
    })
  )

  it.effect("knows no identity of files that were replaced while they were loaded", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const files = local(directory)
      const folder = join(directory, "model")
      write(folder, whole)
      const ways = [
        () => write(folder, { "tokenizer.json": "another" }),
        // A copy with the same size and time.
        () => {
          cpSync(folder, `${folder}-2`, { recursive: true, preserveTimestamps: true })
          renameSync(folder, `${folder}-1`)
          renameSync(`${folder}-2`, folder)
        }
      ]
      for (const exchange of ways) {
        const before = ModelContent.stamps(files)
        exchange()
        const failed = yield* Effect.flip(Effect.tryPromise(() => ModelContent.identityOf(files, loaded, before)))
        assert.match(String(failed.cause), /was changed while it was loaded/)
      }
      const before = ModelContent.stamps(files)
      write(folder, { "README.md": "another" })
      const identity = yield* Effect.promise(() => ModelContent.identityOf(files, loaded, before))
      assert.strictEqual(identity, yield* identityOf(files))
    })
  )
})
