/** The slot of a session for the sandbox that is prepared for its next command. */
import type * as Deferred from "effect/Deferred"
import type * as Scope from "effect/Scope"
import type { ChildProcess } from "./internal/ChildProcess.ts"
import type { Connections } from "./Proxy.ts"
import type { Workshop } from "./Workshop.ts"

export interface Standby {
  /** Identifies the view and the start conditions of its command, apart from the command's words and the workshop. */
  readonly key: string
  readonly workshop: Workshop
  readonly child: ChildProcess
  /** The connections of its command. */
  network: Connections | null
  state: "waiting" | "taken" | "ended"
}

/** A sandbox that is being prepared, or is ready. */
export interface PreparedSandbox {
  readonly ready: Deferred.Deferred<Standby | null>
  /** Completed when the sandbox is taken or discarded. */
  readonly over: Deferred.Deferred<void>
}

export interface StandbySlot {
  /** Ends the unused sandbox. */
  readonly scope: Scope.Scope
  /** Null: no sandbox is prepared. */
  current: PreparedSandbox | null
}

export const make = (scope: Scope.Scope): StandbySlot => ({ scope, current: null })
