/** The tests that neither `pnpm test` nor the thorough run after it has played, by the reports of both. */

interface TestReport {
  readonly ancestorTitles: ReadonlyArray<string>
  readonly title: string
  readonly tags: ReadonlyArray<string>
}

export interface Report {
  readonly testResults: ReadonlyArray<{ readonly name: string; readonly assertionResults: ReadonlyArray<TestReport> }>
}

/** Each test by its file and its full title. */
const collected = (report: Report): ReadonlyMap<string, TestReport> =>
  new Map(
    report.testResults.flatMap(({ assertionResults, name }) =>
      assertionResults.map((test) => [[name, ...test.ancestorTitles, test.title].join(" > "), test] as const)
    )
  )

/** Returns the tests that `first` left to the thorough run and `rest` lacks, and the untagged ones that only `rest` has. */
export const unplayed = (first: Report, rest: Report): ReadonlyArray<string> => {
  const played = collected(first)
  const left = collected(rest)
  return [
    ...[...played].filter(([name, { tags }]) => tags.includes("thoroughOnly") && !left.has(name)),
    // A run of the rest filters by these tags: a case that `someOf` left to it is played only with one of them.
    ...[...left].filter(([name, { tags }]) => tags.length === 0 && !played.has(name))
  ].map(([name]) => name)
}

/** A report with the outcome of each test. */
export interface Outcomes {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly assertionResults: ReadonlyArray<TestReport & { readonly status: string }>
  }>
}

export interface FailedTest {
  /** The file and the full title. */
  readonly name: string
  readonly file: string
}

const withStatus = ({ testResults }: Outcomes, status: string): ReadonlyArray<FailedTest> =>
  testResults.flatMap(({ assertionResults, name: file }) =>
    assertionResults.flatMap((test) =>
      test.status === status ? [{ file, name: [file, ...test.ancestorTitles, test.title].join(" > ") }] : []
    )
  )

export const failedTests = (report: Outcomes): ReadonlyArray<FailedTest> => withStatus(report, "failed")

export const passedTests = (report: Outcomes): ReadonlySet<string> =>
  new Set(withStatus(report, "passed").map(({ name }) => name))
