/** Keys: the input of real terminals, split anywhere, decodes to the pressed keys. */
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { thoroughOnly } from "../../../../test/thorough.ts"
import * as Bindings from "../../src/editor/Bindings.ts"
import * as Keys from "../../src/keys/KeyDecoder.ts"

const esc = "\u001B"

const decodeAll = (chunks: ReadonlyArray<Uint8Array>): Keys.DecodeResult => {
  let { state } = { state: Keys.initial }
  const inputs: Array<Keys.Input> = []
  for (const chunk of chunks) {
    const decoded = Keys.decode(state, chunk)
    state = decoded.state
    inputs.push(...decoded.inputs)
  }
  return { state, inputs }
}

/** In the words of the bindings; text that is typed at once is one event. */
const words = (inputs: ReadonlyArray<Keys.Input>): ReadonlyArray<string> => {
  const out: Array<string> = []
  let typing = false
  for (const input of inputs) {
    const typed = input._tag === "KeyPressed" ? Bindings.typedBy(input.key) : ""
    if (typed !== "" && typing) out[out.length - 1] += typed
    else if (input._tag === "KeyPressed") out.push(typed === "" ? Bindings.chord(input.key) : `'${typed}`)
    else out.push(`${input._tag} ${input.text}`)
    typing = typed !== ""
  }
  return out
}

const keysOf = (text: string): ReadonlyArray<string> => words(decodeAll([Buffer.from(text)]).inputs)

/** Input of terminals, and its keys. */
const known: ReadonlyArray<readonly [sent: string, keys: ReadonlyArray<string>]> = [
  ["a", ["'a"]],
  ["日本", ["'日本"]],
  ["👩‍👩‍👧", ["'👩‍👩‍👧"]],
  ["\r", ["enter"]],
  ["\n", ["ctrl-j"]],
  ["ls\r", ["'ls", "enter"]],
  ["\t", ["tab"]],
  ["\u007F", ["backspace"]],
  ["\b", ["backspace"]],
  ["\u0001", ["ctrl-a"]],
  ["\u001F", ["ctrl-_"]],
  ["\u0000", ["ctrl- "]],
  [`${esc}[A`, ["up"]],
  [`${esc}OA`, ["up"]],
  [`${esc}[1;5D`, ["ctrl-left"]],
  [`${esc}[1;3C`, ["alt-right"]],
  [`${esc}[1;2H`, ["shift-home"]],
  [`${esc}[d`, ["shift-left"]],
  [`${esc}Od`, ["ctrl-left"]],
  [`${esc}[3~`, ["delete"]],
  [`${esc}[3;5~`, ["ctrl-delete"]],
  [`${esc}[3^`, ["ctrl-delete"]],
  [`${esc}[3$`, ["shift-delete"]],
  [`${esc}[7~`, ["home"]],
  [`${esc}[5~${esc}[6~`, ["pageUp", "pageDown"]],
  [`${esc}[Z`, ["shift-tab"]],
  [`${esc}OP${esc}[15~${esc}[24~${esc}[[B`, ["F1", "F5", "F12", "F2"]],
  [`${esc}[1;5R`, ["ctrl-F3"]],
  [`${esc}b`, ["alt-b"]],
  [`${esc}\r`, ["alt-enter"]],
  [`${esc}\u007F`, ["alt-backspace"]],
  [`${esc}${esc}[A`, ["alt-up"]],
  [`${esc}é`, ["alt-é"]],
  // CSI u, and the kitty protocol's additions
  [`${esc}[13;2u`, ["shift-enter"]],
  [`${esc}[27u`, ["escape"]],
  [`${esc}[97;5u`, ["ctrl-a"]],
  [`${esc}[65;6u`, ["ctrl-a"]],
  [`${esc}[98;3u`, ["alt-b"]],
  [`${esc}[97:65;2u`, ["'A"]],
  [`${esc}[1089::99;5u`, ["ctrl-c"]],
  [`${esc}[101;1;233u`, ["'é"]],
  [`${esc}[97;1:3u`, []],
  [`${esc}[1;1:3A`, []],
  [`${esc}[97;9u`, []],
  [`${esc}[57441;2u`, []],
  [`${esc}[57414;1u${esc}[57400u`, ["enter", "'1"]],
  [`${esc}[127;3u`, ["alt-backspace"]],
  // modifyOtherKeys
  [`${esc}[27;2;13~`, ["shift-enter"]],
  [`${esc}[27;5;47~`, ["ctrl-/"]],
  [`${esc}[27;6;9~`, ["ctrl-shift-tab"]],
  // Reports: none of them is typed.
  [`${esc}[?1;2c${esc}[?1u${esc}[24;80R${esc}[I${esc}[O`, []],
  [`${esc}[<64;10;10M${esc}[<0;1;1m${esc}[M !!`, []],
  [`${esc}]11;rgb:0000/0000/0000${esc}\\`, ["Answered 11;rgb:0000/0000/0000"]],
  [`${esc}]11;rgb:ffff/ffff/ffff\u0007x`, ["Answered 11;rgb:ffff/ffff/ffff", "'x"]],
  [`${esc}P>|terminal 1.0${esc}\\`, ["Answered >|terminal 1.0"]],
  // A sequence that is broken off does not swallow the next key.
  [`${esc}[1;${esc}[A`, ["up"]],
  [`${esc}[12\rx`, ["enter", "'x"]],
  // Pastes
  [`${esc}[200~one\rtwo${esc}[A\u0003${esc}[201~\r`, [`Pasted one\rtwo${esc}[A\u0003`, "enter"]],
  [`${esc}[200~${esc}[201~`, ["Pasted "]],
  [`${esc}[200~a${esc}[201b${esc}[201~c`, [`Pasted a${esc}[201b`, "'c"]]
]

