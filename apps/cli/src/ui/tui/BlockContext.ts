/** The dimensions and theme by which the blocks of a conversation are laid out. */
import type { RowContext } from "@bough/tui/text/RowContext"

export interface BlockContext extends RowContext {
  /** The key that opens the transcript, as shown to users; "": no key does. Default: Ctrl-O. */
  readonly transcriptKey?: string
}
