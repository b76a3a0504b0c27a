/** The calling session as the dispatcher sees it: its tools, its capabilities, its rules, its secrets. */
import type { Policy } from "@bough/policy"
import type { Event, Session, Tier } from "@bough/protocol"
import type { Invocation, Snapshots, Tool, ToolContext } from "@bough/tool"
import type * as Effect from "effect/Effect"
import type * as Semaphore from "effect/Semaphore"
import type { CallHooks } from "./CallHooks.ts"
import type { Redaction } from "./Redaction.ts"
import type { ResultCache } from "./ResultCache.ts"
import type { Provenance } from "./Provenance.ts"

/** Tools by name. */
export type Registry = ReadonlyMap<string, Tool.Any>

/** A tool that other kinds of session hold. No `kinds`: which ones is not known. */
export interface Elsewhere {
  readonly tier: Tier.Tier
  readonly kinds: ReadonlyArray<Session.Kind>
  /** Why no session has the tool, and what to do about it. */
  readonly why?: string
}

export interface DispatchContext {
  /** The tools that the session holds: it calls no others. */
  readonly registry: Registry
  /** Returns the version of an experiment's tool that a call was started with; left out: there are no experiments. */
  readonly versionOf?: (name: string, version: number) => Tool.Any | null
  /** Returns the session kinds that hold a tool which this session lacks; null: none. Left out: unknown. */
  readonly elsewhere?: (name: string) => Elsewhere | null
  readonly context: ToolContext.ToolContext
  readonly policy: Policy.Policy
  /** Stored name of the channel of the session's tree; null, and left out: there is none. */
  readonly channel?: string | null
  readonly redaction: Redaction
  readonly provenance: Provenance
  /**
   * Identifies the calls of the tree so far that may write the workspace; left out: unknown. An approval of a command
   * outside any sandbox lapses when it changes.
   */
  readonly workspaceWrites?: () => string
  /** Records the workspace around calls that may write it; left out: nothing is recorded, and nothing can be undone. */
  readonly snapshots?: Snapshots.Snapshots
  /** The operator's programs around calls; left out: there are none. */
  readonly hooks?: CallHooks
  /** Cached results for equal calls of the tree; left out: every call runs. */
  readonly results?: ResultCache
  /** Everything of an Invocation that is the same for all calls of a step. */
  readonly invocation: Omit<Invocation.Invocation["Service"], "toolCallId" | "callKey" | "grants" | "labels">
  /** Held while a handler runs, and only then. */
  readonly permits: Semaphore.Semaphore
  /** Why a call is interrupted now, for the record of its end; without it nothing is said but that it was. */
  readonly whyStopped?: () => string
  /** True if a tracer is set: then a call is a span, and so is its handler. Left out: false. */
  readonly isTraced?: boolean
  /** Told what passes by while a call runs; the session adds where it is. */
  readonly observe: (event: Event.Event) => Effect.Effect<void>
}
