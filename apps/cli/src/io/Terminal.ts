/**
 * The user at the terminal: lines, single keys, and input that is typed while the agent works. Until the first request
 * nothing is read and the terminal's mode is unchanged.
 */
import type { SafeText } from "@bough/tui/text/SafeText"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** `Interrupted`: Ctrl-C on an empty line. `End`: no more input will come. */
export type Line =
  | { readonly _tag: "Line"; readonly text: string }
  | { readonly _tag: "Interrupted" }
  | { readonly _tag: "End" }

export interface WorkingListener {
  readonly onInterrupt: () => void
  /** A line that was typed and sent with Enter; pasted parts may contain line feeds. */
  readonly onLine: (text: string) => void
}

export class Terminal extends Context.Service<
  Terminal,
  {
    /** True if a user can be asked: stdin and stderr are a terminal. */
    readonly isInteractive: boolean
    /** Reads the next line, edited in place; pasted parts may contain line feeds. */
    readonly readLine: (prompt: SafeText) => Effect.Effect<Line>
    /** Reads a line without echo; pasted text may contain line feeds. Null: the user interrupted, or the input has ended. */
    readonly readHidden: (prompt: SafeText) => Effect.Effect<string | null>
    /**
     * Waits for one of the accepted keys, pressed alone after half a second without input, so text that was typed
     * earlier or pasted never decides. `showKeys` shows the keys when they are accepted. Null: the input has ended.
     */
    readonly readKey: (accepted: ReadonlyArray<string>, showKeys: () => void) => Effect.Effect<string | null>
    /** Until the scope closes, typed input goes to this listener; an unfinished line is kept for the next prompt. */
    readonly whileWorking: (listener: WorkingListener) => Effect.Effect<void, never, Scope.Scope>
    /** Restores the terminal. */
    readonly close: () => void
  }
>()("@bough/cli/Terminal") {}
