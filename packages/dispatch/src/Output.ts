/** From what the handler returned to the outcome: encoded through its schema, redacted, bounded. */
import { type Artifact, type Entry, ToolError } from "@bough/protocol"
import type { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Bound from "./Bound.ts"
import type { Caller } from "./Caller.ts"
import * as Compiled from "./Compiled.ts"
import * as Issues from "./internal/Issues.ts"
import type { Ledger, NotRecorded } from "./Ledger.ts"
import type { Redaction } from "./Redaction.ts"
import { bug } from "./ToolCode.ts"

/** An outcome and what its receipt says of it. */
export interface Concluded {
  readonly outcome: Entry.Outcome
  readonly outputDigest: string | null
  readonly artifacts: ReadonlyArray<Artifact.Artifact>
}

export const failed = (error: ToolError.ToolError): Concluded => ({
  outcome: { _tag: "Failed", error: ToolError.toData(error), schema: null },
  outputDigest: null,
  artifacts: []
})

/** A result that does not fit its schema is the tool's bug; what it did in the world is kept. */
export const succeeded = (
  tool: Tool.Any,
  result: Tool.ToolResult<unknown>,
  { redaction }: Caller
): Effect.Effect<Concluded, NotRecorded, Ledger> => {
  const artifacts = redactArtifacts(result.artifacts ?? [], redaction)
  const text = encode(tool, result.output)
  if (Result.isFailure(text)) return Effect.succeed({ ...failed(text.failure), artifacts })
  return Effect.map(Bound.bound(redaction.redact(text.success)), ({ output, outputBlob, outputDigest }) => ({
    outcome: {
      _tag: "Succeeded",
      output,
      outputBlob,
      media: result.media ?? [],
      display: Bound.shorten(redaction.redact(result.display)),
      ...(result.details === undefined ? {} : { details: Bound.shorten(redaction.redact(result.details)) }),
      ...(result.found === undefined ? {} : { found: result.found.map(redaction.redact) })
    },
    outputDigest,
    artifacts
  }))
}

const encode = (tool: Tool.Any, output: unknown): Result.Result<string, ToolError.ExecutionError> => {
  const encoded = Compiled.of(tool).encodeOutput(output)
  return Result.isSuccess(encoded)
    ? Result.succeed(JSON.stringify(encoded.success) ?? "null")
    : Result.fail(
        bug(tool.name, `its output does not fit its schema: ${Issues.summary(Issues.flatten(encoded.failure))}`)
      )
}

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
