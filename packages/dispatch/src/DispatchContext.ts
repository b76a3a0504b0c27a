/** What the dispatcher knows of the session that calls: its tools, what it may touch, its rules, its secrets. */
import type { Policy } from "@bough/policy"
import type { Event, Session, Tier } from "@bough/protocol"
import type { Invocation, Snapshots, Tool, ToolContext } from "@bough/tool"
import type * as Effect from "effect/Effect"
import type * as Semaphore from "effect/Semaphore"
import type { Redaction } from "./Redaction.ts"
import type { Provenance } from "./Provenance.ts"

/** Tools by name. */
export type Registry = ReadonlyMap<string, Tool.Any>

/** A tool that other kinds of session hold. No `kinds`: which ones is not known. */
export interface Elsewhere {
  readonly tier: Tier.Tier
  readonly kinds: ReadonlyArray<Session.Kind>
}

export interface DispatchContext {
  /** The tools that the session holds: it calls no others. */
  readonly registry: Registry
  /** Says of a tool that the session does not hold who does; null: nobody. Without it nobody is known to. */
  readonly elsewhere?: (name: string) => Elsewhere | null
  readonly context: ToolContext.ToolContext
  readonly policy: Policy.Policy
  /** Of the session's tree, by its stored name; null, and without it: there is none. */
  readonly channel?: string | null
  readonly redaction: Redaction
  readonly provenance: Provenance
  /**
   * Tells apart what the sessions of the tree have run that may write the workspace; left out: nobody counts. An approval of a
   * command outside any sandbox lapses when it changes.
   */
  readonly workspaceWrites?: () => string
  /** Records the workspace around calls that may write it; left out: nothing is recorded, and nothing can be undone. */
  readonly snapshots?: Snapshots.Snapshots
  /** Everything of an Invocation that is the same for all calls of a step. */
  readonly invocation: Omit<Invocation.Invocation["Service"], "toolCallId" | "callKey" | "grants" | "labels">
  /** Held while a handler runs, and only then. */
  readonly permits: Semaphore.Semaphore
  /** Why a call is interrupted now, for the record of its end; without it nothing is said but that it was. */
  readonly whyStopped?: () => string
  /** Whether a tracer is there: then a call is a span, and so is its handler. Left out: none is. */
  readonly isTraced?: boolean
  /** Told what passes by while a call runs; the session adds where it is. */
  readonly observe: (event: Event.Event) => Effect.Effect<void>
}
