/** Prints blocks in order, and delays them while the grammars of their code load. If one cannot be loaded, the blocks are printed uncoloured. */
import * as Highlight from "@bough/tui/code/Highlight"
import type { Block } from "./Block.ts"
import { languagesOf } from "./BlockLanguages.ts"

export interface PrintQueue {
  readonly add: (blocks: ReadonlyArray<Block>) => void
  /** Prints the held blocks at once, coloured or not. */
  readonly flush: () => void
}

/** `isColoured` false: code is never coloured, so that no block is held back. */
export const make = (print: (blocks: ReadonlyArray<Block>) => void, isColoured: () => boolean): PrintQueue => {
  const waiting: Array<Block> = []
  const flush = (): void => {
    const blocks = waiting.splice(0)
    if (blocks.length > 0) print(blocks)
  }
  const printIfReady = (): void => {
    const missing = isColoured()
      ? waiting.flatMap(languagesOf).filter((language) => !Highlight.isSettled(language))
      : []
    if (missing.length === 0) flush()
    else void Promise.all(missing.map(Highlight.load)).then(printIfReady, flush)
  }
  return {
    add: (blocks) => {
      waiting.push(...blocks)
      printIfReady()
    },
    flush
  }
}
