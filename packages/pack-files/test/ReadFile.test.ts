import { Canonical } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ReadFile } from "../src/index.ts"
import { open, words } from "./Harness.ts"

/** The text of an answer that is text. */
const textOf = (output: typeof ReadFile.output.Type) => {
  assert("text" in output)
  return output
}

const png = Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), Buffer.alloc(64)])

describe("read_file", () => {
  it.live("returns the text with its position, and describes it in a sentence", () =>
    Effect.gen(function* () {
      const { call } = yield* open({ "src/a.ts": "one\ntwo\nthree\n" })
      const { display, output } = yield* call(ReadFile, { path: "src/a.ts", fromLine: 2, maxLines: 1 })
      assert.deepStrictEqual(output, {
        fromLine: 2,
        lines: 1,
        totalLines: 3,
        startByte: 4,
        endByte: 8,
        totalBytes: 14,
        digest: Canonical.digest("one\ntwo\nthree\n"),
        text: "two\n"
      })
      assert.strictEqual(display, "Read src/a.ts (1 of 3 lines)")
    })
  )

  it.live("continues where it stopped until the entire file was read, in untruncated answers", () =>
    Effect.gen(function* () {
      const text =
        Array.from({ length: 9000 }, (_, index) => `"line" ${index}\t\\ ünï\n`).join("") + "x".repeat(140_000)
      const { call } = yield* open({ "a.txt": text })
      let joined = ""
      for (let fromByte = 0; fromByte < Buffer.byteLength(text);) {
        const { output } = yield* call(ReadFile, fromByte === 0 ? { path: "a.txt" } : { path: "a.txt", fromByte })
        assert.isAtMost(Buffer.byteLength(ReadFile.forModel?.(output) ?? ""), ReadFile.maxModelBytes)
        joined += textOf(output).text
        assert.isAbove(textOf(output).endByte, fromByte)
        fromByte = textOf(output).endByte
      }
      assert.strictEqual(joined, text)
    })
  )

  it.live("shows CRLF as LF and every encoding as text, and names both", () =>
    Effect.gen(function* () {
      const { call } = yield* open({
        bom: "\uFEFFa\n",
        crlf: "a\r\nb\r\n",
        latin1: Buffer.from("caf\xE9\n", "latin1"),
        mixed: "a\r\nb\n",
        wide: Buffer.from("\uFEFFa\r\n", "utf16le")
      })
      const read = (path: string) =>
        Effect.map(call(ReadFile, { path }), ({ output }) => {
          const { encoding, lineEnding, text } = textOf(output)
          return { encoding, lineEnding, text }
        })
      assert.deepStrictEqual(yield* read("bom"), { encoding: "utf-8-bom", lineEnding: undefined, text: "a\n" })
      assert.deepStrictEqual(yield* read("crlf"), { encoding: undefined, lineEnding: "CRLF", text: "a\nb\n" })
      assert.deepStrictEqual(yield* read("latin1"), { encoding: "latin1", lineEnding: undefined, text: "café\n" })
      assert.deepStrictEqual(yield* read("mixed"), { encoding: undefined, lineEnding: "mixed", text: "a\nb\n" })
      assert.deepStrictEqual(yield* read("wide"), { encoding: "utf-16le", lineEnding: "CRLF", text: "a\n" })
    })
  )

  it.live("returns images of the four kinds, under any name", () =>
    Effect.gen(function* () {
      const images = {
        "image/png": png,
        "image/jpeg": Buffer.from("ffd8ffe000104a46494600", "hex"),
        "image/gif": Buffer.from("47494638396101000100000000", "hex"),
        "image/webp": Buffer.from("52494646240000005745425056503820", "hex")
      }
      for (const [mediaType, bytes] of Object.entries(images)) {
        const { call } = yield* open({ picture: bytes })
        const { media, output } = yield* call(ReadFile, { path: "picture" })
        assert.deepStrictEqual(output, { mediaType, totalBytes: bytes.length, digest: Canonical.digest(bytes) })
        assert.deepStrictEqual(media, [{ mediaType, data: bytes.toString("base64") }])
      }
    })
  )

  it.live("refuses other binary files with a hint", () =>
    Effect.gen(function* () {
      const { call } = yield* open({ program: Buffer.from([127, 69, 76, 70, 0, 0]) })
      const error = yield* Effect.flip(call(ReadFile, { path: "program" }))
      assert(error._tag === "ExecutionError")
      assert.match(error.message, /program is binary \(6 bytes\)/)
      assert.isDefined(error.hint)
    })
  )

  it.live("shows an image that is stored under a name, without a file", () =>
    Effect.gen(function* () {
      const { call } = yield* open({}, { image: png })
      const path = `blob:${Canonical.digest(png)}`
      const { display, media, output } = yield* call(ReadFile, { path })
      assert.deepStrictEqual(output, { mediaType: "image/png", totalBytes: png.length, digest: Canonical.digest(png) })
      assert.deepStrictEqual(media, [{ mediaType: "image/png", data: png.toString("base64") }])
      assert.strictEqual(display, `Read ${path}, an image of ${png.length} bytes`)
    })
  )

  it.live("pages through all of a truncated output", () =>
    Effect.gen(function* () {
      const blob = `${"one long line ".repeat(3000)}\nlast\n`
      const { call } = yield* open({}, { blob })
      const path = `blob:${Canonical.digest(blob)}`
      let joined = ""
      for (let fromByte = 0; fromByte < blob.length;) {
        const { output } = yield* call(ReadFile, { path, fromByte })
        joined += textOf(output).text
        fromByte = textOf(output).endByte
      }
      assert.strictEqual(joined, blob)
      assert.strictEqual(textOf((yield* call(ReadFile, { path, fromLine: 2 })).output).text, "last\n")
      assert.match(words(yield* Effect.flip(call(ReadFile, { path: "blob:sha256:none" }))), /no blob/)
    })
  )

  it.live("reports a directory, a missing file, and lines beyond the end", () =>
    Effect.gen(function* () {
      const { call } = yield* open({ "d/a": "1\n2\n", empty: "" })
      const directory = yield* Effect.flip(call(ReadFile, { path: "d" }))
      assert.match(words(directory), /is a directory, not a file/)
      assert(directory._tag === "ExecutionError")
      assert.include(directory.hint, "list_files")
      assert.match(words(yield* Effect.flip(call(ReadFile, { path: "none" }))), /there is no file or directory "none"/)
      const beyond = textOf((yield* call(ReadFile, { path: "d/a", fromLine: 9 })).output)
      assert.deepStrictEqual([beyond.text, beyond.lines, beyond.totalLines], ["", 0, 2])
      assert.strictEqual(textOf((yield* call(ReadFile, { path: "empty" })).output).text, "")
    })
  )

  it.live("is raised for a secret file, and reads it once that is approved", () =>
    Effect.gen(function* () {
      const { call, raised } = yield* open({ ".env": "KEY=1\n", "a.txt": "x" })
      assert.strictEqual(yield* raised(ReadFile, { path: ".env" }), ".env may hold credentials")
      assert.isNull(yield* raised(ReadFile, { path: "a.txt" }))
      assert.isNull(yield* raised(ReadFile, { path: "blob:sha256:0" }))
      assert.strictEqual(textOf((yield* call(ReadFile, { path: "./.env" })).output).text, "KEY=1\n")
    })
  )
})
