import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  AppendMemoryFile,
  ClearScratchpad,
  ListMemoryFiles,
  PatchMemoryFile,
  ReadMemoryFile,
  ReadScratchpad,
  WriteMemoryFile,
  WriteScratchpad
} from "../src/index.ts"
import * as Harness from "./Harness.ts"

describe("the memory file tools", () => {
  it.effect("write, append with a summary, patch and list a file", () =>
    Effect.gen(function* () {
      const { run } = yield* Harness.make
      const path = "facts/people.md"
      yield* run(WriteMemoryFile, { path, content: "# People\n\nAnn is tall." })
      yield* run(AppendMemoryFile, { path, entry: "Bob is short.", summary: "how tall\npeople are" })
      yield* run(AppendMemoryFile, { path, entry: "Carl is neither.", summary: "sizes" })
      yield* run(PatchMemoryFile, { path, oldText: "Ann is tall.", newText: "Ann is $& tall." })
      const { output } = yield* run(ReadMemoryFile, { path })
      assert.strictEqual(
        output.content,
        "# People\n\n> Summary: sizes\n\nAnn is $& tall.\n\nBob is short.\n\nCarl is neither.\n"
      )
      const listed = yield* run(ListMemoryFiles, {})
      assert.deepStrictEqual(listed.output.files, [{ path, summary: "sizes", size: output.content.length }])
      assert.deepStrictEqual((yield* run(ListMemoryFiles, {}, { user: "bob" })).output.files, [])
    })
  )

  it.effect("patch a passage that occurs once, and nothing else", () =>
    Effect.gen(function* () {
      const { run } = yield* Harness.make
      yield* run(WriteMemoryFile, { path: "a.md", content: "one two one" })
      const patch = (oldText: string) => Effect.flip(run(PatchMemoryFile, { path: "a.md", oldText, newText: "x" }))
      assert.match((yield* patch("one")).message, /2 times/)
      assert.match((yield* patch("three")).message, /does not hold/)
      assert.strictEqual((yield* run(ReadMemoryFile, { path: "a.md" })).output.content, "one two one")
    })
  )

  it.effect("lead nowhere else", () =>
    Effect.gen(function* () {
      const { run } = yield* Harness.make
      for (const path of ["../x.md", "/etc/passwd", "a/../../x.md", "x"]) {
        const error = yield* Effect.flip(run(WriteMemoryFile, { path, content: "x" }))
        assert.strictEqual(error._tag, "ValidationError", path)
      }
    })
  )
})

describe("the scratchpad tools", () => {
  it.effect("keep the items of one session, replaced together", () =>
    Effect.gen(function* () {
      const { run } = yield* Harness.make
      assert.deepStrictEqual((yield* run(ReadScratchpad, {})).output, {
        sessionId: "s",
        items: [],
        updatedAt: null,
        itemCount: 0
      })
      yield* run(WriteScratchpad, { items: ["a", "b"] })
      assert.strictEqual((yield* run(WriteScratchpad, { items: ["c"] })).output.itemCount, 1)
      assert.deepStrictEqual((yield* run(ReadScratchpad, {})).output.items, ["c"])
      assert.deepStrictEqual((yield* run(ReadScratchpad, {}, { session: "other" })).output.items, [])
      assert.isTrue((yield* run(ClearScratchpad, {})).output.cleared)
      assert.isFalse((yield* run(ClearScratchpad, {})).output.cleared)
    })
  )

  it("accept 1 to 32 items of at most 240 characters", () => {
    const fits = (items: ReadonlyArray<string>) => Schema.is(WriteScratchpad.parameters)({ items })
    assert.isTrue(fits(Array.from({ length: 32 }, () => "x".repeat(240))))
    assert.isFalse(fits([]))
    assert.isFalse(fits(Array.from({ length: 33 }, () => "x")))
    assert.isFalse(fits(["x".repeat(241)]))
    assert.isFalse(fits([""]))
  })
})
