/**
 * Things listed: a line each, where the lines fit or nobody counts columns; else what each thing is, and below it the facts
 * of it, no word broken. Pure; escaped here.
 */
import * as Escape from "@bough/tui/text/Escape"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import { cut, join, sentence } from "@bough/tui/text/Layout"
import { cells } from "@bough/tui/text/Width"

export interface Listed {
  /** All of it in one line, the id where a script looks for it. */
  readonly line: string
  /** What a person knows it by. */
  readonly title: string
  readonly facts: ReadonlyArray<string>
}

/** `columns` null: no terminal. */
export const rows = (listed: ReadonlyArray<Listed>, columns: number | null): ReadonlyArray<SafeText> => {
  const lines = listed.map(({ line }) => Escape.line(line))
  if (columns === null || lines.every((line) => cells(line) <= columns)) return lines
  return listed.flatMap((one) => record(one, columns))
}

/** What it is, and the facts of it, each whole on its row where it fits one. */
export const record = ({ facts, title }: Omit<Listed, "line">, columns: number): ReadonlyArray<SafeText> => {
  const within = columns - 2
  const parts = facts.map(Escape.line).flatMap((fact) => (cells(fact) <= within ? [fact] : sentence(fact, within)))
  return [cut(Escape.line(title), columns), ...join(parts, text` · `, within).map((row) => text`  ${row}`)]
}
