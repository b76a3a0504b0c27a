/** The context that the parts of a conversation share. */
import type { Settings } from "@bough/host/config/Settings"
import type { SessionMode } from "@bough/host/session/SessionMode"
import type { SessionStore } from "@bough/runtime"
import type * as Effect from "effect/Effect"
import type { ExitCode, CliFailure } from "../../CliFailure.ts"
import type { Program } from "../../Program.ts"
import type { ConversationUi } from "./ConversationUi.ts"
import type { InputQueue } from "./InputQueue.ts"
import type { NextSession } from "./OpenedSession.ts"

export interface ConversationContext {
  readonly program: Program
  readonly settings: Settings
  readonly ui: ConversationUi
  /** The mode: the changes that the agent makes without an approval. */
  readonly mode: SessionMode
  /** Input that was queued until the running work ends. */
  readonly held: InputQueue
  /** The command that the user typed and that is not yet covered by an approval. */
  typed: { readonly tool: string; readonly command: string } | null
  /** The outcome of the last action. */
  outcome: ExitCode
}

/** The session in which the conversation continues; null: it ends; "stay": the same session. */
export type Transition = NextSession | null | "stay"

/** The effect of a command of the conversation. */
export type CommandEffect = Effect.Effect<Transition, CliFailure, SessionStore.SessionStore>
