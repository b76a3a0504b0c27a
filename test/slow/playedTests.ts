/** Fails with the names of tests that neither run has played: `playedTests.ts FIRST REST`, reports of vitest as JSON. */
import { readFileSync } from "node:fs"
import { type Report, unplayed } from "../PlayedTests.ts"

const [first, rest] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, "utf8")) as Report)
if (first === undefined || rest === undefined) throw new Error("usage: playedTests.ts FIRST REST")
const names = unplayed(first, rest)
for (const name of names) console.error(`in no run: ${name}`)
process.exitCode = names.length === 0 ? 0 : 1
