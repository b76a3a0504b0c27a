/** The services of one session, each of which owns its state. Made once, by `makeSession`. */
import type { Provenance } from "@bough/dispatch"
import type { Session } from "@bough/protocol"
import type { Invocation, Spawn, ToolContext } from "@bough/tool"
import type { SessionBudget } from "../budget/SessionBudget.ts"
import type { SessionInbox } from "../journal/Inbox.ts"
import type { Journal } from "../journal/Journal.ts"
import type { Tree } from "../tree/Tree.ts"
import type { Agent } from "./Agent.ts"
import type { Turns } from "./Turn.ts"

/** Makes the session's Spawn capability for one call. */
export type MakeSpawn = (session: SessionServices, call: Invocation.Invocation["Service"]) => Spawn.Spawn["Service"]

export interface SessionServices {
  readonly agent: Agent
  readonly kind: Session.Kind
  /** The sessions from the Main down to this one. */
  readonly path: ReadonlyArray<Session.SessionId>
  /** The agent's capabilities, and those that the session provides itself. */
  readonly toolContext: ToolContext.ToolContext
  readonly provenance: Provenance.Provenance
  readonly spawning: MakeSpawn
  readonly tree: Tree
  readonly journal: Journal["Service"]
  readonly inbox: SessionInbox
  readonly budget: SessionBudget
  /** Its turns, with the model and the tools that they use. */
  readonly turns: Turns
}
