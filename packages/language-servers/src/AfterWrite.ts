/**
 * Reports new and resolved problems in files that another call has just written. Only servers that already run are
 * used.
 */
import type { CodeIntelligence, WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { WarmServer } from "./client/WarmServer.ts"

type Reader = WorkspaceRead.WorkspaceRead["Service"]
type Problem = CodeIntelligence.Problem

interface WrittenFiles {
  readonly paths: ReadonlyArray<string>
  readonly read: Reader
  /** The maximum time to wait for one file. */
  readonly maxMillis: number
  /** Returns the running server for the file; null: there is none. */
  readonly warmFor: (path: string) => WarmServer | null
}

/** The maximum number of files that are reported per call. */
const maxFiles = 10
const maxShown = 20

/** Returns the report; null: no problem has changed, or no server runs. */
export const afterWrite = Effect.fnUntraced(function* ({ maxMillis, paths, read, warmFor }: WrittenFiles) {
  const byServer = new Map<WarmServer, Array<string>>()
  for (const path of new Set(paths)) {
    const warm = warmFor(path)
    if (warm !== null) byServer.set(warm, [...(byServer.get(warm) ?? []), path])
  }
  const reports: Array<string> = []
  for (const [warm, files] of byServer) {
    yield* warm.written(read, files)
    for (const path of files.slice(0, maxFiles)) {
      const before = warm.knownProblems(path)
      const found = yield* Effect.option(warm.diagnostics(read, path, maxMillis))
      if (found._tag === "None" || !found.value.isComplete) continue
      const report = compare(path, before, found.value)
      if (report !== null) reports.push(report)
    }
  }
  return reports.length === 0 ? null : reports.join("\n")
})

const isSevere = ({ severity }: Problem): boolean => severity === "error" || severity === "warning"

/** Identifies a problem by its text, because an edit moves lines. */
const wordsOf = ({ code, message, severity }: Problem): string => JSON.stringify([severity, code, message])

const countOf = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`

/** Describes the changes; null: there are none. If the file was not checked before, only errors are reported. */
const compare = (
  path: string,
  before: ReadonlyArray<Problem> | null,
  { problems, server }: CodeIntelligence.Problems
): string | null => {
  const now = problems.filter(before === null ? ({ severity }) => severity === "error" : isSevere)
  const old = (before ?? []).filter(isSevere).map(wordsOf)
  const fresh: Array<Problem> = []
  for (const problem of now) {
    const at = old.indexOf(wordsOf(problem))
    if (at === -1) fresh.push(problem)
    else old.splice(at, 1)
  }
  if (fresh.length === 0 && old.length === 0) return null
  const goneText = old.length === 0 ? "" : `; ${old.length} gone, ${now.length} left`
  const head =
    before === null
      ? `${path} has ${countOf(fresh.length, "error")}`
      : `${path} has ${countOf(fresh.length, "new problem")}${goneText}`
  const shown = fresh.slice(0, maxShown).map((problem) => lineOf(path, problem))
  const more = fresh.length > maxShown ? [`[${fresh.length - maxShown} more]`] : []
  return [`[${server}: ${head}]`, ...shown, ...more].join("\n")
}

/** Formats a problem for the model. */
export const lineOf = (path: string, { code, column, line, message, severity }: Problem): string =>
  `${path}:${line}:${column} ${severity}${code === null ? "" : ` ${code}`}: ${message.replaceAll("\n", "\n    ")}`
