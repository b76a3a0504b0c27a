/** The problems that a server reports by itself, by file, and waiting until it has reported on a change. */
import type { CodeIntelligence } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Reports on more files evict the oldest. */
const maxFiles = 2000

interface Report {
  readonly problems: ReadonlyArray<CodeIntelligence.Problem>
  readonly version: number | null
}

export interface PublishedProblems {
  readonly publish: (path: string, report: Report) => void
  /** Null: the server has not reported on the file. */
  readonly problemsOf: (path: string) => ReadonlyArray<CodeIntelligence.Problem> | null
  /** Counts the reports on a file. */
  readonly countOf: (path: string) => number
  /** Waits for a report on the file after that count; one on an older version of it does not count. */
  readonly after: (path: string, count: number, version: number) => Effect.Effect<void>
}

/** Reports come in parts, each a moment after the other. */
const quietMillis = 200

export const make = (): PublishedProblems => {
  const reports = new Map<string, Report>()
  const counts = new Map<string, number>()
  const waiting = new Set<() => void>()
  const countOf = (path: string): number => counts.get(path) ?? 0
  return {
    publish: (path, report) => {
      reports.delete(path)
      reports.set(path, report)
      counts.set(path, countOf(path) + 1)
      for (const [oldest] of reports) {
        if (reports.size <= maxFiles) break
        reports.delete(oldest)
        counts.delete(oldest)
      }
      for (const look of waiting) look()
    },
    problemsOf: (path) => reports.get(path)?.problems ?? null,
    countOf,
    after: (path, count, version) =>
      Effect.callback<void>((resume) => {
        const look = () => {
          const known = reports.get(path)?.version ?? null
          if (countOf(path) > count && (known === null || known >= version)) resume(Effect.void)
        }
        waiting.add(look)
        look()
        return Effect.sync(() => void waiting.delete(look))
      })
  }
}

/**
 * Waits until the server has reported everything about a change: after each report it gets a cheap request, which it answers only after
 * its computations, and then a moment has to pass without another report.
 */
export const settled = Effect.fnUntraced(function* (
  published: PublishedProblems,
  {
    barrier,
    count,
    path,
    version
  }: {
    readonly path: string
    readonly count: number
    readonly version: number
    readonly barrier: Effect.Effect<unknown>
  }
) {
  yield* published.after(path, count, version)
  while (true) {
    const seen = published.countOf(path)
    yield* barrier
    const another = yield* Effect.timeoutOption(published.after(path, seen, version), quietMillis)
    if (Option.isNone(another)) return
  }
})
