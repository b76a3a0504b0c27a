/** Models for transformers.js, tested with the embedded one, since all its vectors are known. */
import * as EmbeddingStatic from "@bough/embedding-static"
import * as StaticModel from "@bough/embedding-static/StaticModel"
import * as Table from "@bough/embedding-static/Table"
import { assert, describe, it, layer } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { copyFileSync, readFileSync, renameSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { thoroughOnly } from "../../../test/thorough.ts"
import { Embedder, TransformersModel } from "../src/index.ts"
import * as Folder from "./onnx/Folder.ts"
import { open, temporaryDirectory } from "./World.ts"

const modelIn = (localFolder: string, name = "model") =>
  TransformersModel.make("of a folder", {
    name,
    revision: null,
    localFolder,
    cacheFolder: null,
    hub: null,
    dtype: "fp32"
  })

const folder = Effect.tap(temporaryDirectory, (directory) => Effect.sync(() => Folder.write(join(directory, "model"))))

const { embed: embedded } = StaticModel.load()

class Loaded extends Context.Service<Loaded, Embedder.Embedder>()("@bough/memory/test/Loaded") {}

/** Texts that a tokenizer handles specially. */
const odd = Arbitrary.map(
  Arbitrary.schema(
    Schema.Array(
      Schema.Literals([
        "É",
        "İ",
        "ß",
        "ﬁ",
        "\u0301",
        "\u200b",
        "\0",
        "\v",
        "\u0085",
        "\u3000",
        "\ufeff",
        "’",
        "_",
        "$",
        "日",
        "\ud800",
        "𠀀",
        "doctor",
        "VAN",
        "7",
        " "
      ])
    )
  ),
  (parts) => parts.join("")
)

/** The largest distance of two vectors of the same text. */
const worstOf = (vectors: ReadonlyArray<Float32Array>, texts: ReadonlyArray<string>): number => {
  const expected = embedded(texts).vectors
  const apart = vectors.map((vector, n) =>
    vector.reduce((most, x, i) => Math.max(most, Math.abs(x - expected[n * EmbeddingStatic.dimension + i])), 0)
  )
  return Math.max(...apart)
}

const table = Table.load()
const { words } = table
const few = 1000
/** The table with only its first words, which is quickly loaded. */
const small: Table.Table = {
  words: words.slice(0, few),
  scales: table.scales.slice(0, few),
  numbers: table.numbers.slice(0, few * EmbeddingStatic.dimension)
}
const planeSize = 0x1_0000
const perText = 128

/** Every character of the basic plane between two words of its own, and spaces, many to a text. */
const everyCharacter = Array.from({ length: planeSize / perText }, (_, n) =>
  Array.from({ length: perText }, (_, i) => {
    const character = String.fromCodePoint(n * perText + i)
    return `${words[1000 + 2 * i]}${character}${words[1001 + 2 * i]} `
  }).join("")
)

layer(
  Layer.effect(
    Loaded,
    Effect.flatMap(folder, (directory) => Embedder.make(modelIn(directory)))
  )
)("TransformersModel", (it) => {
  it.effect(
    "splits texts at the same characters as the embedded model",
    () =>
      Effect.gen(function* () {
        const vectors = yield* (yield* Loaded).embed(everyCharacter)
        assert.isBelow(worstOf(vectors, everyCharacter), 1e-5)
      }),
    thoroughOnly
  )

  it.effect.prop(
    "computes for any text the vectors of the embedded model",
    [odd, Schema.String],
    (texts) =>
      Effect.gen(function* () {
        const vectors = yield* (yield* Loaded).embed(texts)
        assert.isBelow(worstOf(vectors, texts), 1e-5, JSON.stringify(texts))
      }),
    { arbitrary: { runs: 150 } }
  )
})

describe("TransformersModel", () => {
  it.live(
    "finds notes by the meaning that the model of a folder gives them",
    () =>
      Effect.gen(function* () {
        const { find, save } = yield* open(yield* temporaryDirectory, { model: modelIn(yield* folder) })
        yield* save("Her favourite fruit is the mango")
        yield* save("The physician's surgery is closed on Fridays")
        assert.strictEqual((yield* find("when is the doctor in?"))[0], "The physician's surgery is closed on Fridays")
      }),
    thoroughOnly
  )

  it.live(
    "is the same model under any path and name, and another with other weights or words",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        Folder.write(join(directory, "model"), small)
        const identityOf = (localFolder: string, name: string) =>
          Effect.scoped(Effect.flatMap(Embedder.make(modelIn(localFolder, name)), ({ identity }) => identity))
        const first = yield* identityOf(directory, "model")
        assert.strictEqual(first.dimension, EmbeddingStatic.dimension)
        assert.match(first.modelId, /^onnx-1 sha256:[0-9a-f]{64}$/)
        const elsewhere = yield* temporaryDirectory
        renameSync(join(directory, "model"), join(elsewhere, "moved"))
        symlinkSync(join(elsewhere, "moved"), join(elsewhere, "linked"))
        for (const name of ["moved", "linked"]) assert.deepStrictEqual(yield* identityOf(elsewhere, name), first)
        const others = [
          { ...small, words: small.words.toReversed() },
          { ...small, numbers: small.numbers.with(7, 1) }
        ]
        const identities = yield* Effect.forEach([...others, small], (other) => {
          Folder.write(join(elsewhere, "moved"), other)
          return Effect.map(identityOf(elsewhere, "moved"), ({ modelId }) => modelId)
        })
        assert.lengthOf(new Set(identities), 3)
        assert.strictEqual(identities[2], first.modelId)
      }),
    thoroughOnly
  )

  it.live(
    "is another model with other weights in a file that only the graph names",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const model = join(directory, "model")
        const text = words.slice(100, 102).join(" ")
        const loaded = (scales: Float32Array) =>
          Effect.scoped(
            Effect.gen(function* () {
              Folder.write(model, { ...small, scales }, "weights.bin")
              const { embed, identity } = yield* Embedder.make(modelIn(directory))
              const [vector] = yield* embed([text])
              return { graph: readFileSync(join(model, "onnx/model.onnx")), vector, ...(yield* identity) }
            })
          )
        const first = yield* loaded(small.scales)
        assert.isBelow(worstOf([first.vector], [text]), 1e-5)
        const second = yield* loaded(small.scales.with(100, 2 * small.scales[100]))
        assert.isTrue(first.graph.equals(second.graph))
        assert.notDeepEqual(second.vector, first.vector)
        assert.notStrictEqual(second.modelId, first.modelId)
      }),
    thoroughOnly
  )

  it.live("says in a line what to install if transformers.js is missing, and which files a folder lacks", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      // No package can be resolved from there.
      const [alone] = ["TransformersThread.ts", "ModelContent.ts"].map((file) => {
        copyFileSync(fileURLToPath(new URL(`../src/${file}`, import.meta.url)), join(directory, file))
        return join(directory, file)
      })
      const without = { ...modelIn(directory), module: pathToFileURL(alone).href }
      const { message } = yield* Effect.flip((yield* Embedder.make(without)).embed(["x"]))
      assert.match(
        message,
        /^the embedding model of a folder cannot be used: .* 4, which is not installed: run `bough memory model install`, .*static$/
      )
      const empty = yield* Effect.flip((yield* Embedder.make(modelIn(directory))).embed(["x"]))
      assert.match(empty.message, /^the embedding model of a folder cannot be used: /)
    })
  )
})
