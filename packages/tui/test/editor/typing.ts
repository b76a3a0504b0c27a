/** Events as a test writes them, and arbitrary ones. */
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import * as Bindings from "../../src/editor/Bindings.ts"
import * as Editor from "../../src/editor/Editor.ts"
import * as InputSyntax from "../../src/editor/InputSyntax.ts"
import { type Key, type Name, namedKey, textKey } from "../../src/keys/Key.ts"

const names: ReadonlyArray<Exclude<Name, "text" | "function">> = [
  "enter",
  "tab",
  "backspace",
  "delete",
  "escape",
  "up",
  "down",
  "left",
  "right",
  "home",
  "end"
]

/** `ctrl-left`, `alt-b`, `enter`. */
export const keyOf = (chord: string): Key => {
  const parts = chord.split(/-(?=.)/u)
  const last = parts.at(-1) ?? ""
  const modifiers = { ctrl: parts.includes("ctrl"), alt: parts.includes("alt"), shift: parts.includes("shift") }
  const name = names.find((known) => known === last)
  return name === undefined ? textKey(last, modifiers) : namedKey(name, modifiers)
}

export const press = (chord: string): Editor.Event => ({ _tag: "KeyPressed", key: keyOf(chord) })

export const type = (text: string): Editor.Event => ({ _tag: "KeyPressed", key: textKey(text) })

export const paste = (text: string): Editor.Event => ({ _tag: "Pasted", text })

const commandNames = [
  "help",
  "model [provider/model]",
  "sessions [id]",
  "compact",
  "cost",
  "quit",
  "tools",
  "export [file]",
  "undo"
]

/** The commands of a program, as its editor knows them. */
export const syntax: InputSyntax.InputSyntax = {
  commands: commandNames.map((usage) => {
    const [name, given = ""] = usage.split(" ")
    return { name, arguments: given, help: `what /${name} does` }
  }),
  parse: InputSyntax.parse,
  refusal: (input) => {
    if (input._tag === "Command") return input.command === "" ? "write a command after the !" : null
    if (input._tag !== "Slash" || syntax.commands.some(({ name }) => name === input.name)) return null
    return `there is no /${input.name}: did you mean another?`
  },
  noCommand: "there is no such command"
}

export const initial = Editor.make({ syntax })

export const all = (events: ReadonlyArray<Editor.Event>, from: Editor.EditorState = initial): Editor.EditorUpdate => {
  let state = from
  const actions: Array<Editor.Action> = []
  for (const event of events) {
    const updated = Editor.update(state, event)
    state = updated.state
    actions.push(...updated.actions)
  }
  return { state, actions }
}

/** Text with `|` at the cursor. */
export const shown = ({ draft }: Editor.EditorState): string =>
  `${draft.text.slice(0, draft.cursor)}|${draft.text.slice(draft.cursor)}`

/** A 1×1 picture; only its header is read. */
export const imageOf = (path: string): Editor.Image => ({
  path,
  media: { mediaType: "image/png", data: "iVBORw0KGgo=" }
})

const pieces = Schema.Literals([
  "a",
  "Wort",
  " ",
  "\n",
  "\t",
  "日本語",
  "👩‍👩‍👧",
  "🇩🇪",
  "🇩",
  "1️⃣",
  "e\u0301",
  "\u0301",
  "क्षि",
  "\u200D",
  "\u1112\u1161\u11AB",
  "\u001B[31m",
  "\u0007",
  "\u202E",
  "\uD800",
  "@src",
  "/",
  "!",
  '"',
  "\\",
  "a long word of letters and others "
])
export const texts = Arbitrary.map(Arbitrary.schema(Schema.Array(pieces)), (parts) => parts.join(""))

const typedText = Arbitrary.map(
  Arbitrary.filter(texts, (text) => text !== ""),
  type
)
const pastedText = Arbitrary.map(texts, (text) => paste(text))
const longPaste = Arbitrary.map(texts, (text) => paste(`${text}\n`.repeat(12)))
const images = Schema.Literals(["/tmp/a.png", "'/tmp/b c.jpg' /tmp/a.png", "file:///tmp/d%20e.webp "])
const droppedImage = Arbitrary.map(Arbitrary.schema(images), (text) => paste(text))
const widths = Schema.Int.check(Schema.isBetween({ minimum: 4, maximum: 40 }))
const resized = Arbitrary.map(Arbitrary.schema(widths), (width): Editor.Event => ({ _tag: "Resized", width }))
const requests = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 6 }))
const imagesFound = Arbitrary.map(Arbitrary.schema(requests), (request): Editor.Event => ({
  _tag: "ImagesFound",
  request,
  images: [imageOf("/tmp/a.png"), imageOf("/tmp/d e.webp")],
  refused: []
}))
const pathsCompleted = Arbitrary.map(Arbitrary.schema(requests), (request): Editor.Event => ({
  _tag: "PathsCompleted",
  request,
  paths: [
    { path: "src", isFolder: true },
    { path: "src/a b\u001B.png", isFolder: false }
  ]
}))
const historyLoaded = Arbitrary.map(texts, (text): Editor.Event => ({
  _tag: "HistoryLoaded",
  entries: ["first", text, `${text}\nend`]
}))

const keys = (chords: ReadonlyArray<string>) => Arbitrary.map(Arbitrary.schema(Schema.Literals(chords)), press)

const oneOf = (choices: ReadonlyArray<Arbitrary.Arbitrary<Editor.Event>>): Arbitrary.Arbitrary<Editor.Event> =>
  Arbitrary.flatMap(
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: choices.length - 1 }))),
    (index) => choices[index] ?? typedText
  )

export const anyEvents = Arbitrary.array(
  oneOf([
    typedText,
    typedText,
    keys([...Bindings.bindings.keys()]),
    keys([...Bindings.bindings.keys()]),
    pastedText,
    longPaste,
    droppedImage,
    imagesFound,
    pathsCompleted,
    historyLoaded,
    resized
  ])
)

const editing = [...Bindings.bindings].filter(([, command]) => command !== "send" && command !== "undo")

/** Events that send nothing and undo nothing. */
export const anyEdits = Arbitrary.array(
  oneOf([typedText, keys(editing.map(([chord]) => chord)), pastedText, longPaste, droppedImage, resized])
)
