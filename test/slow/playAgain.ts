/**
 * Plays the failed tests of a report of vitest again, alone: `playAgain.ts REPORT`. Names those that pass on standard
 * error, and prints their number. They depend on the load of the machine and must be fixed, but do not refuse a change. If
 * more than a few tests failed, a fault is likely, and none is played again.
 */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { relative } from "node:path"
import { type Outcomes, failedTests, passedTests } from "../PlayedTests.ts"

const maxFailed = 5

const read = (file: string): Outcomes => JSON.parse(readFileSync(file, "utf8")) as Outcomes

/** Plays these files by one worker, and returns the names of the tests that passed. */
const playAlone = (files: ReadonlySet<string>, report: string): ReadonlySet<string> => {
  const command = ["node_modules/.bin/vitest", "run", "--config", "test/vitest.config.ts", "--maxWorkers=1"]
  spawnSync("test/offline.sh", [...command, ...files], {
    env: { ...process.env, BOUGH_TEST_THOROUGH: "yes", BOUGH_TEST_REPORT: report },
    stdio: ["ignore", process.stderr, process.stderr]
  })
  return passedTests(read(report))
}

const [report] = process.argv.slice(2)
if (report === undefined) throw new Error("usage: playAgain.ts REPORT")
const failed = failedTests(read(report))
const files = new Set(failed.map(({ file }) => `./${relative(process.cwd(), file)}`))
const passed = failed.length > 0 && failed.length <= maxFailed ? playAlone(files, `${report}.again`) : new Set<string>()
const recovered = failed.filter(({ name }) => passed.has(name))
for (const { name } of recovered) console.error(`failed beside others, passed alone: ${name}`)
console.log(recovered.length)
