/**
 * Shows the user an MCP server's request for input, and reads the answer line by line; nothing is sent until the user has
 * seen all of it. The server's texts are escaped and follow its name.
 */
import { Form } from "@bough/mcp"
import * as Escape from "@bough/tui/text/Escape"
import * as Layout from "@bough/tui/text/Layout"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import type { Output } from "../../io/Output.ts"
import type { Terminal } from "../../io/Terminal.ts"

export interface FormUi {
  readonly terminal: Terminal["Service"]
  readonly output: Output["Service"]
}

export const ask = Effect.fnUntraced(function* (ui: FormUi, request: Form.Request): Effect.fn.Return<Form.Reply> {
  const { output, terminal } = ui
  const print = (rows: ReadonlyArray<SafeText>): void => rows.forEach((row) => output.noteEscaped(row))
  print(introduction(request, output))
  const proceeds =
    request._tag === "Form"
      ? text`│ y to fill in the form · n to decline · c to cancel`
      : text`│ y to accept · n to decline · c to cancel`
  const key = yield* terminal.readKey(["y", "n", "c"], () => output.noteEscaped(output.style.bold(proceeds)))
  if (key !== "y") return yield* printEnd(ui, key === "n" ? { _tag: "Declined" } : { _tag: "Cancelled" })
  if (request._tag === "Page") return yield* printEnd(ui, { _tag: "Accepted", values: {} })
  const values: Record<string, Form.Value> = {}
  for (const field of request.fields) {
    print(fieldRows(field, output.columns()))
    const value = yield* valueOf(ui, field)
    if (value._tag === "Fault") return yield* printEnd(ui, { _tag: "Cancelled" })
    // A name such as __proto__ is a field like any other.
    if (value._tag === "Value") Object.defineProperty(values, field.name, { value: value.value, enumerable: true })
  }
  print([text`│ to send: ${Escape.line(JSON.stringify(values))}`])
  const sends = yield* terminal.readKey(["y", "n", "c"], () =>
    output.noteEscaped(output.style.bold(text`│ y to send · n to decline · c to cancel`))
  )
  if (sends === "y") return yield* printEnd(ui, { _tag: "Accepted", values })
  return yield* printEnd(ui, sends === "n" ? { _tag: "Declined" } : { _tag: "Cancelled" })
})

const printEnd = ({ output }: FormUi, answer: Form.Reply): Effect.Effect<Form.Reply> =>
  Effect.sync(() => {
    const words = { Accepted: text`└ accepted`, Declined: text`└ declined`, Cancelled: text`└ cancelled` }
    output.noteEscaped(output.style.dim(words[answer._tag]))
    return answer
  })

const introduction = (request: Form.Request, { columns, style }: FormUi["output"]): ReadonlyArray<SafeText> => {
  const width = columns()
  const server = Escape.line(request.server)
  const messageRows = Layout.behindBar(Escape.text(request.message), width)
  if (request._tag === "Page") {
    return [
      style.bold(text`┌ the MCP server ${server} asks you to open a page. It is not opened for you.`),
      ...messageRows,
      text`│ ${Escape.line(request.url)}`,
      text`│ host: ${Escape.line(URL.parse(request.url)?.host ?? "")}`
    ]
  }
  return [
    style.bold(text`┌ the MCP server ${server} asks you for input`),
    ...messageRows,
    ...(request.asksSecret
      ? [
          style.red(
            text`│ It seems to ask for a secret, which the server would read: decline unless you trust the server.`
          )
        ]
      : [])
  ]
}

const fieldRows = (field: Form.Field, columns: number): ReadonlyArray<SafeText> => [
  ...Layout.behindBar(
    Escape.line(
      [field.title, field.description, field.isRequired ? "" : "(optional)"].filter((part) => part !== "").join(" · ")
    ),
    columns
  ),
  ...(field._tag === "One" || field._tag === "Many"
    ? field.choices.map(({ title }, index) => text`│   ${index + 1} ${Escape.line(title)}`)
    : []),
  ...(field.initial === null ? [] : [text`│ default (press Enter): ${Escape.line(JSON.stringify(field.initial))}`])
]

/** Asks until the value is valid. Fails if the user leaves the form. */
const valueOf = Effect.fnUntraced(function* ({ output, terminal }: FormUi, field: Form.Field) {
  while (true) {
    const line = yield* terminal.readLine(field._tag === "Boolean" ? text`yes or no: ` : text`value: `)
    if (line._tag !== "Line") return { _tag: "Fault", fault: "left" } as const
    const parsed = Form.parse(field, line.text)
    if (parsed._tag !== "Fault") return parsed
    output.noteEscaped(text`│ ${Escape.line(parsed.fault)}`)
  }
})
