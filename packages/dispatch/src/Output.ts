/** Makes the outcome of a call from its handler's result: encoded, redacted, bounded. */
import { type Artifact, ToolError } from "@bough/protocol"
import type { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { DecodedCall } from "./Call.ts"
import type { CallConclusion } from "./CallConclusion.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import * as HandlerResult from "./HandlerResult.ts"
import type { Ledger, NotRecorded } from "./Ledger.ts"
import type { Redaction } from "./Redaction.ts"
import { bug } from "./ToolCode.ts"
import * as TruncateOutput from "./TruncateOutput.ts"
import * as Withheld from "./Withheld.ts"

export const failed = (error: ToolError.ToolError): CallConclusion => ({
  outcome: { _tag: "Failed", error: ToolError.toData(error), schema: null },
  outputDigest: null,
  textDigest: null,
  artifacts: []
})

/** A result that does not fit its schema is the tool's bug; its valid artifacts are recorded. */
export const succeeded = (
  { remark: afterwards, tool, withheld }: Pick<DecodedCall, "tool" | "withheld"> & { readonly remark: string | null },
  returned: unknown,
  { redaction }: DispatchContext
): Effect.Effect<CallConclusion, NotRecorded, Ledger> => {
  const remarks = { withheld: Withheld.remarkOf({ withheld }), afterwards }
  const read = Result.flatMap(HandlerResult.read(tool, returned), (result) => redactResult(result, remarks, redaction))
  if (Result.isFailure(read)) {
    const artifacts = redactArtifacts(HandlerResult.artifactsOf(returned), redaction)
    return Effect.succeed({ ...failed(bug(tool.name, read.failure)), artifacts })
  }
  const { json, text } = read.success
  const limit = limitOf(tool)
  if (text === null)
    return Effect.mapEager(TruncateOutput.truncate(json, limit), (output) => conclude(read.success, output, null))
  // Both run concurrently, so that one transaction writes both blobs.
  return Effect.map(
    Effect.zip(TruncateOutput.boundUnread(json), TruncateOutput.truncate(text, limit), { concurrent: true }),
    ([output, shown]) => conclude(read.success, output, shown)
  )
}

const conclude = (
  result: RedactedResult,
  output: TruncateOutput.TruncatedOutput,
  shown: TruncateOutput.TruncatedOutput | null
): CallConclusion => {
  const { artifacts, details, display, discoveredUrls, media } = result
  return {
    outcome: {
      _tag: "Succeeded",
      output: output.text,
      outputBlob: output.blob,
      ...(shown === null ? {} : { text: shown.text }),
      ...(shown === null || shown.blob === null ? {} : { textBlob: shown.blob }),
      media,
      display,
      ...(details === null ? {} : { details }),
      ...(discoveredUrls === null ? {} : { found: discoveredUrls })
    },
    outputDigest: output.digest,
    textDigest: shown === null ? null : shown.digest,
    artifacts
  }
}

/** Returns the sentence for users in the value that a handler returned, redacted; fails if the result does not fit. */
export const displayOf = (
  tool: Tool.Any,
  returned: unknown,
  redaction: Redaction
): Result.Result<string, ToolError.ToolError> =>
  Result.mapError(
    Result.map(HandlerResult.read(tool, returned), ({ display }) =>
      TruncateOutput.shorten(redaction.redact(display.toWellFormed()))
    ),
    (fault) => bug(tool.name, fault)
  )

const modelBytesFloor = 1024
const modelBytesCap = 1024 * 1024

const limitOf = ({ maxModelBytes }: Tool.Any): number =>
  Number.isFinite(maxModelBytes)
    ? Math.min(Math.max(Math.floor(maxModelBytes), modelBytesFloor), modelBytesCap)
    : TruncateOutput.maxBytes

type RedactedResult = Omit<HandlerResult.HandlerResult, "surplus">

/** Lines added to the tool's own output; null: none. */
interface Remarks {
  readonly withheld: string | null
  /** The remarks of capabilities on the files that the call wrote. */
  readonly afterwards: string | null
}

/** Makes the outcome from redacted texts. Fails if they are longer than a string may be. */
const redactResult = (
  result: HandlerResult.HandlerResult,
  remarks: Remarks,
  redaction: Redaction
): Result.Result<RedactedResult, string> =>
  Result.try({
    try: () => redactedUnsafe(result, remarks, redaction),
    catch: () => "its result is longer than a text may be"
  })

const redactedUnsafe = (
  result: HandlerResult.HandlerResult,
  { afterwards, withheld }: Remarks,
  redaction: Redaction
): RedactedResult => {
  const { artifacts, details, display, discoveredUrls, json, media, surplus, text } = result
  const clean = (text: string) => redaction.redact(text.toWellFormed())
  const dropped = joinRemarks(
    surplus.length === 0 ? null : surplusText(surplus),
    withheld === null ? null : `[${withheld}]`,
    afterwards
  )
  const shown = withLine(text ?? (dropped === null ? null : json), dropped)
  const more = withLine(details, dropped)
  return {
    json: redaction.redact(json),
    text: shown === null ? null : clean(shown),
    media,
    display: TruncateOutput.shorten(clean(withheld === null ? display : `${display}; ${withheld}`)),
    details: more === null ? null : TruncateOutput.shorten(clean(more)),
    discoveredUrls: discoveredUrls === null ? null : discoveredUrls.map(clean),
    artifacts: redactArtifacts(artifacts, redaction)
  }
}

const maxSurplusLength = 500

const surplusText = (surplus: ReadonlyArray<string>): string => {
  const names = surplus.join(", ")
  const shown = names.length > maxSurplusLength ? `${names.slice(0, maxSurplusLength)}…` : names
  return `[dropped: the tool's schema does not declare ${shown}]`
}

const joinRemarks = (...remarks: ReadonlyArray<string | null>): string | null => {
  const lines = remarks.filter((remark) => remark !== null)
  return lines.length === 0 ? null : lines.join("\n")
}

const withLine = (text: string | null, line: string | null): string | null =>
  text === null || line === null ? text : `${text}\n${line}`

const redactArtifacts = (
  artifacts: ReadonlyArray<Artifact.Artifact>,
  redaction: Redaction
): ReadonlyArray<Artifact.Artifact> => {
  if (artifacts.length === 0) return artifacts
  const text = JSON.stringify(artifacts)
  return redaction.holdsSecret(text)
    ? (JSON.parse(redaction.redact(text)) as ReadonlyArray<Artifact.Artifact>)
    : artifacts
}
