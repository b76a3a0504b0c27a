/** The panel of children: one row for each that is working. All text is escaped here. */
import * as Keymap from "@bough/host/keys/Keymap"
import * as Escape from "@bough/tui/text/Escape"
import type { RowContext } from "@bough/tui/text/RowContext"
import * as Rows from "@bough/tui/text/Rows"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import * as Figures from "../../format/Figures.ts"
import * as Children from "./Children.ts"
import { formatElapsed } from "./elapsed.ts"

const maxRows = 5

/** Renders the working children and the key that opens one; no rows if none works. */
export const rows = (
  children: Children.Children,
  { columns, keymap, nowMillis, theme }: RowContext & { readonly nowMillis: number; readonly keymap: Keymap.Keymap }
): ReadonlyArray<SafeText> => {
  const working = [...children.values()].filter(Children.isAtWork)
  if (working.length === 0) return []
  const shown = working.slice(0, maxRows)
  const more = working.length - shown.length
  const key = Keymap.firstShown(keymap, "open agent")
  const hint = [more > 0 ? `… ${more} more` : "", key === "" ? "" : `${key} opens one`]
    .filter((part) => part !== "")
    .join(" · ")
  return [
    ...shown.map((child) => {
      const facts = factsOf(child, nowMillis)
      const width = Math.max(8, columns - 4 - Rows.width(facts))
      const task = Rows.cut(
        text`${child.kind.toLowerCase() === "worker" ? "worker" : "branch"} “${Escape.line(child.task)}”`,
        width
      )
      return Rows.cut(text`  ${theme.accent(text`→`)} ${task} ${theme.dim(facts)}`, columns)
    }),
    ...(hint === "" ? [] : [theme.dim(Rows.cut(text`  ${Escape.line(hint)}`, columns))])
  ]
}

/** Formats the facts of a child: `read_file · 12 s · 3.4k tokens · $0.02`. */
export const factsOf = (child: Children.Child, nowMillis: number): SafeText => {
  const { costUsd, inputTokens, outputTokens } = child.usage
  const tokens = inputTokens + outputTokens
  const state = Children.isAtWork(child) ? activityOf(child) : Escape.line(child.state.toLowerCase())
  const time = formatElapsed(Math.max(0, (child.endedAtMillis ?? nowMillis) - child.startedAtMillis))
  const used = tokens === 0 ? text`` : text` · ${Figures.thousands(tokens)} tokens`
  const cost = costUsd === null || costUsd === 0 ? text`` : text` · ${Figures.dollars(costUsd)}`
  return text`· ${state} · ${time}${used}${cost}`
}

const activityOf = ({ isWriting, state, tool }: Children.Child): SafeText => {
  if (state === "Suspended") return text`waits for approval`
  if (tool !== "") return Escape.line(tool)
  return isWriting ? text`writing` : text`thinking`
}
