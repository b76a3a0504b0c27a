/**
 * The larger scopes by hand: `node --conditions development packages/runtime/test/approval/exploreAll.ts [NAME]`. Exits
 * with 1 if a rule is violated.
 */
import * as Machine from "./machine.ts"
import { long, short } from "./settings.ts"

const [, , wanted = ""] = process.argv
for (const { name, setting } of [...short, ...long].filter((scope) => scope.name.includes(wanted))) {
  const before = process.cpuUsage()
  const explored = Machine.explore(setting)
  const { user } = process.cpuUsage(before)
  const { phases, states, transitions } = explored
  const facts = `${states} states, ${transitions} steps, ${(user / 1e6).toFixed(1)} s; ${[...phases].toSorted().join(" ")}`
  process.stdout.write(`${name}: ${facts}\n`)
  const wrong = Machine.found(explored)
  if (wrong === "") continue
  process.exitCode = 1
  process.stdout.write(`${wrong}\n`)
}
