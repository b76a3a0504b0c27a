/**
 * Prints, after a run, one line per reason for which tests of a file were skipped, and one line with the number of those
 * that only a thorough run plays.
 */
import type { Reporter, TestCase, TestModule } from "vitest/node"
import { isThorough } from "./thorough.ts"

const reasonOf = (test: TestCase): string | null => {
  const result = test.result()
  if (result.state !== "skipped") return null
  return /\[(needs [^\]]+)\]/.exec(test.fullName)?.[1] ?? result.note ?? "no reason given"
}

export class SkipReasons implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    let left = 0
    for (const module of modules) {
      const counts = new Map<string, number>()
      for (const test of module.children.allTests()) {
        if (!isThorough && test.tags.includes("thoroughOnly")) {
          left += 1
          continue
        }
        const reason = reasonOf(test)
        if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1)
      }
      for (const [reason, count] of counts) {
        process.stdout.write(`skipped ${count} in ${module.relativeModuleId}: ${reason}\n`)
      }
    }
    if (left === 0) return
    const how = "BOUGH_TEST_THOROUGH=yes plays them too"
    process.stdout.write(`${left} of the skipped tests are played by .ci/run alone; ${how}\n`)
  }
}