const anything = Arbitrary.map(
  Arbitrary.schema(
    Schema.Array(
      Schema.Literals([
        esc,
        "[",
        "O",
        "]",
        "\\",
        "\u0007",
        "~",
        "1",
        ";",
        "2",
        "200~",
        "M",
        "u",
        "A",
        "é",
        "😀",
        "\r",
        "$"
      ])
    )
  ),
  (parts) => parts.join("")
)
const sequences = Arbitrary.map(Arbitrary.schema(Schema.Array(Schema.Literals(known.map(([sent]) => sent)))), (parts) =>
  parts.join("")
)
const sizes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 })))

const cutInto = (bytes: Uint8Array, lengths: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const chunks: Array<Uint8Array> = []
  let at = 0
  for (const length of lengths) {
    chunks.push(bytes.subarray(at, at + length))
    at += length
  }
  return [...chunks, bytes.subarray(at)]
}

const many = { arbitrary: { runs: 500, size: 60 } }

describe("Keys", () => {
  it.each(known)("reads %j as %j", (sent, keys) => {
    assert.deepStrictEqual(keysOf(sent), keys)
  })

  it.each(known)("reads %j the same byte by byte", (sent, keys) => {
    const bytes = Buffer.from(sent)
    const decoded = decodeAll(Array.from(bytes, (byte) => Uint8Array.of(byte)))
    assert.deepStrictEqual(words(decoded.inputs), keys)
    assert.isFalse(Keys.isWaiting(decoded.state))
  })

  it.prop(
    "reads sequences the same for any split",
    [sequences, sizes],
    ([sent, lengths]) => {
      const bytes = Buffer.from(sent)
      assert.deepStrictEqual(words(decodeAll(cutInto(bytes, lengths)).inputs), keysOf(sent))
    },
    many
  )

  it.prop(
    "reads nonsense the same for any split, and none of it is a control character",
    [anything, sizes],
    ([sent, lengths]) => {
      const whole = decodeAll([Buffer.from(sent)])
      const cut = decodeAll(cutInto(Buffer.from(sent), lengths))
      assert.deepStrictEqual(words(cut.inputs), words(whole.inputs))
      assert.deepStrictEqual(cut.state.undecided, whole.state.undecided)
      for (const input of whole.inputs) {
        if (input._tag === "KeyPressed") assert.notMatch(input.key.text, /\p{Cc}/u)
      }
    },
    many
  )

  it.each([`${esc}]1`, `${esc}]11;`, `${esc}]11;rgb:fdfd/f6`, `${esc}]11;rgba:0000/0000/0000/ffff${esc}`])(
    "treats %j as the beginning of a report, however long the rest takes",
    (sent) => {
      const { inputs, state } = decodeAll([Buffer.from(sent)])
      assert.deepStrictEqual(inputs, [])
      assert.isFalse(Keys.isWaiting(state))
      assert.deepStrictEqual(Keys.endWait(state), { state, inputs: [] })
    }
  )

  it.each([
    [esc, ["escape"]],
    [`${esc}[`, ["alt-["]],
    [`${esc}O`, ["alt-O"]],
    [`${esc}${esc}`, ["escape", "escape"]],
    [`${esc}]`, ["alt-]"]],
    [`${esc}]11;no`, ["alt-]", "'11;no"]],
    [`${esc}Ping`, ["alt-P", "'ing"]]
  ])("treats %j as keys once nothing more comes", (sent, keys) => {
    const { inputs, state } = decodeAll([Buffer.from(sent)])
    assert.deepStrictEqual(inputs, [])
    assert.isTrue(Keys.isWaiting(state))
    const decoded = Keys.endWait(state)
    assert.deepStrictEqual(words(decoded.inputs), keys)
    assert.isFalse(Keys.isWaiting(decoded.state))
  })

  it("waits longer for the rest of a sequence whose beginning no user types", () => {
    const { state } = decodeAll([Buffer.from(`${esc}[1;5`)])
    assert.isFalse(Keys.isWaiting(state))
    assert.deepStrictEqual(words(Keys.decode(state, Buffer.from("C")).inputs), ["ctrl-right"])
  })

  it("buffers at most a bounded part of a sequence that never ends", () => {
    const { state } = decodeAll([
      Buffer.from(`${esc}[${"1;".repeat(10_000)}`),
      Buffer.from(`${esc}]${"x".repeat(200_000)}`)
    ])
    assert.isBelow(state.undecided.length, 70_000)
  })

  it("reads a paste of a million lines in many chunks", thoroughOnly, () => {
    const text = "line\r".repeat(1_000_000)
    const bytes = Buffer.from(`${esc}[200~${text}${esc}[201~`)
    const lengths = Array.from({ length: Math.ceil(bytes.length / 4096) }, () => 4096)
    const { inputs } = decodeAll(cutInto(bytes, lengths))
    assert.strictEqual(inputs.length, 1)
    assert.isTrue(inputs[0]?._tag === "Pasted" && inputs[0].text === text)
  })
})
