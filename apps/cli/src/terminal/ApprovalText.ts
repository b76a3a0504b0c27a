/** What a person is shown of an approval, in rows. Pure: every word of tool or model is escaped and behind a bar. */
import type { Approval, Session } from "@bough/protocol"
import type { Output, Style } from "../Output.ts"
import * as Escape from "../Escape.ts"
import * as DiffPaint from "./DiffPaint.ts"
import { join as together, lines, type SafeText, text } from "../SafeText.ts"
import { barred, join, sentence, wrap } from "./Layout.ts"

export interface Screen {
  readonly columns: number
  readonly rows: number
  readonly style: Style
}

/** A request and the sessions that it comes through, from the Main down to the one that asks. */
export interface Asked {
  readonly request: Approval.Request
  readonly askedBy: ReadonlyArray<Pick<Session.Summary, "kind" | "title">>
}

const exact = (untrusted: string): SafeText => Escape.clusters(Escape.text(untrusted))
const exactLine = (untrusted: string): SafeText => Escape.clusters(Escape.line(untrusted))

export const screenOf = (output: Output["Service"]): Screen => ({
  columns: output.columns(),
  rows: output.rows(),
  style: output.style
})

/** `whole` false: the end is missing, and only `everything` shows it. */
export interface Shown {
  readonly rows: ReadonlyArray<SafeText>
  readonly whole: boolean
}

/** Rows that the frame and the keys take. */
const frameRows = 6
const fewestRows = 8

export const summary = ({ askedBy, request }: Asked, screen: Screen): Shown => {
  const { columns } = screen
  const body = [...preview(request, screen), ...reason(request, columns), ...origin(askedBy, columns)]
  const room = Math.max(fewestRows, screen.rows - frameRows)
  const whole = body.length <= room
  const shown = whole
    ? body
    : [...body.slice(0, room - 1), text`│ … ${body.length - room + 1} more rows; nothing is agreed to unread: press ?`]
  return { rows: [...title(request, screen), ...shown, ...warnings(request, screen)], whole }
}

/** All that the decision is bound to. */
export const everything = ({ askedBy, request }: Asked, screen: Screen): ReadonlyArray<SafeText> => {
  const { columns } = screen
  const facts = [
    `approval: ${request.approvalId}`,
    `tool: ${request.tool}, version ${request.version}, tier ${request.tier}`,
    `arguments: ${pretty(request.arguments)}`,
    `digest of the arguments: ${request.argumentsDigest}`,
    `session: ${request.sessionPath.join(" / ")}, call ${request.toolCallId}`,
    `holds until: ${new Date(request.expiresAtMillis).toISOString()}`,
    ...request.preview.preconditions.map((condition) => `as long as: ${JSON.stringify(condition)}`)
  ]
  return [
    ...title(request, screen),
    ...preview(request, screen),
    ...reason(request, columns),
    ...origin(askedBy, columns),
    ...facts.flatMap((fact) => barred(exact(fact), columns)),
    ...warnings(request, screen)
  ]
}

/** What can be pressed. */
export interface Keys {
  /** Null: no rule can be made of this call. */
  readonly rule: string | null
  readonly whole: boolean
  /** Beside those of every question. */
  readonly more: ReadonlyArray<SafeText>
}

export const keys = ({ more, rule, whole }: Keys, { columns, style }: Screen): ReadonlyArray<SafeText> => {
  const always = whole && rule !== null
  const offered = [
    ...(whole ? [text`y yes`] : []),
    text`n no, with words`,
    ...(always ? [text`a always`] : []),
    text`? everything`,
    ...more
  ]
  return [
    ...(always ? barred(text`always would be: ${exactLine(rule)}`, columns) : []),
    ...pressed(offered, { columns, style })
  ]
}

