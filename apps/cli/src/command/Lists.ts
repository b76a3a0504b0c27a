/** Prints what a command lists. */
import type { Program } from "../Program.ts"
import { text } from "../SafeText.ts"
import * as Listing from "../terminal/Listing.ts"

export const print = ({ output }: Program, listed: ReadonlyArray<Listing.Listed>): void => {
  const columns = output.stdoutIsTerminal ? output.columns() : null
  for (const row of Listing.rows(listed, columns)) output.answerEscaped(text`${row}\n`)
}
