/** The bounds of a handler's result: the number of images and addresses, and complete base64. */
import { ToolError } from "@bough/protocol"
import { Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { requestFor, world } from "./Harness.ts"

const image = { mediaType: "image/png", data: "iVBORw0KGgo=" }

const end = (more: object, output: Tool.Codec = Schema.Struct({})) =>
  world({
    tools: [
      Tool.make("bounded", {
        version: 1,
        description: "Returns much",
        tier: "ReadOnly",
        replay: "Safe",
        capabilities: [],
        parameters: Schema.Struct({}),
        output,
        execute: () => Effect.succeed({ output: {}, display: "", ...more })
      })
    ]
  }).end(requestFor("bounded"))

/** A list of two billion items, of which there are none. */
const hollow: Array<unknown> = []
hollow.length = 2 ** 31

const times = <A>(count: number, value: A): ReadonlyArray<A> => Array.from({ length: count }, () => value)

describe("a result", () => {
  it.effect("may have 16 images and 1000 addresses", () =>
    Effect.gen(function* () {
      const { outcome } = yield* end({ media: times(16, image), discoveredUrls: times(1000, "https://a.example/") })
      assert.isTrue(outcome._tag === "Succeeded" && outcome.media.length === 16 && outcome.found?.length === 1000)
    })
  )

  it.effect.each([
    ["17 images", { media: times(17, image) }, "media: "],
    ["1001 addresses", { discoveredUrls: times(1001, "https://a.example/") }, "discoveredUrls: "],
    ["a long address", { discoveredUrls: [`https://a.example/${"x".repeat(8192)}`] }, "discoveredUrls.0: "],
    ["artifacts that are missing", { artifacts: hollow }, "a list that lacks most of its items"],
    ["an output of missing rows", { output: { table: { rows: hollow } } }, "a list that lacks most of its items"],
    ["an image that is cut off", { media: [{ ...image, data: image.data.slice(0, -3) }] }, "media.0.data: "]
  ] as const)("with %s is a bug of the tool", ([, more, says]) =>
    Effect.gen(function* () {
      const { outcome } = yield* end(more)
      const error = outcome._tag === "Failed" ? outcome.error : assert.fail(outcome._tag)
      assert.include(ToolError.describe(error), says)
      assert.include(ToolError.describe(error), "a bug in the tool bounded: its result ")
    })
  )

  it.effect.each([
    ["addresses", (list: unknown) => ({ discoveredUrls: list }), "discoveredUrls.0: Expected string"],
    ["artifacts", (list: unknown) => ({ artifacts: list, details: "" }), "artifacts.0"],
    ["rows of its output", (list: unknown) => ({ output: list }), "output does not fit its schema: 0: Expected string"]
  ] as const)("with a million wrong %s is refused by the first of them", ([, more, says]) =>
    Effect.gen(function* () {
      const { list, reads } = countedReads(1_000_000)
      const { outcome } = yield* end(more(list), Schema.Array(Schema.String))
      const error = outcome._tag === "Failed" ? outcome.error : assert.fail(outcome._tag)
      assert.include(ToolError.describe(error), says)
      assert.isBelow(reads.size, 1100)
    })
  )
})

/** A list of numbers that notes which of its items were read. */
const countedReads = (length: number): { readonly list: unknown; readonly reads: ReadonlySet<PropertyKey> } => {
  const reads = new Set<PropertyKey>()
  const list = new Proxy(times(length, 1), {
    get: (target, key) => {
      reads.add(key)
      return Reflect.get(target, key) as unknown
    }
  })
  return { list, reads }
}
