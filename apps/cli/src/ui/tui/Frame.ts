/**
 * The bottom of the screen: streaming text, the question, the plan, the prompt, the status. Pure. A frame is always
 * lower than the screen; a full one would scroll the rows above it.
 */
import type { KeyAction } from "@bough/host/keys/KeyActions"
import * as Keymap from "@bough/host/keys/Keymap"
import type * as EditorView from "@bough/tui/editor/EditorView"
import * as MarkdownStream from "@bough/tui/markdown/MarkdownStream"
import type { PickerState } from "@bough/tui/picker/Picker"
import * as PickerRows from "@bough/tui/picker/PickerRows"
import type { Frame } from "@bough/tui/screen/Frame"
import * as Escape from "@bough/tui/text/Escape"
import * as Rows from "@bough/tui/text/Rows"
import { join, type SafeText, text } from "@bough/tui/text/SafeText"
import type { Theme } from "@bough/tui/theme/Theme"
import * as CallText from "../../format/CallText.ts"
import * as ChildrenRows from "./ChildrenRows.ts"
import { formatElapsed } from "./elapsed.ts"
import * as PlanView from "./PlanView.ts"
import * as Question from "./Question.ts"
import * as StatusLine from "./StatusLine.ts"
import type { Call, Transcript, WorkingState } from "./Transcript.ts"
import type { Viewer } from "./Viewer.ts"
import * as ViewerFrame from "./ViewerFrame.ts"

export interface FrameInput {
  readonly view: Transcript
  readonly question: Question.Question | null
  /** True if keys may answer the question. */
  readonly mayAnswer: boolean
  readonly model: StatusLine.Model
  readonly editor: EditorView.View
  /** A sentence about a key that was pressed, such as the first Ctrl-C; "" for none. */
  readonly hint: string
  readonly columns: number
  readonly rows: number
  readonly theme: Theme
  readonly nowMillis: number
  /** The transcript that fills the screen; null if none is open. */
  readonly viewer: Viewer | null
  /** The list that receives the keys; null: none is open. */
  readonly picker: PickerState | null
  readonly keymap: Keymap.Keymap
}

/** True if keys belong to the question that is shown. */
const isListening = ({ question }: Pick<FrameInput, "question">): boolean =>
  question !== null && (question.stage === "asking" || question.stage === "scope")

/** The maximum number of rows of the editor: one while keys belong to a question. */
export const editorHeight = ({ question, rows }: Pick<FrameInput, "question" | "rows">): number =>
  isListening({ question }) ? 1 : Math.max(1, Math.min(12, Math.floor(rows / 3)))

/** The rows that a question leaves free while keys belong to it: the prompt, the status, a hint, and an empty row. */
const besideQuestion = 4

/**
 * The rows for a question: all of the space while keys belong to it, so that a row that counts as shown is visible.
 */
export const questionSize = ({
  columns,
  rows,
  theme
}: Pick<FrameInput, "columns" | "rows" | "theme">): Question.Size => ({
  columns,
  rows: Math.max(0, rows - besideQuestion),
  theme
})

export const layoutFrame = (input: FrameInput): Frame => {
  const { columns, rows, theme, view } = input
  if (input.viewer !== null) return ViewerFrame.layout(input.viewer, { columns, rows, theme })
  const below = [
    ...belowPrompt(input),
    theme.dim(StatusLine.row(view, { ...input.model, editing: input.editor.vim }, columns))
  ]
  const prompt = input.picker !== null && input.question === null ? pickerRows(input, input.picker) : promptRows(input)
  // One row stays free, since a frame of the screen's height would scroll it.
  const height = Math.max(1, rows - 1 - prompt.rows.length - below.length)
  const above = rowsAbovePrompt(input, height)
  const fixed = last(above.fixed, height)
  const coming = last(above.coming, height - fixed.length)
  const shown = [...coming, ...fixed]
  return {
    rows: [...shown, ...prompt.rows, ...below],
    cursor: { x: prompt.cursor.x, y: shown.length + prompt.cursor.y }
  }
}

/** The rows that a list leaves free: the status line, a hint, and one blank row. */
const besidePicker = 3

const pickerRows = ({ columns, rows, theme }: FrameInput, picker: PickerState): Frame =>
  PickerRows.view(picker, { columns, theme, rows: Math.max(5, rows - besidePicker) })

