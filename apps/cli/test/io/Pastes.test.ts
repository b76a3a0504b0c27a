/** Typed and pasted text, told apart. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Pastes from "../../src/io/Pastes.ts"

const bracketed = (text: string): string => `\u001B[200~${text}\u001B[201~`

/** Joins neighbours of the same kind: the splits of typed text do not matter. */
const joined = (pieces: ReadonlyArray<Pastes.InputPart>): ReadonlyArray<Pastes.InputPart> => {
  const all: Array<Pastes.InputPart> = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if (last === undefined || last.isPasted || piece.isPasted) all.push(piece)
    else all[all.length - 1] = { isPasted: false, text: last.text + piece.text }
  }
  return all
}

const Parts = Schema.Array(
  Schema.Literals(["y", "\r", "[2", "\u001B[A", "\u001B[200~a\rb\u001B[201~", bracketed("世")])
)

describe("Pastes", () => {
  it.effect.prop("are the same wherever the input is split", [Parts, Schema.Natural], ([parts, cut]) =>
    Effect.sync(() => {
      const input = parts.join("")
      // No terminal splits between Escape and the rest: a lone Escape is a key.
      const places = Array.from(input, (_, at) => at).filter((at) => input[at - 1] !== "\u001B")
      const at = places[cut % Math.max(1, places.length)] ?? 0
      const whole = Pastes.make()
      const inTwo = Pastes.make()
      const flush = "."
      assert.deepStrictEqual(
        joined([...inTwo(input.slice(0, at)), ...inTwo(input.slice(at)), ...inTwo(flush)]),
        joined([...whole(input), ...whole(flush)])
      )
    })
  )

  it("contain no sequence that acts on a terminal or makes one send bytes", () => {
    const piecesOf = Pastes.make()
    assert.deepStrictEqual(piecesOf(`a${bracketed("one\r\ntwo\rthree\tx\u0003\u001B[2J\u009B\n\n")}b\r`), [
      { isPasted: false, text: "a" },
      { isPasted: true, text: "one\ntwo\nthree\tx[2J" },
      { isPasted: false, text: "b\r" }
    ])
  })

  it("that never end can be left with Ctrl-C", () => {
    const piecesOf = Pastes.make()
    assert.deepStrictEqual(piecesOf("\u001B[200~lost"), [])
    assert.deepStrictEqual(piecesOf("\u0003"), [{ isPasted: false, text: "\u0003" }])
    assert.deepStrictEqual(piecesOf("y"), [{ isPasted: false, text: "y" }])
  })
})
