/** Where a conversation is held, the screen or plain lines: what the conversation needs of it, and nothing that either does alone. */
import type { NoteIndex } from "@bough/memory"
import type { Channel } from "@bough/runtime"
import type * as Effect from "effect/Effect"
import type * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { CliFailure } from "../../CliFailure.ts"
import type { Listing } from "./Listing.ts"
import type { OpenedSession } from "./OpenedSession.ts"
import type { UiMode, Name } from "./SlashCommands.ts"
import type { SessionUsage } from "./SessionUsage.ts"
import type { UserInput } from "./UserInput.ts"

/** One of several, each by its name. */
export interface Choice {
  /** The command that takes it as its argument. */
  readonly command: Name
  /** What holds now. */
  readonly now: string
  readonly options: Listing
  /** What people tell them apart by: their names, or what is said of them. */
  readonly knownBy: "name" | "text"
  /** What else could be given, and how that is typed, as a sentence. */
  readonly hint: string
}

export interface ConversationUi {
  readonly manner: UiMode
  readonly channel: Channel.Channel["Service"]
  /** A sentence of the program's own. */
  readonly note: (text: string) => void
  /** The same of what nobody waits for: it does not break into what is being written. */
  readonly mention: (text: string) => void
  /** What went wrong, and what to do about it. */
  readonly fail: (stop: CliFailure) => void
  readonly list: (listing: Listing) => void
  /** Shows what there is. Where a person can be asked at once: what they chose, a name of their own included; null: nothing. */
  readonly choose: (choice: Choice) => Effect.Effect<string | null>
  /** A input is about to be carried out: the record of what was said has it. `isSteering`: it is for the agent's next step. */
  readonly said: (input: UserInput, isSteering: boolean) => void
  /** What waits until the work is over, oldest first. */
  readonly showHeld: (held: ReadonlyArray<UserInput>) => void
  /** Work has begun, it was asked to stop, it is over. */
  readonly begin: () => void
  readonly stopping: () => void
  readonly finish: () => void
  /** A turn is over and took so long. */
  readonly turnEnded: (spent: { readonly millis: number; readonly usage: string }) => void
  /** What the person runs themselves, from now on; null: nothing any more. */
  readonly runs: (command: string | null) => void
  /** What the session has used, where that is not what its answers told. */
  readonly used: (used: SessionUsage) => void
  /** How far the index of notes is that is built in the background; null: no longer. */
  readonly indexing: NoteIndex.Progress
  /** A session is open from here on. */
  readonly opened: (opened: OpenedSession) => Effect.Effect<void, CliFailure>
  readonly next: Effect.Effect<UserInput>
  /** Until the scope closes, what is wished for comes here. */
  readonly meanwhile: Effect.Effect<Queue.Dequeue<UserInput>, never, Scope.Scope>
}
