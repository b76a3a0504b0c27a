/**
 * The ends of an approval request that no call has used: a decision, its deadline, and the causes below. Nothing else
 * ends a request: after the end of a run, of a turn or of a process, a failed provider, or a limit of steps, money or
 * time, the request stays pending and the next process continues with it. adr/0040-ends-of-approval-requests.md.
 */

/** A cause from the table below; no other text closes a request. */
export interface Cause {
  readonly name: Name
  readonly reason: string
}

/**
 * The effect on a decision that was stored before the cause. `kept`: the decision counts, and the call continues with
 * its session. `overruled`: the call can never run, and the record gives the reason. `askedAnew`: the facts differ from
 * the approved ones, so the same call is requested again under a new id.
 */
export type Precedence = "kept" | "overruled" | "askedAnew"

const table = {
  /** Ctrl-C by the attached user. */
  interrupted: { reason: "interrupted by the person who was asked", decision: "kept" },
  /** A user cancelled the session. */
  cancelled: { reason: "its session was cancelled", decision: "overruled" },
  /**
   * The session has ended: it returned its result, failed, exceeded its own time limit, or its parent ended.
   */
  sessionEnded: { reason: "its session has ended", decision: "overruled" },
  /** A user made the call by hand and no longer waits for its result. */
  callerLeft: { reason: "its caller has ended", decision: "overruled" },
  /** Policy or the tool ended the call before the decision. */
  callEnded: { reason: "the call ended without it", decision: "overruled" },
  /** The call or the facts in its preview have changed since they were shown to the user. */
  changed: { reason: "the call that it was requested for has changed", decision: "askedAnew" }
} as const satisfies Readonly<Record<string, { readonly reason: string; readonly decision: Precedence }>>

export type Name = keyof typeof table

/** Every cause, for tests and documents. */
export const names = Object.keys(table) as ReadonlyArray<Name>

export const causeOf = (name: Name): Cause => ({ name, reason: table[name].reason })

/** The approved facts no longer hold; `fact` names the changed fact. */
export const factChanged = (fact: string): Cause => ({ name: "changed", reason: fact })

export const precedenceOf = ({ name }: Cause): Precedence => table[name].decision
