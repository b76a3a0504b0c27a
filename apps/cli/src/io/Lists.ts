/** Prints the items of a list. */
import { text } from "@bough/tui/text/SafeText"
import * as Listing from "../format/Listing.ts"
import type { Program } from "../Program.ts"

export const print = ({ output }: Program, listed: ReadonlyArray<Listing.ListItem>): void => {
  const columns = output.stdoutIsTerminal ? output.columns() : null
  for (const row of Listing.rows(listed, columns)) output.answerEscaped(text`${row}\n`)
}
