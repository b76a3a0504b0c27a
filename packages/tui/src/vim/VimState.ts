/** The state of vim's keys between two events of an editor. */
import type * as Draft from "../editor/Draft.ts"
import type { VimCommand } from "./VimCommand.ts"
import type { Find } from "./VimMotion.ts"

/** Text that is being inserted, until Escape. */
export interface Insertion {
  /** The command that began the insertion. */
  readonly command: VimCommand
  /** The draft to which one undo returns. */
  readonly before: Draft.Draft
  readonly inserted: string
}

export interface VimState {
  readonly mode: "insert" | "normal"
  /** The characters of a command that is not complete. */
  readonly typed: ReadonlyArray<string>
  readonly find: Find | null
  /** The last change, which `.` repeats. */
  readonly last: Pick<Insertion, "command" | "inserted"> | null
  /** Null: the insertion was not begun by a command. */
  readonly insertion: Insertion | null
  /** The cut or copied text if it consists of whole lines. */
  readonly lines: Draft.MarkedText | null
}

/** The initial state: a prompt starts in insert mode. */
export const initial: VimState = {
  mode: "insert",
  typed: [],
  find: null,
  last: null,
  insertion: null,
  lines: null
}

/** Returns the state at the next prompt. */
export const atPrompt = (vim: VimState): VimState => ({ ...vim, mode: "insert", typed: [], insertion: null })

/** The mode for display, with the characters of an incomplete command. */
export const label = ({ mode, typed }: VimState): string => `${mode.toUpperCase()} ${typed.join("")}`.trimEnd()
