/** What the parts of a conversation work with. */
import type { SessionStore } from "@bough/runtime"
import type * as Effect from "effect/Effect"
import type { Settings } from "@bough/host/config/Settings"
import type { Program } from "../../Program.ts"
import type { ExitCode, CliFailure } from "../../CliFailure.ts"
import type { ConversationUi } from "./ConversationUi.ts"
import type { Next } from "./OpenedSession.ts"
import type { UserInput } from "./UserInput.ts"

export interface ConversationContext {
  readonly program: Program
  readonly settings: Settings
  readonly place: ConversationUi
  /** What was wished for while something ran, and waits until it is over. */
  readonly held: Array<UserInput>
  /** How what was wished for last came out. */
  outcome: ExitCode
}

/** Where the conversation goes on: null: nowhere; "here": in this session. */
export type Transition = Next | null | "here"

/** What a command of the conversation does. */
export type CommandEffect = Effect.Effect<Transition, CliFailure, SessionStore.SessionStore>
