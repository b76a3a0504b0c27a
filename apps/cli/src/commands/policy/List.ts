/** `policy list`: the rules that apply here, each with its scope, origin and author. */
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as Lists from "../../io/Lists.ts"
import * as ActiveRules from "../../policy/ActiveRules.ts"
import type { Program } from "../../Program.ts"

export const parameters = { format: ListFlags.format }

export const list = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { format }: CommandOptions<typeof parameters>
) {
  const { damaged, rules, unused } = yield* ActiveRules.all(program, common)
  const { output } = program
  for (const path of damaged) output.note(`${path} contains no valid rule and is ignored`)
  for (const { id, problem } of unused) output.note(`rule ${id} is ignored: ${problem}`)
  if (format === "json") return output.json(rules, 2)
  if (rules.length === 0)
    output.note("no rules: every Elevated call and every call that leaves the workspace needs an approval")
  Lists.print(
    program,
    rules.map(({ id, origin, principal, rule, scope, title }) => {
      const by = principal === null ? "" : `, given by ${principal}`
      const from = `${title === null ? origin : `“${title}”`}${by}`
      return {
        line: `${id ?? "-".padEnd(16)}  ${scope}  ${rule}  (${from})`,
        title: rule,
        facts: [scope, from, ...(id === null ? [] : [id])]
      }
    })
  )
})

export const command = declare({ parameters, run: list })
