/**
 * The bottom of the screen: text that is still coming, the question, the plan, the prompt, the status. Pure; it is
 * never as high as the screen, so that the text above it stays the terminal's.
 */
import * as Escape from "@bough/tui/text/Escape"
import { join, type SafeText, text } from "@bough/tui/text/SafeText"
import * as EventText from "../../format/EventText.ts"
import type * as EditorView from "@bough/tui/editor/EditorView"
import * as MarkdownStream from "@bough/tui/markdown/MarkdownStream"
import * as PlanView from "./PlanView.ts"
import * as Question from "./Question.ts"
import * as Rows from "@bough/tui/text/Rows"
import * as StatusLine from "./StatusLine.ts"
import type { Frame } from "@bough/tui/screen/Frame"
import type { Theme } from "@bough/tui/theme/Theme"
import type { Call, Transcript, Working } from "./Transcript.ts"

export interface Scene {
  readonly view: Transcript
  readonly question: Question.Question | null
  /** Keys may answer it. */
  readonly counts: boolean
  readonly model: StatusLine.Model
  readonly editor: EditorView.View
  /** A sentence about a key that was pressed, such as the first Ctrl-C; "" for none. */
  readonly hint: string
  readonly columns: number
  readonly rows: number
  readonly theme: Theme
  readonly nowMillis: number
}

/** True if keys belong to the question that is shown. */
const isListening = ({ question }: Pick<Scene, "question">): boolean =>
  question !== null && (question.stage === "asking" || question.stage === "scope")

/** Rows of text that the editor may take: one while keys belong to a question. */
export const editorHeight = ({ question, rows }: Pick<Scene, "question" | "rows">): number =>
  isListening({ question }) ? 1 : Math.max(1, Math.min(12, Math.floor(rows / 3)))

/** Rows beside a question that keys belong to: the prompt, the status, a hint, and the one that stays free. */
const besideQuestion = 4

/** Room that a question has: all of it is used while keys belong to it, so that what counts as shown is shown. */
export const questionSize = ({ columns, rows, theme }: Pick<Scene, "columns" | "rows" | "theme">): Question.Size => ({
  columns,
  rows: Math.max(0, rows - besideQuestion),
  theme
})

export const layoutFrame = (scene: Scene): Frame => {
  const { columns, rows, theme, view } = scene
  const below = [...belowPrompt(scene), theme.dim(StatusLine.row(view, scene.model, columns))]
  const prompt = promptRows(scene)
  // One row stays free: a frame as high as the screen would scroll it.
  const room = Math.max(1, rows - 1 - prompt.rows.length - below.length)
  const above = abovePrompt(scene, room)
  const fixed = last(above.fixed, room)
  const coming = last(above.coming, room - fixed.length)
  const shown = [...coming, ...fixed]
  return {
    rows: [...shown, ...prompt.rows, ...below],
    cursor: { x: prompt.cursor.x, y: shown.length + prompt.cursor.y }
  }
}

const last = (rows: ReadonlyArray<SafeText>, most: number): ReadonlyArray<SafeText> =>
  most <= 0 ? [] : rows.slice(-most)

interface Above {
  /** The text that is still coming; its oldest rows give way. */
  readonly coming: ReadonlyArray<SafeText>
  readonly fixed: ReadonlyArray<SafeText>
}

const abovePrompt = (scene: Scene, room: number): Above => {
  const { columns, question, theme, view } = scene
  const answer = MarkdownStream.restRows(view.answer, { columns, theme })
  const gap = answer.length > 0 && view.answer.fence === null && !view.answer.joins ? [text``, ...answer] : answer
  const calls = [
    ...ownCommandRows(scene),
    ...view.calls.filter((call) => !isAsked(call, scene)).flatMap((call) => callRows(call, scene))
  ]
  const coming = calls.length === 0 ? gap : [...gap, text``, ...calls]
  const working = view.working === null ? [] : [spinner(view.working, scene)]
  if (question !== null) {
    const size = questionSize(scene)
    const asked = [...Question.body(question, size), ...Question.keys(question, size, scene.counts)]
    const spare = room - asked.length
    return {
      coming,
      fixed: [
        ...(spare > 0 ? [text``] : []),
        ...asked,
        ...(spare > 2 && goesOn(scene) ? working : []),
        ...(spare > 1 ? [text``] : [])
      ]
    }
  }
  const plan =
    view.plan === null || view.plan.items.length === 0
      ? []
      : view.working === null
        ? [theme.dim(Rows.cut(text`Plan: ${PlanView.summary(view.plan)}`, columns))]
        : PlanView.rows(view.plan, columns, theme)
  const waiting = view.followUps.map((held) => theme.dim(Rows.cut(text`  queued: ${Escape.line(held)}`, columns)))
  return {
    coming,
    fixed: [
      text``,
      ...plan,
      ...waiting,
      ...working,
      ...(plan.length + working.length + waiting.length > 0 ? [text``] : [])
    ]
  }
}

