/** A reflection that returns no valid verdict is corrected twice, however it fails. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Reply from "../../src/testing/Reply.ts"
import * as Grove from "../tree/grove.ts"
import { open, verdict, work } from "./reflectionWorld.ts"
import * as World from "./world.ts"

const words = Reply.text("it went well")
const invalid = verdict({ verdict: "done" })
const other = verdict({ lessons: "none" })
const notJson = Reply.toolCall("return_result", "no JSON")

describe("a reflection without a valid verdict", () => {
  it.effect.each([
    ["words", [words, words, words]],
    ["words, then invalid verdicts", [words, invalid, other]],
    ["invalid verdicts, then words", [invalid, other, words]],
    ["both in turn", [invalid, words, other]],
    ["arguments that are not JSON", [notJson, words, invalid]]
  ] as const)("ends after three requests: %s", ([, replies]) =>
    Grove.run(
      Effect.gen(function* () {
        const { script, session } = yield* open({ script: [...work, ...replies, Reply.text("hello")] })
        yield* session.run(World.say("read it"))
        const result = yield* session.reflect
        assert.deepStrictEqual([result?.status, result?.output], ["Failed", null])
        assert.strictEqual((yield* session.run(World.say("hi"))).text, "hello")
        yield* script.assertDone
      })
    )
  )

  it.effect("may still return one with the third request", () =>
    Grove.run(
      Effect.gen(function* () {
        const { script, session } = yield* open({ script: [...work, words, invalid, verdict()] })
        yield* session.run(World.say("read it"))
        assert.strictEqual((yield* session.reflect)?.status, "Completed")
        yield* script.assertDone
      })
    )
  )
})
