/** The problems that a server publishes without a request, by file, and a way to wait for its report on a change. */
import type { CodeIntelligence } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Beyond these numbers the oldest reports are evicted. */
const maxFiles = 2000
const maxProblems = 20_000

interface Report {
  readonly problems: ReadonlyArray<CodeIntelligence.Problem>
  readonly version: number | null
}

export interface PublishedProblems {
  readonly publish: (path: string, report: Report) => void
  /** Returns the problems of a file; null: the server has not reported on the file. */
  readonly problemsOf: (path: string) => ReadonlyArray<CodeIntelligence.Problem> | null
  /** The number of reports on a file so far. */
  readonly countOf: (path: string) => number
  /** Waits until the number of reports on the file exceeds this count; reports on an older version are ignored. */
  readonly after: (path: string, count: number, version: number) => Effect.Effect<void>
}

/**
 * The time without a further report after which a report counts as complete, because a server sends its parts in quick
 * succession.
 */
const quietMillis = 200

export const make = (): PublishedProblems => {
  const reports = new Map<string, Report>()
  const counts = new Map<string, number>()
  const waiting = new Set<() => void>()
  let keptCount = 0
  const evict = (path: string): void => {
    keptCount -= reports.get(path)?.problems.length ?? 0
    reports.delete(path)
  }
  const countOf = (path: string): number => counts.get(path) ?? 0
  return {
    publish: (path, report) => {
      evict(path)
      reports.set(path, report)
      keptCount += report.problems.length
      counts.set(path, countOf(path) + 1)
      for (const oldest of reports.keys()) {
        if (reports.size <= maxFiles && keptCount <= maxProblems) break
        evict(oldest)
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
 * Waits until the server has reported all problems after a change. After each report, the server is sent a cheap
 * request, which it answers only when its computations are complete. Then a short time must pass without another
 * report.
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
