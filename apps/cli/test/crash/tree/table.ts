/** The table of crash points as a document, and the promises for each of its lines. */
import type { ChosenDepth, ObservedPoint } from "./points.ts"

/** The writes of one call, in order; the preface explains the numbers. */
const journalLines: ReadonlyArray<readonly [kind: RegExp, line: number]> = [
  [/ApprovalAsked/, 2],
  [/DecideApproval/, 3],
  [/CallStarted/, 4],
  [/ChildSpawned/, 5],
  [/ChildEnded/, 7],
  [/CallEnded/, 6],
  [/StepStarted/, 0],
  [/ModelReplied/, 1]
]

const lineOf = (holds: string): string => String(journalLines.find(([kind]) => kind.test(holds))?.[1] ?? "")

const yesNo = (value: boolean): string => (value ? "yes" : "no")

const head = ["write", "killed", "line", "entries", "effects", "asked again", "the call", "delivered"]

const cells = (point: ObservedPoint): ReadonlyArray<string> => [
  String(point.write),
  point.when,
  lineOf(point.holds),
  point.holds,
  String(point.effects),
  yesNo(point.askedAgain),
  point.ended,
  point.hung ? "hung" : yesNo(point.delivered)
]

const rendered = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)))
  const line = (row: ReadonlyArray<string>) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`
  return [head, widths.map((width) => "-".repeat(width)), ...rows].map(line).join("\n")
}

const deciders = { channel: "answered on its channel", inbox: "decided by another process" } as const

/** One part of the document. */
export const section = ({ decider, depth }: ChosenDepth, points: ReadonlyArray<ObservedPoint>): string =>
  `## Depth ${depth}, ${deciders[decider]}\n\n${rendered(points.map(cells))}\n`

export const documentOf = (sections: ReadonlyArray<string>): string => [preface, ...sections].join("\n")

/** The violated promise of a point; null if there is none. */
export const wrong = (points: ReadonlyArray<ObservedPoint>, point: ObservedPoint): string | null => {
  const intent = points.find(({ holds }) => /ApprovalDecided, CallStarted/.test(holds))?.write ?? Infinity
  const result = points.find(({ holds, write }) => write > intent && /CallEnded/.test(holds))?.write ?? -Infinity
  const durable = point.when === "before" ? point.write - 1 : point.write
  const isBetween = durable >= intent && durable < result
  if (point.hung) return "it hangs"
  if (point.askedAgain) return "a decided call was asked about again"
  if (!point.delivered) return "the Main did not get the result"
  if (point.effects > 1) return `${point.effects} effects of one call`
  if (isBetween) return point.ended === "unknown" ? null : `the call ended as: ${point.ended}`
  return point.ended === "succeeded" && point.effects === 1 ? null : `${point.effects} effects, ended: ${point.ended}`
}

const preface = `# Crash points

A process works on a tree of sessions: the Main starts a branch, which starts another, down to the given depth. The lowest
session makes one call that needs a person's approval, and whose effect must not happen twice. At each write to the
journal the process is killed with \`SIGKILL\`, once just before the write and once just after it is durable; then a fresh
process opens the same database and continues. Each line of these tables is one such run.

- **line**: the position of the write in the order of one call: 0 the start of a step, 1 the model's reply, 2 the request
  for an approval, 3 the decision, 4 the intent, which consumes the approval, 5 the start of a child, 6 a result, 7 the
  report of a child's end to its parent.
- **entries**: the kinds of entries in the write, after the depth of the session that they belong to.
- **effects**: how often the approved call took effect, counted in a file outside of both processes.
- **asked again**: yes if a person was asked again about a call that had been decided.
- **the call**: how it ended. A kill between the intent and the result leaves open whether the effect happened: the call is
  reported as unknown, and not run again.
- **delivered**: yes if every session reported its end to its parent, once, and the Main gave its answer.

If another process makes the decision, the decision is a write of that process. If no process runs at that time, the
decision is made before the fresh process starts.

The tables are made by \`node test/slow/crashPoints.ts --renew\`; the tests run every point again and compare.
`
