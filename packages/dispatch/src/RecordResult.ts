/** Ends a call: its outcome is redacted and bounded, then recorded in the ledger. */
import type { Entry, Receipt, Session, ToolError } from "@bough/protocol"
import type { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { RequestedCall, CallDenial, CallEnd, PreparedCall } from "./Call.ts"
import type { CallConclusion } from "./CallConclusion.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import { type EndedCall, Ledger, type NotRecorded } from "./Ledger.ts"
import type { Redaction } from "./Redaction.ts"
import * as ToolCodecs from "./ToolCodecs.ts"
import * as TruncateOutput from "./TruncateOutput.ts"

/** `startedAtMillis` is epoch time. */
export interface Timing {
  readonly startedAtMillis: number
  readonly elapsedMillis: number
}

/** Publishes that the handler is about to run. */
export const announce = (
  { tier, tool: { name: tool }, toolCallId }: PreparedCall,
  { invocation: { sessionId, step, turn }, observe }: DispatchContext
): Effect.Effect<void> => observe({ _tag: "ToolStarted", sessionId, turn, step, toolCallId, tool, tier })

/** Records the end of a call whose handler was started. */
export const recordRun = (
  call: PreparedCall,
  context: DispatchContext,
  { concluded, timing }: { readonly concluded: CallConclusion; readonly timing: Timing }
): Effect.Effect<CallEnd, NotRecorded, Ledger> =>
  record(call, {
    ended: {
      _tag: "Ended",
      outcome: clean(concluded.outcome, context.redaction),
      receipt: receiptOf(call, context, { concluded, timing }),
      elapsedMillis: timing.elapsedMillis
    },
    canonicalArguments: call.canonicalArguments,
    safe: call.tool.replay === "Safe",
    labels: labelsOfRun(call),
    denied: null
  })

interface StoppedCall {
  readonly outcome: Entry.Outcome
  readonly denied: CallDenial | null
  /** The labels of what `classify`, `preview` or an earlier attempt read: the outcome may quote it. */
  readonly learnt: ReadonlySet<Session.Label>
}

/** Records the end of a call whose handler was not started. */
export const recordStop = (
  asked: RequestedCall,
  context: DispatchContext,
  { denied, learnt, outcome }: StoppedCall
): Effect.Effect<CallEnd, NotRecorded, Ledger> =>
  record(asked, {
    ended: { _tag: "Ended", outcome: clean(outcome, context.redaction), receipt: null, elapsedMillis: 0 },
    canonicalArguments: null,
    safe: (context.registry.get(asked.name)?.replay ?? "Safe") === "Safe",
    labels: withLearnt(labelsOf(context.registry.get(asked.name)), learnt),
    denied
  })

interface EndRecord extends Pick<EndedCall, "canonicalArguments" | "safe" | "labels"> {
  readonly ended: CallEnd
  readonly denied: CallDenial | null
}

const record = (
  { name, toolCallId }: { readonly toolCallId: Session.ToolCallId; readonly name: string },
  { canonicalArguments, denied, ended, labels, safe }: EndRecord
): Effect.Effect<CallEnd, NotRecorded, Ledger> =>
  Ledger.use((ledger) =>
    Effect.as(ledger.ended({ toolCallId, name, canonicalArguments, safe, labels }, ended, denied), ended)
  )

/**
 * Returns the labels of a run. An address that needs a grant is on this machine or a private network, so the result is
 * private.
 */
const labelsOfRun = ({ grants, learnt, tool }: PreparedCall): ReadonlyArray<Session.Label> => {
  const labels = withLearnt(labelsOf(tool), learnt)
  const isNear = grants.some(({ _tag }) => _tag === "Host") && !labels.includes("private")
  return isNear ? [...labels, "private"] : labels
}

const withLearnt = (
  always: ReadonlyArray<Session.Label>,
  learnt: ReadonlySet<Session.Label>
): ReadonlyArray<Session.Label> => (learnt.size === 0 ? always : [...learnt.union(new Set(always))])

/** Returns the labels of a tool's results; none for an unknown tool. */
const labelsOf = (tool: Tool.Any | undefined): ReadonlyArray<Session.Label> =>
  tool === undefined ? [] : ToolCodecs.codecsOf(tool).labels

const receiptOf = (
  call: PreparedCall,
  context: DispatchContext,
  { concluded, timing }: { readonly concluded: CallConclusion; readonly timing: Timing }
): Receipt.Receipt => ({
  sessionPath: context.invocation.sessionPath,
  toolCallId: call.toolCallId,
  callKey: call.callKey,
  tool: call.tool.name,
  version: call.tool.version,
  tier: call.tier,
  argumentsDigest: call.argumentsDigest,
  outputDigest: concluded.outputDigest,
  ...(concluded.textDigest === null ? {} : { textDigest: concluded.textDigest }),
  artifacts: concluded.artifacts,
  authority: call.authority,
  attempt: call.attempt,
  startedAtMillis: timing.startedAtMillis,
  elapsedMillis: timing.elapsedMillis,
  ...(call.cached === undefined ? {} : { cached: call.cached }),
  ...(call.stateBefore === null ? {} : { workspace: { before: call.stateBefore, after: call.stateAfter } })
})

const clean = (outcome: Entry.Outcome, redaction: Redaction): Entry.Outcome => {
  const tidy = (text: string): string => TruncateOutput.shorten(redaction.redact(text.toWellFormed()))
  switch (outcome._tag) {
    case "Failed":
    case "Rejected":
      return { ...outcome, error: cleanError(outcome.error, tidy) }
    case "Unknown":
      return { ...outcome, message: tidy(outcome.message) }
    default:
      return outcome
  }
}

/**
 * The maximum number of issues of an error: further ones are dropped rather than truncating the message, which matters
 * more.
 */
const maxIssues = 20

const cleanError = (error: ToolError.ToolErrorData, tidy: (text: string) => string): ToolError.ToolErrorData => {
  switch (error._tag) {
    case "ValidationError":
      return {
        ...error,
        message: tidy(error.message),
        ...(error.field === undefined ? {} : { field: tidy(error.field) }),
        issues: error.issues
          .slice(0, maxIssues)
          .map(({ message, path }) => ({ path: tidy(path), message: tidy(message) }))
      }
    case "ExecutionError":
      return { ...error, message: tidy(error.message), ...(error.hint === undefined ? {} : { hint: tidy(error.hint) }) }
    case "PermissionDenied":
      return {
        ...error,
        reason: tidy(error.reason),
        ...(error.userMessage === undefined ? {} : { userMessage: tidy(error.userMessage) })
      }
    case "Timeout":
      return error.hint === undefined ? error : { ...error, hint: tidy(error.hint) }
  }
}
