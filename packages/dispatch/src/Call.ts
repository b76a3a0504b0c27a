/** One call in its stages: requested, found, decoded, assessed, prepared. Pure data. */
import type { CallPaths, CommandPattern } from "@bough/policy"
import type { Approval, Entry, Receipt, Session, Tier } from "@bough/protocol"
import type { Grant, Tool, ToolContext } from "@bough/tool"
import type { ReadNotes } from "@bough/tool/ReadNotes"
import type { CallConclusion } from "./CallConclusion.ts"

/** The record of an earlier attempt of the same call in the journal, for a re-run after an interruption. */
export interface Prior {
  /** The number of attempts already started, at least 1. */
  readonly attempts: number
  /** The preconditions of the first attempt. */
  readonly preconditions: ReadonlyArray<Approval.Precondition>
  readonly version: number
  readonly tier: Tier.Tier
  readonly argumentsDigest: string
  /** The approval that the first attempt consumed; null: it needed none. */
  readonly authority: Receipt.Authority | null
}

/** The call as the model requested it; `arguments` is the text that the model wrote, unparsed. */
export interface RequestedCall {
  /** The labels of the session when the arguments were written; none if a user wrote them. */
  readonly labels: ReadonlyArray<Session.Label>
  readonly toolCallId: Session.ToolCallId
  readonly name: string
  readonly arguments: string
  /** True: a user wrote the arguments, outside of any turn. */
  readonly isByUser?: boolean
  /** True if the arguments contained a secret when the model wrote them. */
  readonly redacted?: boolean
  readonly prior: Prior | null
}

export interface FoundCall extends RequestedCall {
  readonly tool: Tool.Any
}

export interface DecodedCall extends FoundCall {
  /** The decoded arguments, as the handler takes them. */
  readonly parameters: unknown
  /** The arguments as canonical JSON with defaults filled in, which is shown, digested and executed. */
  readonly canonicalArguments: string
  readonly argumentsDigest: string
  /** The key of the call's effects: the same for every attempt, different for every call. */
  readonly callKey: string
  /** Labels that the call's capabilities add while it runs. */
  readonly learnt: Set<Session.Label>
  /** Paths that the call's file walks left out, each with the text of the rule that withholds it. */
  readonly withheld: Map<string, string>
  /** The real paths of its arguments when it was last judged. */
  readonly judged: ToolContext.JudgedPaths
  /** Set while a handler runs whose result may answer later equal calls. */
  readonly caching?: CallCache
}

/** Records what a call reads, and caches its result. */
export interface CallCache {
  readonly reads: ReadNotes
  readonly keep: (concluded: CallConclusion) => void
}

export interface AssessedCall extends DecodedCall {
  readonly tier: Tier.Tier
  /** The reason why the tier is above the tool's own, for the user; null: it is not above. */
  readonly raised: string | null
  /** Why a user has to approve this call: the model composed a text after it read private data, or `classify` requires it; null: neither. */
  readonly tainted: string | null
  /** The host that a user has to approve before the call contacts it, and why; null: none. */
  readonly newHost: { readonly host: string; readonly reason: string } | null
  /** True if no code of the tool has seen the call yet, because that code might have sent something. */
  readonly unseen: boolean
  readonly grants: ReadonlyArray<Grant.Grant>
  /** The tool's own facts that determine its tier. */
  readonly facts: ReadonlyArray<Tool.Fact>
  /** The targets of its paths; absent unless a rule names paths. */
  readonly places: CallPaths.Places
  /**
   * The recorded state of the workspace before the call; null: the call writes nothing there, or the state is not
   * recorded.
   */
  readonly stateBefore: string | null
  /** The commands that the call runs, if a rule or an approval refers to them; absent: not determined. */
  readonly commands?: CommandPattern.Commands
}

/** A call that is decided and ready to run. */
export interface PreparedCall extends AssessedCall {
  readonly attempt: number
  readonly authority: Receipt.Authority
  /** Set if starting this call consumes an approval. */
  readonly approval: CallApproval | null
  readonly preconditions: ReadonlyArray<Approval.Precondition>
  /** The recorded state of the workspace after the call; null: the call has not ended, or the state is not recorded. */
  readonly stateAfter: string | null
  /** The call whose recorded result is reused for this one. */
  readonly cached?: Exclude<Receipt.Receipt["cached"], undefined>
}

/** A user approved the call. */
export interface CallApproval {
  readonly _tag: "Approved"
  readonly request: Approval.Request
  readonly decision: Approval.Decision
  readonly principal: string
}

/** A user denied the call, or the request ended without an approval. */
export interface CallDenial {
  readonly _tag: "Denied"
  readonly request: Approval.Request
  readonly decision: Approval.Decision
  readonly principal: string
}

/** No approver is available now: the request stays pending. */
export interface PendingCall {
  readonly _tag: "Parked"
  readonly request: Approval.Request
}

/** The call can never be approved: nothing is recorded. */
export interface NoApprover {
  readonly _tag: "Unasked"
  readonly reason: string
}

export type Verdict = CallApproval | CallDenial | PendingCall | NoApprover

/** The end of a call. `receipt` is null if no code of the tool ran. */
export interface CallEnd {
  readonly _tag: "Ended"
  readonly outcome: Entry.Outcome
  readonly receipt: Receipt.Receipt | null
  readonly elapsedMillis: number
}

export type DispatchResult = CallEnd | PendingCall
