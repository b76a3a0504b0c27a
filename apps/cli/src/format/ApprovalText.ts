/** The rows of an approval for a user. Pure: text of a tool or model is escaped and shown behind a bar. */
import { CommandPattern, RuleMatch, RuleText } from "@bough/policy"
import type { Approval, Session } from "@bough/protocol"
import * as ArgumentText from "@bough/text/ArgumentText"
import * as Escape from "@bough/tui/text/Escape"
import { behindBar, join, sentence } from "@bough/tui/text/Layout"
import { breakHard, cut } from "@bough/tui/text/Rows"
import { join as together, lines, type SafeText, text } from "@bough/tui/text/SafeText"
import type { Style } from "@bough/tui/theme/Style"
import * as Result from "effect/Result"
import type { Output } from "../io/Output.ts"
import type * as Pager from "../ui/plain/Pager.ts"
import * as DiffPaint from "./DiffPaint.ts"
import * as Hosts from "./Hosts.ts"
import * as PreconditionText from "./PreconditionText.ts"

export interface ApprovalScreen {
  readonly columns: number
  readonly rows: number
  readonly style: Style
  /**
   * Colours each line of a preview without changing its text, on a screen that shows code in colours; null: the preview
   * is not a diff.
   */
  readonly paintDiff?: (request: Approval.Request) => ReadonlyArray<SafeText> | null
}

/** A request with the path of sessions from the Main down to the session that requests approval. */
export interface PrintedApproval {
  readonly request: Approval.Request
  readonly askedBy: ReadonlyArray<Pick<Session.Summary, "kind" | "title">>
}

/** Escapes text that a decision depends on. */
export const exact = (untrusted: string): SafeText => Escape.clusters(Escape.text(untrusted))
const exactLine = (untrusted: string): SafeText => Escape.clusters(Escape.line(untrusted))

export const screenOf = (output: Output["Service"]): ApprovalScreen => ({
  columns: output.columns(),
  rows: output.rows(),
  style: output.style
})

/**
 * Returns the rows of the question, the call itself first: no model text precedes its command and arguments. A key can
 * only allow the call after all rows have been on the screen.
 */
export const question = (
  { askedBy, request }: PrintedApproval,
  rule: string | null,
  screen: ApprovalScreen
): ReadonlyArray<SafeText> => [
  ...title(request, screen),
  ...preview(request, screen),
  ...reason(request, screen.columns),
  ...origin(askedBy, screen.columns),
  ...warnings(request, screen),
  ...ruleRows(rule, screen.columns)
]

/** Returns the rows that show the full rule of "always"; no rows if no rule can be made. */
export const ruleRows = (rule: string | null, columns: number): ReadonlyArray<SafeText> =>
  rule === null
    ? []
    : [text`always would allow: ${exactLine(rule)}`, ...examplesOf(rule)].flatMap((row) => behindBar(row, columns))

/**
 * Explains a rule whose text does not show all that it covers: with examples for a rule about commands, which does not
 * cover a second command on the line, and with a sentence for a rule without arguments.
 */
const examplesOf = (rule: string): ReadonlyArray<SafeText> => {
  const parsed = RuleText.parse(rule)
  if (Result.isSuccess(parsed) && parsed.success.fields.every(({ name }) => name === "host")) {
    const host = parsed.success.fields[0]?.value
    return [
      typeof host === "string"
        ? text`  means: every call of this tool may reach ${exactLine(host)}, whatever it sends`
        : text`  means: every call of this tool, with any arguments`
    ]
  }
  const pattern = Result.isSuccess(parsed) ? RuleMatch.patternOf(parsed.success) : null
  if (pattern === null) return []
  const { match, notMatch } = CommandPattern.examplesOf(pattern)
  return [text`  means: ${exactLine(match.join("  ·  "))}`, text`  not: ${exactLine(notMatch.join("  ·  "))}`]
}

/** The visible rows of a question, with their position if not all are visible. */
export const page = (
  { from, isWhole, rows, to }: Pager.Window,
  total: number,
  { columns, style }: ApprovalScreen
): ReadonlyArray<SafeText> =>
  rows.length === total
    ? rows
    : [
        ...rows,
        style.bold(
          cut(
            text`│ … rows ${from} to ${to} of ${total}${isWhole ? "" : ": read all rows before you allow it"}`,
            columns
          )
        )
      ]

/** All facts to which the decision is bound. */
export const allFacts = (
  { askedBy, request }: PrintedApproval,
  rule: string | null,
  screen: ApprovalScreen
): ReadonlyArray<SafeText> => {
  const { columns } = screen
  const facts = [
    `approval: ${request.approvalId}`,
    `tool: ${request.tool}, version ${request.version}, tier ${request.tier}`,
    ...ArgumentText.facts(request.arguments),
    `arguments digest: ${request.argumentsDigest}`,
    `session: ${request.sessionPath.join(" / ")}, call ${request.toolCallId}`,
    `expires: ${new Date(request.expiresAtMillis).toISOString()}`,
    ...request.preview.preconditions.map((condition) => `valid while ${PreconditionText.sentence(condition)}`)
  ]
  return [
    ...title(request, screen),
    ...preview(request, screen),
    ...reason(request, columns),
    ...origin(askedBy, columns),
    ...facts.flatMap((fact) => behindBar(exact(fact), columns)),
    ...warnings(request, screen),
    ...ruleRows(rule, columns)
  ]
}

/** The keys that a question offers. */
export interface Keys {
  /** True if a rule can be made from this call. */
  readonly always: boolean
  /** True once the whole question has been on the screen. */
  readonly whole: boolean
  /** Keys in addition to the common keys of questions. */
  readonly more: ReadonlyArray<SafeText>
}