const last = (rows: ReadonlyArray<SafeText>, maxRows: number): ReadonlyArray<SafeText> =>
  maxRows <= 0 ? [] : rows.slice(-maxRows)

interface RowsAbovePrompt {
  /** The streaming text. If space is short, its oldest rows are left out first. */
  readonly coming: ReadonlyArray<SafeText>
  readonly fixed: ReadonlyArray<SafeText>
}

const rowsAbovePrompt = (input: FrameInput, height: number): RowsAbovePrompt => {
  const { columns, question, theme, view } = input
  const answer = MarkdownStream.restRows(view.reply.answer, { columns, theme })
  const gap =
    answer.length > 0 && view.reply.answer.fence === null && !view.reply.answer.joins ? [text``, ...answer] : answer
  const calls = [
    ...ownCommandRows(input),
    ...view.calls.filter((call) => !isAsked(call, input)).flatMap((call) => callRows(call, input))
  ]
  const coming = calls.length === 0 ? gap : [...gap, text``, ...calls]
  const working = view.working === null ? [] : [spinner(view.working, input)]
  if (question !== null) {
    const size = questionSize(input)
    const questionRows = [...Question.body(question, size), ...Question.keys(question, size, input.mayAnswer)]
    const spare = height - questionRows.length
    return {
      coming,
      fixed: [
        ...(spare > 0 ? [text``] : []),
        ...questionRows,
        ...(spare > 2 && isWorkContinuing(input) ? working : []),
        ...(spare > 1 ? [text``] : [])
      ]
    }
  }
  const plan =
    view.plan.current === null || view.plan.current.items.length === 0
      ? []
      : view.working === null || view.plan.isEarlier
        ? [theme.dim(Rows.cut(text`${PlanView.summary(view.plan.current)}`, columns))]
        : PlanView.rows(view.plan.current, columns, theme)
  const children = ChildrenRows.rows(view.tree.children, input)
  const waiting = [
    ...view.queued.steering.map((words) => text`  with the next step: ${Escape.line(words)}`),
    ...view.queued.followUps.map((words) => text`  queued: ${Escape.line(words)}`)
  ].map((row) => theme.dim(Rows.cut(row, columns)))
  return {
    coming,
    fixed: [
      text``,
      ...plan,
      ...children,
      ...waiting,
      ...working,
      ...(plan.length + children.length + working.length + waiting.length > 0 ? [text``] : [])
    ]
  }
}

/** True if a question already shows the call. */
const isAsked = ({ toolCallId }: Call, { question, view }: FrameInput): boolean => {
  const request = question?.asked.request
  return request?.toolCallId === toolCallId && request.sessionPath.at(-1) === view.sessionId
}

/** True if some work continues while the question is on the screen. */
const isWorkContinuing = (input: FrameInput): boolean =>
  input.view.calls.every((call) => call.isDeferred || !isAsked(call, input))

/** The running command of the user, and its progress. */
const ownCommandRows = ({ columns, theme, view }: FrameInput): ReadonlyArray<SafeText> =>
  view.userCommand === null
    ? []
    : [
        Rows.cut(text`${theme.accent(text`!`)} ${Escape.line(view.userCommand.text)}`, columns),
        ...progressRows(view.userCommand.progress, columns, theme)
      ]

const callRows = (
  { arguments: callArguments, progress, startedAtMillis, tool }: Call,
  input: FrameInput
): ReadonlyArray<SafeText> => {
  const { columns, nowMillis, rows, theme, view } = input
  const time = startedAtMillis === null ? text`` : text` ${formatElapsed(nowMillis - startedAtMillis)}`
  const called = Rows.cut(
    Escape.line(CallText.callLine(tool, callArguments, view.reader.roles.get(tool) ?? null)),
    Math.max(4, columns - 2 - time.length)
  )
  return [
    text`${theme.accent(text`→`)} ${called}${theme.dim(time)}`,
    ...progressRows(progress.slice(rows < lowRows ? -1 : 0), columns, theme)
  ]
}

/** Screens of at most this height show one line of what a call does. */
const lowRows = 16

const progressRows = (lines: ReadonlyArray<string>, columns: number, theme: Theme): ReadonlyArray<SafeText> =>
  lines.map((line) => theme.dim(Rows.cut(text`  ${Escape.line(line)}`, columns)))

