/** The place of a session for the sandbox that is made ahead of its next command. */
import type * as Deferred from "effect/Deferred"
import type * as Scope from "effect/Scope"
import type { ChildProcess } from "./internal/ChildProcess.ts"
import type { Connections } from "./Proxy.ts"

export interface Standby {
  /** Everything that its command sees and is started with, except for the words. */
  readonly key: string
  readonly child: ChildProcess
  /** The connections of its command. */
  network: Connections | null
  state: "waiting" | "taken" | "ended"
}

/** One that is being made, or waits. */
export interface Made {
  readonly ready: Deferred.Deferred<Standby | null>
  /** It is taken, or of no use. */
  readonly over: Deferred.Deferred<void>
}

export interface StandbySlot {
  /** Ends the sandbox that waits. */
  readonly scope: Scope.Scope
  /** Null: none waits. */
  current: Made | null
}

export const make = (scope: Scope.Scope): StandbySlot => ({ scope, current: null })
