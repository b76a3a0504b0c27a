/** Lays out blocks in sequence: a block's rows depend on the block before it. */
import type { SafeText } from "@bough/tui/text/SafeText"
import type { Block } from "./Block.ts"
import type { BlockContext } from "./BlockContext.ts"
import * as BlockRows from "./BlockRows.ts"

export interface BlockSequence {
  /** The rows of the next blocks. */
  readonly rows: (blocks: ReadonlyArray<Block>, context: BlockContext) => ReadonlyArray<SafeText>
}

export const make = (): BlockSequence => {
  let before: Block | null = null
  return {
    rows: (blocks, context) =>
      blocks.flatMap((block) => {
        const rows = BlockRows.rows(block, before, context)
        if (rows.length > 0) before = block
        return rows
      })
  }
}
