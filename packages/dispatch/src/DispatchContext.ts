/** The calling session as the dispatcher sees it: its tools, its capabilities, its rules, its secrets. */
import type { Policy } from "@bough/policy"
import type { Event, Session, Tier } from "@bough/protocol"
import type { Invocation, Snapshots, Tool, ToolContext } from "@bough/tool"
import type * as Effect from "effect/Effect"
import type * as Semaphore from "effect/Semaphore"
import type { CallHooks } from "./CallHooks.ts"
import type { Provenance } from "./Provenance.ts"
import type { Redaction } from "./Redaction.ts"
import type { ResultCache } from "./ResultCache.ts"

/** Tools by name. */
export type Registry = ReadonlyMap<string, Tool.Any>

/** A tool that this kind of session lacks and other kinds have. Absent `kinds`: the kinds are unknown. */
export interface Elsewhere {
  readonly tier: Tier.Tier
  readonly kinds: ReadonlyArray<Session.Kind>
  /** The reason why no session has the tool, with the fix. */
  readonly why?: string
}

export interface DispatchContext {
  /** The tools that the session has; it can call no others. */
  readonly registry: Registry
  /** Returns the version of an experiment's tool with which a call was started; absent: there are no experiments. */
  readonly versionOf?: (name: string, version: number) => Tool.Any | null
  /** Returns the session kinds that have a tool which this session lacks; null: there are none. Absent: unknown. */
  readonly elsewhere?: (name: string) => Elsewhere | null
  readonly context: ToolContext.ToolContext
  readonly policy: Policy.Policy
  /** The stored name of the channel of the session's tree; null or absent: there is none. */
  readonly channel?: string | null
  readonly redaction: Redaction
  readonly provenance: Provenance
  /**
   * Identifies the calls of the tree so far that may write the workspace; absent: unknown. When it changes, the
   * approval of a command outside any sandbox lapses.
   */
  readonly workspaceWrites?: () => string
  /** Records the workspace around calls that may write it; absent: nothing is recorded, and nothing can be undone. */
  readonly snapshots?: Snapshots.Snapshots
  /** The operator's hook programs around calls; absent: there are none. */
  readonly hooks?: CallHooks
  /** Cached results for equal calls of the tree; absent: every call runs. */
  readonly results?: ResultCache
  /** The members of an Invocation that are the same for all calls of a step. */
  readonly invocation: Omit<Invocation.Invocation["Service"], "toolCallId" | "callKey" | "facts" | "grants" | "labels">
  /** The permits, which are held only while a handler runs. */
  readonly permits: Semaphore.Semaphore
  /**
   * Returns the reason why a call is interrupted now, for the record of its end; absent: the record gives no reason.
   */
  readonly whyStopped?: () => string
  /** True if a tracer is set: a call and its handler are then spans. Default: false. */
  readonly isTraced?: boolean
  /** Receives the events of a running call. */
  readonly observe: (event: Event.Event) => Effect.Effect<void>
}
