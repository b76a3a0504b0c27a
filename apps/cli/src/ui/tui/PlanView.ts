/** The agent's plan, read from the calls that made it. Pure. */
import { Plan } from "@bough/pack-data"
import * as Escape from "@bough/tui/text/Escape"
import * as Rows from "@bough/tui/text/Rows"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import type { Theme } from "@bough/tui/theme/Theme"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export type { Plan } from "@bough/pack-data"

/** Returns the plan; null: the arguments are not a plan. The decoder is made at first use: few starts need it. */
export const fromArguments = (text: string): Plan.Plan | null =>
  Option.getOrNull(Schema.decodeUnknownOption(Schema.fromJsonString(Plan.Plan))(text))

export const isDone = ({ items }: Plan.Plan): boolean => items.every(({ status }) => status === "done")

const maxRows = 8

/** Formats the items around the current one, and the number of hidden items. */
export const rows = ({ items }: Plan.Plan, columns: number, theme: Theme): ReadonlyArray<SafeText> => {
  const current = items.findIndex(({ status }) => status !== "done")
  const from = Math.max(0, Math.min((current === -1 ? items.length : current) - 2, items.length - maxRows))
  const paint = { done: theme.dim, active: theme.bold, pending: (row: SafeText) => row }
  const shown = items.slice(from, from + maxRows).map((item) => {
    const row = Rows.cut(text`${signs[item.status]} ${Escape.line(item.text)}`, columns - 2)
    return text`  ${paint[item.status](row)}`
  })
  const hidden = items.length - shown.length
  return hidden === 0 ? shown : [...shown, theme.dim(text`  … ${hidden} more`)]
}

const signs = { done: "✓", active: "▸", pending: "·" } as const

export const summary = (plan: Plan.Plan): SafeText => Escape.line(Plan.summary(plan))
