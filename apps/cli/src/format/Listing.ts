/**
 * Formats lists: one line per item if the lines fit or the output has no width, else a title with its facts below it.
 * Words are not broken. Pure; escapes its input.
 */
import * as Escape from "@bough/tui/text/Escape"
import { join, sentence } from "@bough/tui/text/Layout"
import { cut } from "@bough/tui/text/Rows"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import { cells } from "@bough/tui/text/Width"

export interface ListItem {
  /** Formats the item in one line, with the id where a script expects it. */
  readonly line: string
  /** The name by which a user knows the item. */
  readonly title: string
  readonly facts: ReadonlyArray<string>
}

/** `columns` null: the output is not a terminal. */
export const rows = (listed: ReadonlyArray<ListItem>, columns: number | null): ReadonlyArray<SafeText> => {
  const lines = listed.map(({ line }) => Escape.line(line))
  if (columns === null || lines.every((line) => cells(line) <= columns)) return lines
  return listed.flatMap((one) => record(one, columns))
}

/** Returns the title and its facts; a fact that fits on a row is not broken. */
export const record = ({ facts, title }: Omit<ListItem, "line">, columns: number): ReadonlyArray<SafeText> => {
  const maxWidth = columns - 2
  const parts = facts.map(Escape.line).flatMap((fact) => (cells(fact) <= maxWidth ? [fact] : sentence(fact, maxWidth)))
  return [cut(Escape.line(title), columns), ...join(parts, text` · `, maxWidth).map((row) => text`  ${row}`)]
}
