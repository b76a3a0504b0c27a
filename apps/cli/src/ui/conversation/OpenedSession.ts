/** The session of a conversation, with its current model and the model to continue with. */
import type { Settings } from "@bough/host/config/Settings"
import type * as FindSession from "@bough/host/session/FindSession"
import type * as SessionWithMemory from "@bough/host/session/SessionWithMemory"
import type * as Models from "../../session/Models.ts"

/** The settings from which a model is made. */
export interface ModelSelection {
  /** `provider/model`. */
  readonly name: string
  readonly effort: Settings["model"]["effort"]
  /** Keys and addresses of providers, by the variables' names. */
  readonly variables: Settings["providers"]["variables"]
}

/** The session to open, and its model. */
export interface NextSession {
  readonly which: FindSession.SessionTarget
  readonly model: Models.Model
  readonly chosen: ModelSelection
  /** True if its earlier messages have not been shown yet. */
  readonly isNew: boolean
  /** A sentence about the change of sessions, shown after the last reports of the session that closes. */
  readonly arrival?: string
}

/** The session that is open. */
export interface SessionWithModel {
  readonly session: SessionWithMemory.SessionWithMemory
  readonly model: Models.Model
  readonly chosen: ModelSelection
}

export interface OpenedSession extends SessionWithModel {
  /** True if its earlier messages have not been shown yet. */
  readonly isNew: boolean
}
