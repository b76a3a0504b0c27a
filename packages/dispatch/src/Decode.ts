/**
 * Decodes the model's text into the handler's parameters. Reports malformed, duplicate and unknown fields separately; from
 * here on the canonical form is shown, digested and executed.
 */
import { Canonical, Receipt, type Session, ToolError } from "@bough/protocol"
import * as StrictJson from "@bough/protocol/StrictJson"
import { HandlerOrigin, type Tool } from "@bough/tool"
import * as Result from "effect/Result"
import type { DecodedCall, FoundCall } from "./Call.ts"
import { failed, type CallAborted } from "./CallAborted.ts"
import { attempt } from "./internal/attempt.ts"
import { describeThrown } from "./internal/describeThrown.ts"
import * as Issues from "./internal/Issues.ts"
import type { Redaction } from "./Redaction.ts"
import { bug } from "./ToolCode.ts"
import * as ToolCodecs from "./ToolCodecs.ts"

/** The parts of the calling session that decoding needs. */
export interface Reader {
  readonly sessionId: Session.SessionId
  readonly redaction: Redaction
}

/** `learnt` receives the labels that the call's capabilities add. */
export const decode = (
  found: FoundCall,
  reader: Reader,
  learnt = new Set<Session.Label>()
): Result.Result<DecodedCall, CallAborted> => {
  const { tool } = found
  // Some providers send no text for a tool without arguments.
  const text = found.arguments.trim() === "" ? "{}" : found.arguments
  if (found.redacted === true || reader.redaction.holdsSecret(text)) return Result.fail(holdsSecret(tool))
  const json = StrictJson.parse(text)
  if (Result.isFailure(json)) {
    const places = StrictJson.locate(text, json.failure)
    const issues = json.failure.map(({ message, path }, index) => ({
      path,
      message: `malformed JSON at ${places[index]}: ${message}`
    }))
    return invalid(tool, issues)
  }
  const value = json.success
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    return invalid(tool, [{ path: "", message: "the arguments must be a JSON object" }])
  }
  const compiled = ToolCodecs.codecsOf(tool)
  // A schema without fields accepts every value.
  const surplus = compiled.takesNothing ? Object.keys(value) : []
  if (surplus.length > 0)
    return invalid(
      tool,
      surplus.map((key) => ({ path: key, message: Issues.unknownKey(key, []) }))
    )
  // A check or transformation that the tool defines may throw.
  return attempt(
    () =>
      HandlerOrigin.runInside(tool.name, () => {
        const decoded = compiled.decodeParameters(value)
        return Result.isFailure(decoded)
          ? invalid(tool, Issues.flatten(decoded.failure))
          : canonical(found, decoded.success, { ...reader, learnt })
      }),
    (thrown) => failed(bug(tool.name, `its parameters cannot be decoded: ${describeThrown(thrown)}`))
  )
}

const canonical = (
  found: FoundCall,
  parameters: unknown,
  reader: Reader & Pick<DecodedCall, "learnt">
): Result.Result<DecodedCall, CallAborted> => {
  const encoded = ToolCodecs.codecsOf(found.tool).encodeParameters(parameters)
  if (Result.isFailure(encoded)) return invalid(found.tool, Issues.flatten(encoded.failure))
  const canonicalArguments = Canonical.stringify(encoded.success)
  // Redacts again: an escape in the text may have hidden a secret.
  if (reader.redaction.holdsSecret(canonicalArguments)) return Result.fail(holdsSecret(found.tool))
  return Result.succeed({
    ...found,
    parameters,
    canonicalArguments,
    argumentsDigest: Canonical.digest(canonicalArguments),
    callKey: Receipt.callKeyOf(reader.sessionId, found.toolCallId),
    learnt: reader.learnt,
    withheld: new Map(),
    judged: new Map()
  })
}

const invalid = (tool: Tool.Any, all: ReadonlyArray<ToolError.Issue>): Result.Result<never, CallAborted> => {
  const issues = Issues.limitIssues(all)
  const omittedCount = all.length - issues.length
  const more =
    omittedCount === 0 ? "" : all.length < Issues.maxFlattened ? `; and ${omittedCount} more` : "; and many more"
  const field = issues.find(({ path }) => path !== "")?.path
  const error = new ToolError.ValidationError({
    message: `${tool.name}: ${Issues.summary(issues)}${more}`,
    issues,
    ...(field === undefined ? {} : { field })
  })
  return Result.fail(failed(error, ToolCodecs.codecsOf(tool).schemaText()))
}

const holdsSecret = (tool: Tool.Any): CallAborted =>
  failed(
    new ToolError.PermissionDenied({
      tier: tool.tier,
      reason: "the arguments hold a secret that must not be written down; do without its value"
    })
  )
