/** One call, as it becomes known stage by stage: asked, found, decoded, weighed, prepared. Data only. */
import type { Approval, Entry, Receipt, Session, Tier } from "@bough/protocol"
import type { CallPaths, CommandPattern } from "@bough/policy"
import type { Grant, Tool } from "@bough/tool"

/** The record of an earlier attempt of the same call in the journal, for a re-run after an interruption. */
export interface Prior {
  /** Attempts already started, at least 1. */
  readonly attempts: number
  /** The preconditions of the first attempt. */
  readonly preconditions: ReadonlyArray<Approval.Precondition>
  readonly version: number
  readonly tier: Tier.Tier
  readonly argumentsDigest: string
  /** The approval that the first attempt consumed; null: it needed none. */
  readonly authority: Receipt.Authority | null
}

/** As the model asked; `arguments` is the text that it wrote. */
export interface RequestedCall {
  /** The labels of the session when the arguments were written; none if a person wrote them. */
  readonly labels: ReadonlyArray<Session.Label>
  readonly toolCallId: Session.ToolCallId
  readonly name: string
  readonly arguments: string
  /** The arguments held a secret when the model wrote them. */
  readonly redacted?: boolean
  readonly prior: Prior | null
}

export interface FoundCall extends RequestedCall {
  readonly tool: Tool.Any
}

export interface DecodedCall extends FoundCall {
  /** The decoded arguments, as the handler takes them. */
  readonly parameters: unknown
  /** The arguments as canonical JSON, defaults filled in: what is shown, digested and executed. */
  readonly canonicalArguments: string
  readonly argumentsDigest: string
  /** The key of the call's effects: the same for every attempt, different for every call. */
  readonly callKey: string
  /** Labels that its capabilities add while it runs. */
  readonly learnt: Set<Session.Label>
  /** Places that its walks left out, each with the text of the rule that keeps them from it. */
  readonly withheld: Map<string, string>
}

export interface AssessedCall extends DecodedCall {
  readonly tier: Tier.Tier
  /** Why the tier is above the tool's own, for the human; null: it is not. */
  readonly raised: string | null
  /** Why a person has to decide on this very call: the model made a text after it was told private things, or `classify` says so; null: nothing of it. */
  readonly tainted: string | null
  /** The host that a person has to agree to before the call goes there, and why; null: none. */
  readonly newHost: { readonly host: string; readonly reason: string } | null
  /** Nothing of the tool's own code has looked at it: that might have sent something. */
  readonly unseen: boolean
  readonly grants: ReadonlyArray<Grant.Grant>
  /** The targets of its paths, if a rule is about paths. */
  readonly places: CallPaths.Places
  /** The recorded state of the workspace before it; null: it writes nothing there, or the state is not recorded. */
  readonly stateBefore: string | null
  /** The commands that it runs, if a rule or an approval is about them; absent: not determined. */
  readonly commands?: CommandPattern.Commands
}

/** Decided and ready to run. */
export interface PreparedCall extends AssessedCall {
  readonly attempt: number
  readonly authority: Receipt.Authority
  /** Set when an approval is consumed by starting this call. */
  readonly approval: Approved | null
  readonly preconditions: ReadonlyArray<Approval.Precondition>
  /** The recorded state of the workspace after it; null: it has not ended, or the state is not recorded. */
  readonly stateAfter: string | null
}

/** A human said yes. */
export interface Approved {
  readonly _tag: "Approved"
  readonly request: Approval.Request
  readonly decision: Approval.Decision
  readonly principal: string
}

/** A human said no, or the request ended without a yes. */
export interface Denied {
  readonly _tag: "Denied"
  readonly request: Approval.Request
  readonly decision: Approval.Decision
  readonly principal: string
}

/** No approver is available now: the request stays pending. */
export interface Parked {
  readonly _tag: "Parked"
  readonly request: Approval.Request
}

/** The call can never be approved: nothing is recorded. */
export interface NoApprover {
  readonly _tag: "Unasked"
  readonly reason: string
}

export type Verdict = Approved | Denied | Parked | NoApprover

/** How a call ended. `receipt` is null when nothing of the tool ran. */
export interface Ended {
  readonly _tag: "Ended"
  readonly outcome: Entry.Outcome
  readonly receipt: Receipt.Receipt | null
  readonly elapsedMillis: number
}

export type Dispatched = Ended | Parked
