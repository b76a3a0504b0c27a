/** The UI of a conversation, the screen or plain lines: the operations that both provide. */
import type { Mode } from "@bough/host/session/SessionMode"
import type { NoteIndex } from "@bough/memory"
import type { Channel } from "@bough/runtime"
import type * as InputSyntax from "@bough/tui/editor/InputSyntax"
import type * as Picker from "@bough/tui/picker/Picker"
import type { SafeText } from "@bough/tui/text/SafeText"
import type * as Effect from "effect/Effect"
import type * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { CliFailure } from "../../CliFailure.ts"
import type { TerminalChannel } from "../../session/TerminalChannel.ts"
import type { Listing } from "./Listing.ts"
import type { OpenedSession } from "./OpenedSession.ts"
import type { SessionUsage } from "./SessionUsage.ts"
import type { UiMode, Name } from "./SlashCommands.ts"
import type { UserInput } from "./UserInput.ts"

/** One of several options, by name. */
export interface Choice {
  /** The command that takes the option as its argument. */
  readonly command: Name
  /** The current value. */
  readonly now: string
  readonly options: Listing
  /** The part of an option that its row begins with; `description` if the name is an id that users do not know. */
  readonly shownFirst: "name" | "description"
  /** A sentence about other values that can be typed. */
  readonly hint: string
}

/** A list to pick from. */
export interface SearchablePicker extends Picker.PickerOptions {
  /** Finds further items for the typed query; absent: the list has all items. */
  readonly search?: (query: string) => Effect.Effect<ReadonlyArray<Picker.PickerItem>>
}

/** Questions to the user that need an answer before the conversation continues. */
export interface Dialogs {
  /** Shows what an MCP server asks the user for; null: no user is present. */
  readonly elicit: TerminalChannel["elicit"]
  /** Lets the user pick from a list that is filtered while typing; null: the user closed it, or this UI has no such list. */
  readonly pick: (options: SearchablePicker) => Effect.Effect<string | null>
  /**
   * Shows the options. Returns the user's choice, which may be another name that the user typed; null: there was no
   * choice, or no user can be asked now.
   */
  readonly choose: (choice: Choice) => Effect.Effect<string | null>
  /** Reads a line without echo and without adding it to the history; null: the user interrupted. */
  readonly readHidden: (prompt: SafeText) => Effect.Effect<string | null>
  /** Runs work that has the terminal to itself. */
  readonly withoutScreen: <A>(work: Effect.Effect<A>) => Effect.Effect<A>
}

/** Displays of the running work, which change while the conversation continues. */
export interface ProgressView {
  readonly begin: () => void
  /** Called when the work was asked to stop. */
  readonly stopping: () => void
  readonly finish: () => void
  /** Reports that a turn has ended after this time, waiting included. */
  readonly turnEnded: (millis: number) => void
  /** Sets the running command of the user; null: it has ended. */
  readonly runs: (command: string | null) => void
  /** Sets the usage of the session, where it differs from the sum of its replies. */
  readonly used: (used: SessionUsage) => void
  /** Shows the progress of the index of notes, which is built in the background; null: it is finished. */
  readonly indexing: NoteIndex.Progress
  /** Shows the queued input, oldest first. */
  readonly showHeld: (held: ReadonlyArray<UserInput>) => void
}

/** The display of the session that is open. */
export interface SessionView {
  /** Called when a session was opened. */
  readonly opened: (opened: OpenedSession) => Effect.Effect<void, CliFailure>
  /** Called when the session was renamed. */
  readonly renamed: (title: string) => void
  /** Called when the mode has changed. */
  readonly modeChanged: (mode: Mode) => void
  /** Adds commands to complete, which are prompts of servers. */
  readonly commandsKnown: (commands: ReadonlyArray<InputSyntax.SlashCommand>) => void
}

/** The source of the user's input. */
export interface InputSource {
  readonly next: Effect.Effect<UserInput>
  /** Receives the user's input until the scope closes. */
  readonly whileWorking: Effect.Effect<Queue.Dequeue<UserInput>, never, Scope.Scope>
  /** Puts queued text before the text in the editor. False: this UI has no editor for it. */
  readonly returnQueued: (text: string) => boolean
}

export interface ConversationUi {
  readonly kind: UiMode
  readonly channel: Channel.Channel["Service"]
  readonly dialogs: Dialogs
  readonly progress: ProgressView
  readonly session: SessionView
  readonly input: InputSource
  /** Shows a sentence of the program. */
  readonly note: (text: string) => void
  /** Like `note`, but queued so that it does not interrupt the user's typing. */
  readonly mention: (text: string) => void
  /** Shows an error and its hint. */
  readonly fail: (failure: CliFailure) => void
  readonly list: (listing: Listing) => void
  /** Sends a text to the clipboard of the user's terminal; false if the terminal has no reachable clipboard. */
  readonly copy: (text: string) => boolean
  /** Shows the conversation in a theme from now on; null: this UI has no colours. */
  readonly theme: ((name: string) => Effect.Effect<void, CliFailure>) | null
  /**
   * Called before input is executed, to echo it in the transcript. `isSteering`: it is for the agent's next step.
   * `isElsewhere`: another process sent it.
   */
  readonly said: (input: UserInput, isSteering: boolean, isElsewhere?: boolean) => void
}