/** The question tells of it. */
const isAsked = ({ toolCallId }: Call, { question, view }: Scene): boolean => {
  const request = question?.asked.request
  return request?.toolCallId === toolCallId && request.sessionPath.at(-1) === view.sessionId
}

/** Something is done while the question is on the screen. */
const goesOn = (scene: Scene): boolean => scene.view.calls.every((call) => call.isPutAside || !isAsked(call, scene))

/** The command of the user that runs, and what it does. */
const ownCommandRows = ({ columns, theme, view }: Scene): ReadonlyArray<SafeText> =>
  view.ownCommand === null
    ? []
    : [
        Rows.cut(text`${theme.accent(text`!`)} ${Escape.line(view.ownCommand)}`, columns),
        ...(view.ownProgress === "" ? [] : [theme.dim(Rows.cut(text`  ${Escape.line(view.ownProgress)}`, columns))])
      ]

const callRows = (
  { arguments: given, progress, startedAtMillis, tool }: Call,
  scene: Scene
): ReadonlyArray<SafeText> => {
  const { columns, nowMillis, theme } = scene
  const time = startedAtMillis === null ? text`` : text` ${elapsed(nowMillis - startedAtMillis)}`
  const called = Rows.cut(
    text`${Escape.line(tool)} ${Escape.line(EventText.shortArguments(given))}`,
    Math.max(4, columns - 2 - time.length)
  )
  const said = progress === "" ? [] : [theme.dim(Rows.cut(text`  ${Escape.line(progress)}`, columns))]
  return [text`${theme.accent(text`→`)} ${called}${theme.dim(time)}`, ...said]
}

const signs = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const
const turnMillis = 100

const spinner = (
  { startedAtMillis, stopping, waiting }: Working,
  { columns, nowMillis, theme, view }: Scene
): SafeText => {
  const spent = Math.max(0, nowMillis - startedAtMillis)
  const sign = signs[Math.floor(spent / turnMillis) % signs.length]
  const doing = stopping ? "Stopping" : waiting ? "Waiting for approval" : view.isReasoning ? "Thinking" : "Working"
  const keys =
    view.ownCommand === null ? text`Enter to steer · Tab to queue` : text`Ctrl-B to leave it running · Enter to queue`
  const how = stopping ? text`Ctrl-C again quits` : text`Ctrl-C to interrupt · ${keys}`
  return Rows.cut(text`${theme.accent(text`${sign}`)} ${doing} ${elapsed(spent)} ${theme.dim(text`· ${how}`)}`, columns)
}

/** `7 s`, `2 min 05 s`, `1 h 02 min`. */
export const elapsed = (millis: number): SafeText => {
  const seconds = Math.floor(millis / 1000)
  const two = (value: number): SafeText => text`${value < 10 ? "0" : ""}${value}`
  if (seconds < 60) return text`${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? text`${minutes} min ${two(seconds % 60)} s`
    : text`${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`
}

const signOf = {
  message: "›",
  command: "!",
  slash: "/",
  search: "?"
} as const satisfies Record<EditorView.View["mode"], string>

/** Cells before the text. */
export const promptWidth = 2

const promptRows = (scene: Scene): { readonly rows: ReadonlyArray<SafeText>; readonly cursor: Frame["cursor"] } => {
  const { columns, editor, theme } = scene
  const sign = scene.question?.stage === "words" ? "✎" : signOf[editor.mode]
  const above =
    editor.above === 0 || isListening(scene) ? [] : [theme.dim(Rows.cut(text`  … ${editor.above} rows above`, columns))]
  const written = editor.rows.map((row, index) => {
    const lead = index === 0 ? text`${theme.accent(text`${sign}`)} ` : text`  `
    return text`${lead}${spans(row.spans, theme)}`
  })
  const below =
    editor.below === 0 || isListening(scene) ? [] : [theme.dim(Rows.cut(text`  … ${editor.below} rows below`, columns))]
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

const belowPrompt = ({ columns, editor, hint, question, rows, theme }: Scene): ReadonlyArray<SafeText> => {
  const room = isListening({ question }) ? 0 : Math.max(0, Math.floor(rows / 3))
  const footer = editor.footer.slice(0, room).map((line) => Rows.cut(text`  ${spans(line, theme)}`, columns))
  return hint === "" ? footer : [...footer, theme.yellow(Rows.cut(Escape.line(hint), columns))]
}
