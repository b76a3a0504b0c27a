/** What the parts of a conversation work with. */
import type { SessionStore } from "@bough/runtime"
import type * as Effect from "effect/Effect"
import type * as Models from "../../session/Models.ts"
import type * as OpenSession from "@bough/host/session/OpenSession"
import type { Settings } from "@bough/host/config/Settings"
import type { Program } from "../../Program.ts"
import type { ExitCode, CliFailure } from "../../CliFailure.ts"
import type { ConversationUi } from "./ConversationUi.ts"
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

/** What a model is made of. */
export interface ModelSelection {
  /** `provider/model`. */
  readonly name: string
  readonly effort: Settings["effort"]
  /** Keys and addresses of providers, by the variables' names. */
  readonly variables: Settings["providerVariables"]
}

/** Which session is to be opened, and with which model. */
export interface Next {
  readonly which: OpenSession.SessionTarget
  readonly model: Models.Model
  readonly chosen: ModelSelection
  /** What was said in it was not shown yet. */
  readonly isNew: boolean
}

/** The session that is open. */
export interface Open {
  readonly session: OpenSession.SessionWithMemory
  readonly model: Models.Model
  readonly chosen: ModelSelection
}

export interface OpenedSession extends Open {
  /** What was said in it was not shown yet. */
  readonly isNew: boolean
}

/** Where the conversation goes on: null: nowhere; "here": in this session. */
export type Transition = Next | null | "here"

/** What a command of the conversation does. */
export type CommandEffect = Effect.Effect<Transition, CliFailure, SessionStore.SessionStore>
