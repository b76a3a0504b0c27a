/** `tools stats`: calls by pack, by tool and model, and with `--experiment` by version. */
import { packNamesOf } from "@bough/host/session/KindTools"
import { Stats } from "@bough/receipts"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import type { Program } from "../../Program.ts"
import * as EachCall from "../../receipts/eachCall.ts"
import * as StatsTable from "../../receipts/StatsTable.ts"

const parameters = {
  ...EachCall.parameters,
  experiment: Flag.Boolean("experiment").pipe(
    Flag.withDefault(false),
    Flag.withDescription("Compare the versions of tools that have several, such as those of an experiment")
  )
}

const stats = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  options: CommandOptions<typeof parameters>
) {
  const { output } = program
  const state = Stats.empty()
  yield* EachCall.eachCall(program, common, { options, use: (call) => Stats.append(state, call) })
  const packs = packNamesOf(program.packs)
  const report = options.experiment
    ? { versions: comparableRows(Stats.versions(state)) }
    : { categories: Stats.categories(state, (tool) => packs.get(tool) ?? "other"), tools: Stats.rows(state) }
  if (options.format === "json") return output.json(report, 2)
  if (state.tallies.size === 0) return output.note(EachCall.noCalls)
  if (report.versions?.length === 0) return output.note("no tool was called in several versions")
  const columns = output.stdoutIsTerminal ? output.columns() : null
  for (const line of linesOf(report, columns)) output.answerEscaped(text`${line}\n`)
})

/** The rows of tools that were called in more than one version. */
const comparableRows = (rows: ReadonlyArray<Stats.VersionRow>): ReadonlyArray<Stats.VersionRow> =>
  rows.filter(({ tool }) => rows.filter((row) => row.tool === tool && row.version !== null).length > 1)

interface Report {
  readonly versions?: ReadonlyArray<Stats.VersionRow>
  readonly categories?: ReadonlyArray<Stats.CategoryRow>
  readonly tools?: ReadonlyArray<Stats.Row>
}

const linesOf = ({ categories = [], tools = [], versions }: Report, columns: number | null): ReadonlyArray<SafeText> =>
  versions === undefined
    ? [
        ...StatsTable.toRows(
          ["category", "tools"],
          categories.map((row) => ({ names: [row.category, `${row.tools.length}`], counts: row })),
          columns
        ),
        StatsTable.gap,
        ...StatsTable.toRows(["tool", "model"], tools.map(StatsTable.ofTool), columns)
      ]
    : StatsTable.toRows(
        ["tool", "version"],
        versions.map((row) => ({ names: [row.tool, `${row.version ?? "-"}`], counts: row })),
        columns
      )

export const command = declare({ parameters, run: stats })
