/** Compares a call's receipt with the entries before it: arguments, output, intents and authority. Pure. */
import { Canonical, type Entry, Receipt, Tier } from "@bough/protocol"
import type { CallRecord } from "./CallRecord.ts"
import { type Fault, compareValues } from "./Mismatch.ts"

/**
 * Returns the first contradiction to the record; null: there is none. A copied call is only checked against its own
 * digests, because its history is in another session.
 */
export const check = (call: CallRecord): Fault | null => {
  const { receipt } = call
  if (receipt === null) return null
  const owner = receipt.sessionPath.at(-1) ?? call.sessionId
  return (
    compareValues("the call of the receipt", call.toolCallId, receipt.toolCallId) ??
    compareValues("the tool of the receipt", call.tool, receipt.tool) ??
    compareValues("the key of the call", Receipt.callKeyOf(owner, receipt.toolCallId), receipt.callKey) ??
    checkArguments(receipt) ??
    checkOutput(call, receipt) ??
    (call.copied ? null : (checkPlace(call, receipt) ?? checkIntents(call, receipt) ?? checkApproval(call, receipt)))
  )
}

const checkArguments = (receipt: Receipt.Receipt): Fault | null =>
  receipt.arguments === undefined
    ? null
    : compareValues("the digest of the arguments", Canonical.digest(receipt.arguments), receipt.argumentsDigest)

const checkOutput = ({ outcome }: CallRecord, { outputDigest, textDigest }: Receipt.Receipt): Fault | null => {
  const [found, foundText] = [outputDigest ?? none, textDigest ?? none]
  const [output, text] = outcome._tag === "Succeeded" ? digestsOf(outcome) : [none, none]
  return (
    compareValues("the digest of the output", output, found) ?? compareValues("the digest of the text", text, foundText)
  )
}

const none = "none"

const digestsOf = ({
  output,
  outputBlob,
  text,
  textBlob
}: Entry.SuccessOutcome): readonly [output: string, text: string] => [
  outputBlob ?? Canonical.digest(output),
  textBlob ?? (text === undefined ? none : Canonical.digest(text))
]

const checkPlace = ({ sessionPath }: CallRecord, receipt: Receipt.Receipt): Fault | null =>
  compareValues("the session path of the receipt", sessionPath.join(" "), receipt.sessionPath.join(" "))

const checkIntents = ({ started }: CallRecord, receipt: Receipt.Receipt): Fault | null => {
  for (const intent of started) {
    const fault =
      compareValues("the tool that was started", intent.tool, receipt.tool) ??
      compareValues("the version that was started", intent.version, receipt.version) ??
      compareValues("the digest of the arguments", intent.argumentsDigest, receipt.argumentsDigest)
    if (fault !== null) return fault
  }
  const last = started.at(-1)
  return last === undefined ? null : compareValues("the number of attempts", last.attempt, receipt.attempt)
}

const checkApproval = ({ asked, started }: CallRecord, receipt: Receipt.Receipt): Fault | null => {
  const { authority } = receipt
  if (authority._tag !== "User") return null
  const approval = asked.find(({ request }) => request.approvalId === authority.approvalId)
  const decision = approval?.decided ?? null
  if (approval === undefined || decision === null) {
    return { what: "the approval", expected: authority.approvalId, found: "none" }
  }
  const { request } = approval
  return (
    compareValues("the decision", "Approved", decision.decision._tag) ??
    compareValues("who approved", decision.principal, authority.principal) ??
    compareValues("the tool that was approved", request.tool, receipt.tool) ??
    compareValues("the version that was approved", request.version, receipt.version) ??
    compareValues("the arguments that were approved", request.argumentsDigest, receipt.argumentsDigest) ??
    (Tier.exceeds(receipt.tier, request.tier)
      ? { what: "the tier that was approved", expected: request.tier, found: receipt.tier }
      : null) ??
    compareValues(
      "the intents that consumed the approval",
      1,
      started.filter(({ approvalId }) => approvalId === authority.approvalId).length
    )
  )
}
