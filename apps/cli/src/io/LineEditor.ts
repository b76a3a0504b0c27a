/** The port to the editor of a prompted line. */
import type { SafeText } from "@bough/tui/text/SafeText"

export interface LineEditor {
  /** Prompts for the next line; `ahead` is already typed. */
  readonly ask: (prompt: SafeText, ahead: string) => void
  /** Handles keys that are typed during a prompt. */
  readonly take: (input: string) => void
  /** Handles a paste: lines separated by line feeds. */
  readonly paste: (text: string) => void
  /** Interrupts the prompt, and returns the unfinished line. */
  readonly withdraw: () => string
  readonly close: () => void
}

export interface Events {
  /** Enter. `rest`: input that arrived together with the line and follows it. */
  readonly onLine: (text: string, rest: string) => void
  /** All but the last line of a paste, which continues with `rest`. */
  readonly onPart: (text: string, rest: string) => void
  /** Ctrl-C on an empty line. */
  readonly onInterrupt: () => void
  /** The end of input. */
  readonly onEnd: () => void
  /** Ctrl-Z. Call `again` when the program continues. */
  readonly onSuspend: (onResume: () => void) => void
}

export type Make = (stderr: NodeJS.WriteStream, events: Events) => LineEditor
