/** How a capability is provided: how the calls of a session get its service, and the facts on which that depends. */
import type { Approval, Session, ToolError } from "@bough/protocol"
import type * as Effect from "effect/Effect"
import type * as Capability from "./CapabilityClass.ts"
import type { Invocation } from "./Invocation.ts"
import type { ReadNotes } from "./ReadNotes.ts"

/** Adds a label to the result of the call, in addition to the labels of its capabilities. */
export type Mark = (label: Session.Label) => void

/**
 * Returns the reason why no request of this call may go to an address, as a sentence; null: it may. Adapters ask before
 * each request and each redirect, and before they resolve the host.
 */
export type Passage = (url: string, isRedirect: boolean) => string | null

/** A path of the workspace as a rule writes it, and the text of the rule. */
export interface WithheldPath {
  readonly path: string
  readonly rule: string
}

/** Paths that rules hide from this call. Adapters that walk a tree leave out everything below them. */
export interface WithheldLocations {
  readonly places: ReadonlyArray<WithheldPath>
  /** Reports that a walk reached the path, even if no entry below it would have matched. */
  readonly report: (place: WithheldPath) => void
}

/**
 * The location of a path when its call was judged: the path below a root, before and after a final link is followed.
 */
export interface JudgedPath {
  readonly entry: ReadonlyArray<string>
  readonly place: ReadonlyArray<string>
}

/**
 * The paths of one call as `inspect` first resolved them, by their text. Adapters refuse a path that leads to another
 * location at the time of the effect, because a link may be swapped after the decision.
 */
export type JudgedPaths = Map<string, JudgedPath>

/** A host that a running command tries to reach. */
export interface CommandHost {
  /** The host as the URL standard writes it, IPv6 without brackets. */
  readonly host: string
  readonly port: number
  readonly scheme: "http" | "https"
}

/**
 * Returns the reason why the command of this call may not reach a host, as a sentence; null: it may. If no rule covers
 * the host, the user is asked, and the effect waits. The adapter asks before it resolves the host.
 */
export type AdmitHost = (destination: CommandHost) => Effect.Effect<string | null>

/** The bounds that rules set on a running call. */
export interface Bounds {
  readonly passage?: Passage
  /** Absent: commands of this call reach no host. */
  readonly admitHost?: AdmitHost
  /** Absent: nothing is hidden. */
  readonly withheld?: WithheldLocations
  /** Absent: paths are resolved without a judgement. */
  readonly judged?: JudgedPaths
  /** Records what the call reads, for adapters with `notesReads`. Absent: its result is not reused. */
  readonly reads?: ReadNotes
}

export interface ProvidedService<Service> {
  readonly make: (invocation: Invocation["Service"], mark: Mark, bounds?: Bounds) => Service
  readonly reach: Capability.Reach
  /**
   * The facts that an approval of a call with this capability depends on, in addition to those of the tool's preview.
   */
  readonly preconditions: ReadonlyArray<Approval.Precondition>
  /** Facts that may change: read for the preview, and again before the call starts. */
  readonly readPreconditions?: Effect.Effect<ReadonlyArray<Approval.Precondition>, ToolError.ToolError>
  /** Returns the reason why a call may not run now, before its user is asked; null or absent: it may run. */
  readonly whyNotNow?: (invocation: Invocation["Service"]) => string | null
  /** The capability that it provides. Set by `provide`. */
  readonly capability?: Capability.Any
  /** True: everything that the service reads is noted in `Bounds.reads`, or declared as unnoted there. */
  readonly notesReads?: true
  /**
   * Features that this adapter cannot provide in its configuration, each with the reason and the fix. No session has a
   * tool that requires such a feature (`requires: ["NetworkRead.search"]`).
   */
  readonly lacks?: Readonly<Record<string, string>>
  /** True: only the session's own user receives data that is sent through it, so no data leaves. */
  readonly ownerOnly?: true
  /**
   * Does work for which the first call would otherwise wait, while the model still writes that call. The work is not
   * part of the call, which may never run. A call waits for the preparation, or starts it if it has not started.
   */
  readonly prepare?: Effect.Effect<void>
  /**
   * Describes the consequences of files that another call has just written, for the model to read with that call's
   * result; null: there are none. It must be fast.
   */
  readonly afterWrite?: (written: WrittenFiles) => Effect.Effect<string | null>
}

/** The files that a call wrote, moved or deleted, and the bounds of that call. */
export interface WrittenFiles {
  /** The paths as the call named them. */
  readonly paths: ReadonlyArray<string>
  readonly invocation: Invocation["Service"]
  readonly bounds: Bounds
  /** Adds labels to the remark, in addition to those of its capability. They have no effect without a remark. */
  readonly mark: Mark
}

/** A capability with its service. Made by `provide`, for `main`, `open` and `ToolContext.provideAll`. */
export interface Provision<out Key extends Capability.Any = Capability.Any> {
  readonly capability: Key
  readonly provided: ProvidedService<Key["Service"]>
}
