/** `embedding.model` as a name of the hub: fetched once, then loaded from the disk. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as Folder from "../../../packages/memory/test/onnx/Folder.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { type TestFolder, withTestFolder } from "./program/Bough.ts"
import { withHub } from "./program/Hub.ts"
import { bough } from "./program/InProcess.ts"

const model = "tests/all-words"

const configured = async (place: TestFolder, hub: string) => {
  await bough(place, ["memory", "save", "The physician is on holiday"])
  await bough(place, ["memory", "save", "Deploys go out on Tuesdays"])
  await bough(place, ["config", "set", "embedding.model", model])
  assert.strictEqual((await bough(place, ["config", "set", "embedding.hub", hub])).code, 0)
}

/** The ids of the models that made the notes' vectors. */
const indexes = async (place: TestFolder): Promise<ReadonlyArray<string>> => {
  const { index } = JSON.parse((await bough(place, ["memory", "stats", "--format", "json"])).stdout)
  return index === null ? [] : [index.modelId]
}

/** A note that shares no word with the query is found without being sure. */
const unsure = "no note clearly matches; these are the nearest notes\n"
const withoutDoubt = (stderr: string): string => stderr.replace(unsure, "")

/** Shares no word with the note that it is to find. */
const search = (place: TestFolder) => bough(place, ["memory", "search", "my doctor's vacation"])

describe("a model of the hub", () => {
  it("is downloaded at its first use, and the next process sends the hub no request", () =>
    withTestFolder(async (place) => {
      const folder = join(place.root, "hub")
      Folder.write(join(folder, model))
      const first = await withHub(folder, async ({ served, url }) => {
        await configured(place, url)
        const found = await search(place)
        const whole = ["config.json", "onnx/model.onnx", "tokenizer.json", "tokenizer_config.json"]
        assert.deepStrictEqual(
          [...new Set(served)].toSorted(),
          whole.map((file) => `${model}/${file}`)
        )
        return found
      })
      assert.deepStrictEqual([first.code, withoutDoubt(first.stderr)], [0, ""])
      assert.match(first.stdout, /^.*The physician is on holiday\n/)
      const second = await search(place)
      assert.deepStrictEqual([second.code, second.stdout, second.stderr], [0, first.stdout, first.stderr])
    }))

  it(
    "that cannot be fetched is reported in one line, notes are found by their words, and it is fetched once it can be",
    thoroughOnly,
    () =>
      withTestFolder(async (place) => {
        const folder = join(place.root, "hub")
        const gone = await withHub(folder, ({ url }) => Promise.resolve(url))
        await configured(place, gone)
        const unreached = await bough(place, ["memory", "search", "physician"])
        assert.deepStrictEqual([unreached.code, /on holiday/.test(unreached.stdout)], [0, true])
        assert.strictEqual(
          withoutDoubt(unreached.stderr),
          `notes were compared by words only: the embedding model ${model} cannot be used: ${gone} cannot be reached (ECONNREFUSED), and not all of its files were downloaded before\n`
        )
        await withHub(folder, async ({ url }) => {
          await bough(place, ["config", "set", "embedding.hub", url])
          const unknown = await bough(place, ["memory", "search", "physician"])
          assert.match(
            withoutDoubt(unknown.stderr),
            /^notes were compared by words only: the embedding model tests\/all-words cannot be used: .*\n$/
          )
          assert.isFalse(existsSync(join(place.data, "models", model, "config.json")))
          Folder.write(join(folder, model))
          const found = await search(place)
          assert.deepStrictEqual([found.code, withoutDoubt(found.stderr)], [0, ""])
          assert.match(found.stdout, /^.*The physician is on holiday\n/)
        })
      })
  )

  it("is downloaded again for another revision, beside the others, which then embeds the notes", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const folder = join(place.root, "hub")
      for (const revision of ["", "@v1"]) Folder.write(join(folder, `${model}${revision}`))
      Folder.write(join(folder, `${model}@v2`), Folder.exchanging("harbour", "mango"))
      await withHub(folder, async ({ served, url }) => {
        await configured(place, url)
        for (const [ran, revision] of ["", "@v1", "@v2", "@v1"].entries()) {
          await bough(place, ["config", "set", "embedding.model", `${model}${revision}`])
          const [before, indexed] = [served.length, await indexes(place)]
          const found = await search(place)
          assert.deepStrictEqual([found.code, withoutDoubt(found.stderr)], [0, ""])
          assert.match(found.stdout, /^.*The physician is on holiday\n/)
          // main points to the same revision as v1.
          assert.strictEqual((await indexes(place)).join() === indexed.join(), revision === "@v1" && ran === 1)
          const fetched = new Set(served.slice(before).map((file) => file.split("/").slice(0, 2).join("/")))
          const isNew = !served.slice(0, before).some((file) => file.startsWith(`${model}${revision}/`))
          assert.deepStrictEqual([...fetched], isNew ? [`${model}${revision}`] : [])
        }
      })
    })
  )

  it(
    "counts as another model once main has changed and is fetched again, and then embeds the notes",
    thoroughOnly,
    () =>
      withTestFolder(async (place) => {
        const folder = join(place.root, "hub")
        Folder.write(join(folder, model))
        await withHub(folder, async ({ url }) => {
          await configured(place, url)
          const first = await search(place)
          assert.match(first.stdout, /^.*The physician is on holiday\n/)
          const indexed = await indexes(place)
          Folder.write(join(folder, model), Folder.exchanging("physician", "tuesdays"))
          assert.strictEqual((await search(place)).stdout, first.stdout)
          assert.deepStrictEqual(await indexes(place), indexed)
          rmSync(join(place.data, "models"), { recursive: true })
          assert.match((await search(place)).stdout, /^.*Deploys go out on Tuesdays\n/)
          assert.notDeepEqual(await indexes(place), indexed)
          assert.lengthOf(await indexes(place), indexed.length)
        })
      })
  )

  it("refuses a hub that is not a URL", () =>
    withTestFolder(async (place) => {
      const refused = await bough(place, ["config", "set", "embedding.hub", "mirror"])
      assert.deepStrictEqual([refused.code, /a URL of http or https/.test(refused.stderr)], [2, true])
    }))
})