export const keys = ({ always, more, whole }: Keys, screen: ApprovalScreen): ReadonlyArray<SafeText> =>
  keyRows(
    [
      ...(whole ? [text`y allow`] : [text`Space more`]),
      text`n deny with a reason`,
      ...(whole && always ? [text`a always…`] : []),
      text`? details`,
      ...more
    ],
    screen
  )

/** Returns the rows that are shown in place of inactive keys, as many as the keys have. */
export const inactiveKeys = (
  keys: ReadonlyArray<SafeText>,
  { columns, style }: ApprovalScreen
): ReadonlyArray<SafeText> =>
  keys.map((_, row) =>
    row === 0 ? style.dim(cut(text`└ one moment: keys are accepted after half a second`, columns)) : text``
  )

/** The keys that choose the scope of the rule of "always". */
export const scopes = (screen: ApprovalScreen): ReadonlyArray<SafeText> =>
  keyRows([text`s this session and its agents`, text`p this folder`, text`u all my folders`, text`b back`], screen)

/** Returns the rows of the offered keys; a key that fits on a row is not broken. */
const keyRows = (
  offered: ReadonlyArray<SafeText>,
  { columns, style }: Pick<ApprovalScreen, "columns" | "style">
): ReadonlyArray<SafeText> =>
  join(offered, text` · `, columns - 2).map((row, index) => style.bold(text`${index === 0 ? "└" : " "} ${row}`))

/** Returns the scope that a key of `scopes` selects. */
export const scopeOf = (key: string): Approval.Scope | null =>
  key === "s" ? "session" : key === "p" ? "project" : key === "u" ? "user" : null

/** Returns the decision "approved" with a rule. */
export const approvedAlways = (rule: string, scope: Approval.Scope): Approval.Decision => ({
  _tag: "Approved",
  rule,
  ...(scope === "session" ? {} : { scope })
})

/**
 * Formats the keys for a decision that the command line names: one key makes it, any other leaves the approval pending.
 */
export const confirmation = (action: SafeText, isWhole: boolean, screen: ApprovalScreen): ReadonlyArray<SafeText> =>
  keyRows([isWhole ? text`y ${action}` : text`Space more`, text`n leave it pending`, text`? details`], screen)

/** Formats the path as `“fix the build” › branch “run the tests”`; titles are text of a user or a model. */
export const sessionPathText = (askedBy: PrintedApproval["askedBy"]): string =>
  askedBy.map(({ kind, title }) => (kind === "Main" ? `“${title}”` : `${kind.toLowerCase()} “${title}”`)).join(" › ")

/** Returns no row if the Main itself requests the approval. */
const origin = (askedBy: PrintedApproval["askedBy"], columns: number): ReadonlyArray<SafeText> =>
  askedBy.length < 2 ? [] : sentenceBehindBar(text`requested by: ${exactLine(sessionPathText(askedBy))}`, columns)

const tierNote = {
  ReadOnly: "(reads only)",
  Workspace: "(changes this folder)",
  System: "(runs a command)",
  Elevated: "(outside the safe tier)"
} as const satisfies Record<Approval.Request["tier"], string>

const title = (request: Approval.Request, { columns, style }: ApprovalScreen): ReadonlyArray<SafeText> =>
  join([text`Allow ${exactLine(request.tool)}?`, text`${tierNote[request.tier]}`], text` `, columns - 2).map(
    (row, index) => style.bold(style.yellow(text`${index === 0 ? "┌" : "│"} ${row}`))
  )

/** Formats a change as a diff, with the colours of its language if they are known. */
const preview = (request: Approval.Request, screen: ApprovalScreen): ReadonlyArray<SafeText> =>
  paintedLines(request, screen).flatMap((line) =>
    breakHard(line, Math.max(1, screen.columns - 2)).map((row) => text`│ ${row}`)
  )

const paintedLines = (request: Approval.Request, { paintDiff, style }: ApprovalScreen): ReadonlyArray<SafeText> =>
  paintDiff?.(request) ?? lines(exact(bodyOf(request))).map((line) => DiffPaint.diffPaint(line, style)(line))

const bodyOf = ({ arguments: callArguments, preview, tool }: Approval.Request): string =>
  preview.render === "" ? Hosts.withCanonical([tool, ...ArgumentText.facts(callArguments)].join("\n")) : preview.render

const reason = (request: Approval.Request, columns: number): ReadonlyArray<SafeText> =>
  request.reason === ""
    ? []
    : sentenceBehindBar(text`reason: ${exactLine(Hosts.withCanonical(request.reason))}`, columns)

/** Formats a sentence behind a bar. */
const sentenceBehindBar = (words: SafeText, columns: number): ReadonlyArray<SafeText> =>
  sentence(words, Math.max(1, columns - 2)).map((row) => text`│ ${row}`)

const warnings = (request: Approval.Request, { columns, style }: ApprovalScreen): ReadonlyArray<SafeText> => {
  const words = `${request.arguments}\n${request.preview.render}\n${request.reason}`
  const hosts = new Map(Hosts.hostsWithOtherForm(words).map(({ canonical, written }) => [written, canonical]))
  const renamed = [...hosts].map(([written, canonical]) => text`! ${exactLine(written)} is ${exactLine(canonical)}`)
  const mixed = Escape.mixedScripts(words)
  const letters = mixed.length === 0 ? [] : [text`! letters that only look Latin: ${together(mixed, text`, `)}`]
  return [...renamed, ...letters].flatMap((warning) => breakHard(warning, columns)).map((row) => style.red(row))
}
