/** The place in which the blocks of a conversation are laid out. */
import type { RowContext } from "@bough/tui/text/RowContext"

export interface BlockContext extends RowContext {
  /** The key that opens the transcript, as texts write it; "": there is none. Default: Ctrl-O. */
  readonly transcriptKey?: string
}