/** How far "always" reaches: the rule in full, and the keys that keep it. */
export const scopes = (rule: string, { columns, style }: Screen): ReadonlyArray<SafeText> => [
  ...barred(text`always would be: ${exactLine(rule)}`, columns),
  ...pressed(
    [text`s in this session and those below it`, text`p in this folder`, text`u in all of yours`, text`b back`],
    { columns, style }
  )
]

/** What can be pressed, each key whole on its row where it fits one. */
const pressed = (
  offered: ReadonlyArray<SafeText>,
  { columns, style }: Pick<Screen, "columns" | "style">
): ReadonlyArray<SafeText> =>
  join(offered, text` · `, columns - 2).map((row, index) => style.bold(text`${index === 0 ? "└" : " "} ${row}`))

/** What a key of `scopes` stands for. */
export const scopeOf = (key: string): Approval.Scope | null =>
  key === "s" ? "session" : key === "p" ? "project" : key === "u" ? "user" : null

/** The decision that a rule is given with. */
export const approvedAlways = (rule: string, scope: Approval.Scope): Approval.Decision => ({
  _tag: "Approved",
  rule,
  ...(scope === "session" ? {} : { scope })
})

/** The keys of a decision that was named on the command line: it is made, or nothing is. */
export const confirmation = (
  { deed, rule }: { readonly deed: SafeText; readonly rule: string | null },
  whole: boolean,
  { columns, style }: Screen
): ReadonlyArray<SafeText> => [
  ...(rule === null ? [] : barred(text`always would be: ${exactLine(rule)}`, columns)),
  ...pressed([...(whole ? [text`y ${deed}`] : []), text`n leave it undecided`, text`? everything`], { columns, style })
]

/** `“fix the build” › branch “run the tests”`; titles are a person's or a model's words. */
export const whereabouts = (askedBy: Asked["askedBy"]): string =>
  askedBy.map(({ kind, title }) => (kind === "Main" ? `“${title}”` : `${kind.toLowerCase()} “${title}”`)).join(" › ")

/** Nothing is said of a Main that asks for itself. */
const origin = (askedBy: Asked["askedBy"], columns: number): ReadonlyArray<SafeText> =>
  askedBy.length < 2 ? [] : said(text`asked by: ${exactLine(whereabouts(askedBy))}`, columns)

const title = (request: Approval.Request, { columns, style }: Screen): ReadonlyArray<SafeText> =>
  join([text`┌ may this run?`, text`${exactLine(request.tool)} · ${request.tier}`], text` `, columns).map((row) =>
    style.bold(style.yellow(row))
  )

/** What would change is coloured as a diff is. */
const preview = (request: Approval.Request, { columns, style }: Screen): ReadonlyArray<SafeText> =>
  lines(bodyOf(request)).flatMap((line) => {
    const paint = DiffPaint.of(line, style)
    return wrap(line, Math.max(1, columns - 2)).map((row) => text`│ ${paint(row)}`)
  })

const bodyOf = ({ arguments: given, preview, tool }: Approval.Request): SafeText =>
  exact(preview.render === "" ? `${tool} ${pretty(given)}` : preview.render)

const reason = (request: Approval.Request, columns: number): ReadonlyArray<SafeText> =>
  request.reason === "" ? [] : said(text`why it asks: ${exactLine(request.reason)}`, columns)

/** A sentence behind a bar. */
const said = (words: SafeText, columns: number): ReadonlyArray<SafeText> =>
  sentence(words, Math.max(1, columns - 2)).map((row) => text`│ ${row}`)

const warnings = (request: Approval.Request, { columns, style }: Screen): ReadonlyArray<SafeText> => {
  const mixed = Escape.mixedScripts(`${request.arguments} ${request.preview.render}`)
  return mixed.length === 0
    ? []
    : wrap(text`! letters that only look Latin: ${together(mixed, text`, `)}`, columns).map((row) => style.red(row))
}

const pretty = (canonicalJson: string): string => {
  try {
    return JSON.stringify(JSON.parse(canonicalJson), null, 2)
  } catch {
    return canonicalJson
  }
}
