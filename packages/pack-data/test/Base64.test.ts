import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Buffer } from "node:buffer"
import { DecodeBase64, EncodeBase64 } from "../src/index.ts"
import { mistakeIn, run } from "./Harness.ts"

const Alphabet = Schema.Literals(["standard", "url"])

const decoded = (base64: string, alphabet: typeof Alphabet.Type = "standard") =>
  Effect.map(run(DecodeBase64, { base64, alphabet }), ({ output }) => output)

describe("encode_base64 and decode_base64", () => {
  it.effect.prop("return every text unchanged, in both alphabets", [Schema.String, Alphabet], ([input, alphabet]) =>
    Effect.gen(function* () {
      const text = input.toWellFormed()
      const { base64 } = (yield* run(EncodeBase64, { text, alphabet })).output
      assert.match(base64, alphabet === "url" ? /^[\w-]*$/ : /^[A-Za-z0-9+/]*={0,2}$/)
      assert.strictEqual((yield* decoded(base64, alphabet)).text, text)
    })
  )

  it.effect.prop(
    "return every byte unchanged, as text or as hex",
    [Schema.Array(Schema.Int), Alphabet],
    ([numbers, alphabet]) =>
      Effect.gen(function* () {
        const bytes = Buffer.from(numbers)
        const result = yield* decoded(bytes.toString(alphabet === "url" ? "base64url" : "base64"), alphabet)
        const back = result.text === undefined ? Buffer.from(result.hex ?? "", "hex") : Buffer.from(result.text)
        assert.isTrue(back.equals(bytes))
        assert.strictEqual(result.totalBytes, bytes.length)
      })
  )

  it.effect("keep a byte order mark", () =>
    Effect.gen(function* () {
      const { base64 } = (yield* run(EncodeBase64, { text: "\uFEFFa" })).output
      assert.strictEqual((yield* decoded(base64)).text, "\uFEFFa")
    })
  )

  it.effect("show the head of binary data", () =>
    Effect.gen(function* () {
      const image = Buffer.concat([Buffer.from("89504e47", "hex"), Buffer.alloc(5000)])
      const { hex, text, totalBytes } = yield* decoded(image.toString("base64"))
      assert.isUndefined(text)
      assert.deepStrictEqual([hex?.slice(0, 8), hex?.length, totalBytes], ["89504e47", 2048, 5004])
    })
  )

  it.effect("accept line breaks and missing padding", () =>
    Effect.gen(function* () {
      for (const base64 of ["aGVsbG8=", "aGVsbG8", "aGVs\r\nbG8=\n"]) {
        assert.strictEqual((yield* decoded(base64)).text, "hello")
      }
    })
  )

  it.effect("name the position of invalid base64", () =>
    Effect.gen(function* () {
      const cases = [
        ["aGV!bG8=", '"!" at position 4 is not of the standard alphabet'],
        ["aGVs_w==", '"_" at position 5 is not of the standard alphabet'],
        ["aG😀=", '"😀" at position 3 is not of the standard alphabet'],
        ["aGVsbG8=aGVs", "at position 9 the text continues after its padding"],
        ["aGVsb", "the text ends at position 5 within a byte"],
        ["aGVsbG8==", "the text ends at position 9 with wrong padding"],
        ["aGVs=", "the text ends at position 5 with wrong padding"],
        ["aGVsbG9", "the text ends at position 7 with bits of a further byte: it was cut or changed"]
      ] as const
      for (const [base64, message] of cases) assert.strictEqual(yield* mistakeIn("base64", decoded(base64)), message)
      assert.include(yield* mistakeIn("base64", decoded("ab+/", "url")), '"+" at position 3 is not of the url alphabet')
    })
  )

  it.effect("refuse half a character", () =>
    Effect.gen(function* () {
      assert.include(yield* mistakeIn("text", run(EncodeBase64, { text: "a\uD83D" })), "surrogate")
    })
  )
})
