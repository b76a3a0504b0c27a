/** Progress of a command: its last line, no more often than users can read. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as LastLine from "../src/LastLine.ts"

const following = () => {
  const lines: Array<string> = []
  return { lines, take: LastLine.make((line) => Effect.sync(() => void lines.push(line))) }
}

describe("LastLine", () => {
  it.effect("reports the first piece at once and the latest line five times a second", () =>
    Effect.gen(function* () {
      const { lines, take } = following()
      for (let at = 0; at < 100; at++) {
        yield* take(`line ${at}\n`)
        yield* TestClock.adjust(10)
      }
      assert.deepStrictEqual(lines, ["line 0", "line 20", "line 40", "line 60", "line 80"])
    })
  )

  it.effect("shows the current line of a progress bar, without colours", () =>
    Effect.gen(function* () {
      const { lines, take } = following()
      yield* take("\u001b[32m10 %\u001b[0m\r\u001b[2K\u001b]0;title\u000720 %\u001b[K\r\n\n")
      assert.deepStrictEqual(lines, ["20 %"])
    })
  )

  it.effect("assembles a line that came in pieces", () =>
    Effect.gen(function* () {
      const { lines, take } = following()
      yield* take("Com")
      yield* take("pil")
      yield* TestClock.adjust(300)
      yield* take("ing")
      assert.deepStrictEqual(lines, ["Com", "Compiling"])
    })
  )

  it.effect("is empty for blank output, and escapes the rest", () =>
    Effect.gen(function* () {
      const { lines, take } = following()
      yield* take(" \n\n")
      yield* take("a\u202eb\u0007")
      yield* TestClock.adjust(300)
      yield* take(`\n${"x".repeat(1_000_000)}`)
      assert.strictEqual(lines[0], "a\\u{202e}b\\u{7}")
      assert.strictEqual(lines[1].length, 120)
    })
  )
})
