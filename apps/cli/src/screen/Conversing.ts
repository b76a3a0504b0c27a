/** What the parts of a conversation work with. */
import type * as Queue from "effect/Queue"
import type * as Models from "../command/Models.ts"
import type * as OpenSession from "../command/OpenSession.ts"
import type { Settings } from "../config/Settings.ts"
import type { Program } from "../Program.ts"
import type { Stage, Wish } from "./Stage.ts"

export interface Conversing {
  readonly program: Program
  readonly settings: Settings
  readonly stage: Stage
  readonly wishes: Queue.Queue<Wish>
  /** What was wished for while a turn ran, and waits until it is over. */
  readonly held: Array<Wish>
}

/** Which session is to be opened, and with which model. */
export interface Next {
  readonly which: OpenSession.Which
  readonly model: Models.Model
  /** What was said in it is not on the screen yet. */
  readonly isNew: boolean
}

/** The session that is open. */
export interface Open {
  readonly session: OpenSession.Remembering
  readonly model: Models.Model
}
