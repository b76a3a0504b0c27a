/** Threads that run a model, and their recovery if one dies or another model comes. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { threadId } from "node:worker_threads"
import { thoroughOnly } from "../../../test/thorough.ts"
import { Embedder } from "../src/index.ts"
import * as Child from "./child.ts"
import { open, staticModel, temporaryDirectory } from "./World.ts"

describe("Embedder", () => {
  it.live("lets a process end that asked a model which cannot be loaded, and has nothing else to do", () =>
    Effect.gen(function* () {
      const child = yield* Child.start("missingModel", [])
      const lines = yield* Child.lines(child)
      assert.match(lines.join(), /^the embedding model x cannot be used: /, child.complaints())
    })
  )

  it.live("embeds a single short text of a light model in the caller's thread, and any other in one of its own", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = join(directory, "where.mjs")
      writeFileSync(
        file,
        `import { threadId } from "node:worker_threads"
export const load = () => ({ identity: "x", embed: (texts) => (
  { dimension: 1, vectors: new Float32Array(texts.map(() => threadId)) }) })`
      )
      const model = { name: "x", module: pathToFileURL(file).href, options: null }
      const light = yield* Embedder.make({ ...model, isLight: true })
      const heavy = yield* Embedder.make(model)
      const threadsOf = (embedder: Embedder.Embedder, texts: ReadonlyArray<string>) =>
        Effect.map(embedder.embed(texts), (vectors) => vectors.map(([thread]) => thread))
      assert.deepStrictEqual(yield* light.identity, { modelId: "x", dimension: 1 })
      assert.deepStrictEqual(yield* threadsOf(light, ["query"]), [threadId])
      assert.notInclude(yield* threadsOf(light, ["one", "two"]), threadId)
      assert.notInclude(yield* threadsOf(light, ["long".repeat(1000)]), threadId)
      assert.notInclude(yield* threadsOf(heavy, ["query"]), threadId)
    })
  )

  it.live("says why a light model cannot be loaded", () =>
    Effect.gen(function* () {
      const module = pathToFileURL(join(yield* temporaryDirectory, "missing.mjs")).href
      const { embed } = yield* Embedder.make({ name: "x", module, options: null, isLight: true })
      assert.match((yield* Effect.flip(embed(["query"]))).message, /^the embedding model x cannot be used: .*missing/)
    })
  )

  it.live("asks a second thread after the first has died, whose end comes late", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = join(directory, "diesOnce.mjs")
      writeFileSync(
        file,
        `import { existsSync, writeFileSync } from "node:fs"
export const load = (marker) => ({ identity: "x", embed: () => {
  const alive = existsSync(marker)
  writeFileSync(marker, "")
  setTimeout(() => { if (!alive) throw new Error("died") })
  return new Promise((done) => setTimeout(() => done({ dimension: 1, vectors: new Float32Array([1]) }), 300))
} })`
      )
      const model = { name: "x", module: pathToFileURL(file).href, options: join(directory, "marker") }
      const { embed } = yield* Embedder.make(model)
      assert.match((yield* Effect.flip(embed(["one"]))).message, /x stopped: .*died/)
      assert.deepStrictEqual(yield* embed(["two"]), [new Float32Array([1])])
    })
  )

  it.live("returns no vectors of a model that was replaced before a second thread has loaded it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const [module, content] = [join(directory, "model.mjs"), join(directory, "content")]
      writeFileSync(
        module,
        `import { readFileSync } from "node:fs"
export const load = (content) => ({ identity: readFileSync(content, "utf8"), embed: ([text]) => {
  if (text === "die") process.exit(1)
  return { dimension: 1, vectors: new Float32Array([1]) }
} })`
      )
      writeFileSync(content, "first")
      const { embed, identity } = yield* Embedder.make({
        name: "x",
        module: pathToFileURL(module).href,
        options: content
      })
      assert.deepStrictEqual(yield* identity, { modelId: "first", dimension: 1 })
      yield* Effect.flip(embed(["die"]))
      assert.deepStrictEqual(yield* embed(["the same"]), [new Float32Array([1])])
      yield* Effect.flip(embed(["die"]))
      writeFileSync(content, "second")
      assert.match((yield* Effect.flip(embed(["another"]))).message, /x cannot be used: it was changed while in use/)
    })
  )

  it.live(
    "never confuses the vectors of two models that search the same notes in turns",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const module = join(directory, "opposite.mjs")
        writeFileSync(
          module,
          `import { load as loadStatic } from ${JSON.stringify(staticModel.module)}
export const load = () => {
  const { embed } = loadStatic()
  return { identity: "opposite", embed: (texts) => {
    const { dimension, vectors } = embed(texts)
    return { dimension, vectors: vectors.map((x) => -x) }
  } }
}`
        )
        const first = yield* open(directory)
        yield* first.save("The physician is on holiday")
        yield* first.save("Her favourite fruit is the mango")
        const second = yield* open(directory, { model: { ...staticModel, module: pathToFileURL(module).href } })
        for (let turn = 0; turn < 6; turn++) {
          const { find, memory } = turn % 2 === 0 ? first : second
          let byMeaning = 0
          // The vectors that the other memory has removed are built again, in the background or here.
          for (let again = 0; again < 3; again++) {
            yield* Effect.exit(memory.index.settle(false))
            const found = yield* find("when is the doctor in?", "ann", 1)
            if (found.length > 0) byMeaning += 1
            assert.include([undefined, "The physician is on holiday"], found[0])
          }
          assert.isAtLeast(byMeaning, 1)
        }
      }),
    thoroughOnly
  )
})
