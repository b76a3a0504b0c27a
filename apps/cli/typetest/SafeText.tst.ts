/** Unescaped text does not compile where it would be printed. */
import type { Display } from "@bough/tui/screen/Display"
import type { Frame } from "@bough/tui/screen/Frame"
import * as Escape from "@bough/tui/text/Escape"
import { behindBar, join, sentence } from "@bough/tui/text/Layout"
import { breakHard, cut } from "@bough/tui/text/Rows"
import * as SafeText from "@bough/tui/text/SafeText"
import type { Style } from "@bough/tui/theme/Style"
import type { Theme } from "@bough/tui/theme/Theme"
import type { Output } from "../src/io/Output.ts"
import type { Terminal } from "../src/io/Terminal.ts"
import type { Block } from "../src/ui/tui/Block.ts"

declare const output: Output["Service"]
declare const style: Style
declare const theme: Theme
declare const display: Display
declare const terminal: Terminal["Service"]
/** Text from a model, a file or a server. */
declare const tool: string
declare const tools: ReadonlyArray<string>
declare const pattern: `ses_${string}`
declare const kind: "Main" | "Branch"
declare const either: string | SafeText.SafeText
declare const anything: unknown

// Safe text: literals, numbers, results of Escape, styles around them, and texts put together from them.
output.noteEscaped(SafeText.text`✗ ${Escape.line(tool)}: ${style.red(Escape.text(tool))} ${kind} ${3}`)
output.answerEscaped(SafeText.join([SafeText.text`a`, Escape.line(tool)], SafeText.text`, `))
output.noteEscaped(cut(Escape.line(tool), 80))
output.noteEscaped(SafeText.text`${theme.accent(SafeText.text`→`)} ${SafeText.repeat(SafeText.text`─`, 3)}`)

// @ts-expect-error -- a template with a hole is any text
output.noteEscaped(`✗ ${tool}: failed`)
// @ts-expect-error -- so is a template with a hole that is safe: it may hold another that is not
output.noteEscaped(`✗ ${Escape.line(tool)}`)
// @ts-expect-error -- text as it came
output.answerEscaped(tool)
// @ts-expect-error -- several lines of it
output.answerEscaped(tools.join("\n"))
// @ts-expect-error -- a hole of the program's own template
output.noteEscaped(SafeText.text`✗ ${tool}`)
// @ts-expect-error -- a hole that holds some text behind a prefix
output.noteEscaped(SafeText.text`session ${pattern}`)
// @ts-expect-error -- a hole that may be either
output.noteEscaped(SafeText.text`✗ ${either}`)
// @ts-expect-error -- a hole that may be anything
output.noteEscaped(SafeText.text`✗ ${anything}`)
// @ts-expect-error -- a hole made of safe text by a method of strings
output.noteEscaped(SafeText.text`✗ ${Escape.line(tool).slice(1)}`)
// @ts-expect-error -- a style around it
output.noteEscaped(style.dim(tool))
// @ts-expect-error -- a colour of the screen around it
theme.accent(tool)
// @ts-expect-error -- cut to a width
cut(tool, 80)
// @ts-expect-error -- wrapped to a width
breakHard(tool, 80)
// @ts-expect-error -- behind a bar
behindBar(tool, 80)
// @ts-expect-error -- broken between words
sentence(tool, 80)
// @ts-expect-error -- joined to rows
join(tools, SafeText.text` · `, 80)
// @ts-expect-error -- asked for with a line
export const asked = terminal.readLine(`why not run ${tool}?`)
// @ts-expect-error -- a row that the screen prints
display.print(tools)
// @ts-expect-error -- the rows of a frame
export const frame: Frame = { rows: tools, cursor: { x: 0, y: 0 } }
// @ts-expect-error -- the rows of a question that was decided
export const decided: Block = { _tag: "Decided", rows: tools }
