/** Finished blocks on their way into the terminal's scrollback: rows, in order, each once, some with every frame. */
import { empty, join, type SafeText, text } from "@bough/tui/text/SafeText"
import type { Block } from "./Block.ts"
import * as BlockRows from "./BlockRows.ts"
import type { RowContext } from "@bough/tui/text/RowContext"
import type { Printed } from "./Screen.ts"

/** Rows that go with one frame, so that a key is never kept waiting by a long output. */
export const rowsAtOnce = 300

export interface Scrollback {
  readonly add: (blocks: ReadonlyArray<Block>, place: RowContext) => void
  readonly isWaiting: () => boolean
  /** Puts the next rows behind `printed`, if any wait. */
  readonly next: () => void
  /** All that was put there. The text of what came before the newest is the terminal's now, and empty. */
  readonly printed: ReadonlyArray<Printed>
}

export const make = (): Scrollback => {
  const printed: Array<Printed> = []
  const waiting: Array<SafeText> = []
  let before: Block | null = null
  return {
    printed,
    add: (blocks, place) => {
      for (const block of blocks) {
        for (const row of BlockRows.rows(block, before, place)) waiting.push(row)
        before = block
      }
    },
    isWaiting: () => waiting.length > 0,
    next: () => {
      if (waiting.length === 0) return
      const last = printed.length - 1
      if (last >= 0) printed[last] = { id: printed[last].id, text: empty }
      printed.push({ id: printed.length, text: nonEmpty(join(waiting.splice(0, rowsAtOnce), text`\n`)) })
    }
  }
}

/** The library prints nothing for an empty text. */
const nonEmpty = (rows: SafeText): SafeText => (rows === "" ? text` ` : rows)
