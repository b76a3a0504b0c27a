/** Prints, after a run, one line per reason for which tests of a file were skipped. */
import type { Reporter, TestCase, TestModule } from "vitest/node"

const reasonOf = (test: TestCase): string | null => {
  const result = test.result()
  if (result.state !== "skipped") return null
  return /\[(needs [^\]]+)\]/.exec(test.fullName)?.[1] ?? result.note ?? "no reason given"
}

export class SkipReasons implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    for (const module of modules) {
      const counts = new Map<string, number>()
      for (const test of module.children.allTests()) {
        const reason = reasonOf(test)
        if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1)
      }
      for (const [reason, count] of counts) {
        process.stdout.write(`skipped ${count} in ${module.relativeModuleId}: ${reason}\n`)
      }
    }
  }
}