const signs = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const
const turnMillis = 100

/** On a narrow screen the words become shorter first, and then the last keys are left out, so that none is cut. */
const spinner = (working: WorkingState, input: FrameInput): SafeText => {
  const { columns, nowMillis, theme } = input
  const spent = Math.max(0, nowMillis - working.startedAtMillis)
  const sign = signs[Math.floor(spent / turnMillis) % signs.length]
  const row = (isShort: boolean, ways: ReadonlyArray<string>): SafeText => {
    const keys = ways.map((way) => ` · ${way}`).join("")
    return text`${theme.accent(text`${sign}`)} ${workText(working, input.view, isShort)} ${formatElapsed(spent)}${theme.dim(Escape.line(keys))}`
  }
  const short = keysOfWork(working, input, true)
  const rows = [
    row(false, keysOfWork(working, input, false)),
    ...short.map((_, omitted) => row(true, short.slice(0, short.length - omitted)))
  ]
  return rows.find((candidate) => Rows.width(candidate) <= columns) ?? Rows.cut(row(true, []), columns)
}

const workText = ({ stopping, waiting }: WorkingState, { reply: { isReasoning } }: Transcript, isShort: boolean) => {
  if (stopping) return "Stopping"
  if (waiting) return isShort ? "Waiting" : "Waiting for approval"
  return isReasoning ? "Thinking" : "Working"
}

/** Returns the keys that act on the running work, each with its effect. */
const keysOfWork = (
  { stopping }: WorkingState,
  { keymap, view }: FrameInput,
  isShort: boolean
): ReadonlyArray<string> => {
  const key = (action: KeyAction, does: string): ReadonlyArray<string> => {
    const shown = Keymap.firstShown(keymap, action)
    return shown === "" ? [] : [`${shown} ${isShort ? does.replace(/^to /u, "") : does}`]
  }
  if (stopping) return key("clear", "again quits")
  const inputKeys =
    view.userCommand === null
      ? [...key("send", "to steer"), ...key("queue", "to queue")]
      : [...key("leave running", "to leave it running"), ...key("send", "to queue")]
  return [...key("interrupt", "to interrupt"), ...inputKeys]
}

const signOf = {
  message: "›",
  // The text itself begins with the sign of its mode.
  command: "›",
  slash: "›",
  search: "?"
} as const satisfies Record<EditorView.View["mode"], string>

/** The cells before the text. */
export const promptWidth = 2

const promptRows = (
  input: FrameInput
): { readonly rows: ReadonlyArray<SafeText>; readonly cursor: Frame["cursor"] } => {
  const { columns, editor, theme } = input
  const sign = input.question?.stage === "words" ? "✎" : signOf[editor.mode]
  const above =
    editor.above === 0 || isListening(input) ? [] : [theme.dim(Rows.cut(text`  … ${editor.above} rows above`, columns))]
  const written = editor.rows.map((row, index) => {
    const lead = index === 0 ? text`${theme.accent(text`${sign}`)} ` : text`  `
    return text`${lead}${spans(row.spans, theme)}`
  })
  const below =
    editor.below === 0 || isListening(input) ? [] : [theme.dim(Rows.cut(text`  … ${editor.below} rows below`, columns))]
  return {
    rows: [...above, ...written, ...below],
    cursor: { x: promptWidth + editor.cursor.column, y: above.length + editor.cursor.row }
  }
}

const spans = (line: EditorView.Line, theme: Theme): SafeText =>
  join(
    line.map(({ kind, text }) => {
      switch (kind) {
        case "text":
          return text
        case "attachment":
        case "command":
          return theme.accent(text)
        case "hint":
        case "completion":
          return theme.dim(text)
        case "selected":
          return theme.inverse(text)
      }
    })
  )

const belowPrompt = ({ columns, editor, hint, picker, question, rows, theme }: FrameInput): ReadonlyArray<SafeText> => {
  const height = isListening({ question }) || picker !== null ? 0 : Math.max(0, Math.floor(rows / 3))
  const footer = editor.footer.slice(0, height).map((line) => Rows.cut(text`  ${spans(line, theme)}`, columns))
  return hint === "" ? footer : [...footer, theme.yellow(Rows.cut(Escape.line(hint), columns))]
}
