/**
 * The result of a handler, read once into plain data that the journal can store: every part is encoded through a
 * schema. Pure; never throws.
 */
import { Artifact, type Message } from "@bough/protocol"
import { HandlerOrigin, type Tool } from "@bough/tool"
import * as BoundedIssues from "@bough/tool/BoundedIssues"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import * as CallGate from "./CallGate.ts"
import { attempt } from "./internal/attempt.ts"
import { describeThrown } from "./internal/describeThrown.ts"
import { handleRejections } from "./internal/handleRejections.ts"
import { isHollow } from "./internal/isHollow.ts"
import * as Issues from "./internal/Issues.ts"
import * as ToolCodecs from "./ToolCodecs.ts"

/** `surplus`: keys that no schema declares, dotted; they are dropped. */
export interface HandlerResult {
  /** The encoded output as JSON text. */
  readonly json: string
  /** The text that the tool renders for the model; null: the model reads `json`. */
  readonly text: string | null
  readonly display: string
  readonly details: string | null
  readonly artifacts: ReadonlyArray<Artifact.Artifact>
  readonly media: ReadonlyArray<Message.Media>
  readonly discoveredUrls: ReadonlyArray<string> | null
  readonly surplus: ReadonlyArray<string>
}

/** The media types of images that models accept. */
const mediaTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const

/** The maximum number of base64 characters: 20 MiB of bytes. */
const maxMediaLength = Math.ceil((20 * 1024 * 1024) / 3) * 4
const maxMedia = 16
const maxDiscovered = 1000
const maxAddressLength = 8192

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

const isBase64 = Schema.makeFilter<string>((data) =>
  data.length > 0 && data.length % 4 === 0 && base64.test(data) ? undefined : "Expected base64"
)

const Media = Schema.Struct({
  mediaType: Schema.Literals(mediaTypes),
  data: Schema.String.check(Schema.isMaxLength(maxMediaLength), isBase64)
})

/**
 * The maximum length of the JSON text of all artifacts in UTF-16 units: they are part of the receipt, which is read
 * with every entry.
 */
const maxArtifactsLength = 4 * 1024 * 1024
/** The maximum depth of an artifact: the journal writes and reads values recursively. */
const maxArtifactDepth = 64

const isShallow = (value: unknown, remainingDepth = maxArtifactDepth): boolean =>
  value === null ||
  typeof value !== "object" ||
  (remainingDepth > 0 && Object.values(value).every((one) => isShallow(one, remainingDepth - 1)))

const Fitting = Artifact.Artifact.check(
  Schema.makeFilter((artifact) => isShallow(artifact) || `Expected at most ${maxArtifactDepth} levels of data`)
)

const areShort = Schema.makeFilter<ReadonlyArray<Artifact.Artifact>>(
  (artifacts) => lengthOf(artifacts) <= maxArtifactsLength || "Expected at most 4 MiB of artifacts"
)

const lengthOf = (value: unknown): number => JSON.stringify(value).length

/** All fields of a result except its output, which has its own schema. */
const Rest = Schema.Struct({
  output: Schema.Unknown,
  display: Schema.String,
  details: Schema.optional(Schema.String),
  artifacts: Schema.optional(Schema.Array(Fitting).check(areShort)),
  media: Schema.optional(Schema.Array(Media).check(Schema.isMaxLength(maxMedia))),
  discoveredUrls: Schema.optional(
    Schema.Array(Schema.String.check(Schema.isMaxLength(maxAddressLength))).check(Schema.isMaxLength(maxDiscovered))
  )
})

type Parse<A> = (value: unknown) => Result.Result<A, SchemaIssue.Issue>

const decodeRest = SchemaParser.decodeUnknownResult(Rest)
const restStrictly: Parse<typeof Rest.Type> = BoundedIssues.boundIssues(decodeRest, "error")
const restLeniently: Parse<typeof Rest.Type> = BoundedIssues.boundIssues(decodeRest, "ignore")
const artifactLeniently: Parse<Artifact.Artifact> = SchemaParser.decodeUnknownResult(Fitting)

/** Reads the value that a handler returned; fails with a sentence about a value that does not fit. */
export const read = (tool: Tool.Any, returned: unknown): Result.Result<HandlerResult, string> => {
  const result = attempt(
    () => HandlerOrigin.runInside(tool.name, () => CallGate.reading(returned, () => readUnsafe(tool, returned))),
    (thrown) => `its result cannot be read: ${describeThrown(thrown)}`
  )
  if (Result.isFailure(result) || result.success.surplus !== none) handleRejections(returned)
  return result
}

const readUnsafe = (tool: Tool.Any, returned: unknown): Result.Result<HandlerResult, string> => {
  if (returned === null || typeof returned !== "object" || !("output" in returned)) {
    return Result.fail(`it returned ${kindOf(returned)}: a result is an object with output and display`)
  }
  if (isHollow(returned)) return Result.fail("its result has a list that lacks most of its items")
  const simple = plain(returned)
  const rest = simple === null ? encode(returned, restStrictly, () => restLeniently) : Result.succeed(simple)
  if (Result.isFailure(rest)) return Result.fail(`its result does not fit: ${rest.failure}`)
  const { artifacts, details, display, discoveredUrls, media, output } = rest.success.value
  const compiled = ToolCodecs.codecsOf(tool)
  const encoded = encode(output, compiled.encodeOutput, () => compiled.encodeOutputLeniently)
  if (Result.isFailure(encoded)) return Result.fail(`its output does not fit its schema: ${encoded.failure}`)
  const text = tool.forModel === null ? null : forModel(tool.forModel, output)
  if (text !== null && typeof text !== "string") return Result.fail(text.wrong)
  return Result.succeed({
    json: JSON.stringify(encoded.success.value) ?? "null",
    text,
    display,
    details: details ?? null,
    artifacts: artifacts ?? [],
    media: media ?? [],
    discoveredUrls: discoveredUrls ?? null,
    surplus:
      rest.success.surplus === none && encoded.success.surplus === none
        ? none
        : [...rest.success.surplus, ...encoded.success.surplus.map((path) => `output.${path}`)]
  })
}

/** Reads a result of the usual form, an output and a sentence, without a schema; null: the result has more members. */
const plain = (returned: object): EncodedResult<typeof Rest.Type> | null => {
  for (const key in returned) if (key !== "output" && key !== "display") return null
  const { display, output } = returned as { readonly output?: unknown; readonly display?: unknown }
  return typeof display === "string" ? { value: { output, display }, surplus: none } : null
}

const none: ReadonlyArray<string> = []

const forModel = (render: (output: unknown) => unknown, output: unknown): string | { readonly wrong: string } => {
  const rendered = Result.try({ try: () => render(output), catch: describeThrown })
  if (Result.isFailure(rendered)) return { wrong: `forModel failed: ${rendered.failure}` }
  const text = rendered.success
  handleRejections(text)
  return typeof text === "string" ? text : { wrong: `forModel returned ${kindOf(text)}, not a string` }
}

interface EncodedResult<out A> {
  readonly value: A
  readonly surplus: ReadonlyArray<string>
}

/**
 * Encodes a value without the keys that the schema does not declare: the effect has happened, and the rest of the
 * result is valid.
 */
const encode = <A>(
  value: unknown,
  strictly: Parse<A>,
  leniently: () => Parse<A>
): Result.Result<EncodedResult<A>, string> => {
  const encodedResult = strictly(value)
  if (Result.isSuccess(encodedResult)) return Result.succeed({ value: encodedResult.success, surplus: none })
  const without = leniently()(value)
  return Result.isSuccess(without)
    ? Result.succeed({ value: without.success, surplus: Issues.flatten(encodedResult.failure).map(({ path }) => path) })
    : Result.fail(Issues.summary(Issues.flatten(without.failure)))
}

/** The maximum number of invalid artifacts that are passed over: each costs microseconds. */
const maxInvalidArtifacts = 1000

/** Returns the valid artifacts of an invalid result, because the effects of a call are recorded in any case. */
export const artifactsOf = (returned: unknown): ReadonlyArray<Artifact.Artifact> => {
  const fitting: Array<Artifact.Artifact> = []
  let remainingLength = maxArtifactsLength
  let invalid = 0
  // Checked one by one: if a hostile list throws midway, the items before it remain.
  const collect = (): void => {
    const { artifacts } = Object(returned) as { readonly artifacts?: unknown }
    if (!Array.isArray(artifacts) || isHollow(artifacts)) return
    for (const artifact of artifacts) {
      const read = attempt<Artifact.Artifact, unknown>(() => artifactLeniently(artifact), String)
      if (Result.isFailure(read)) {
        if (++invalid > maxInvalidArtifacts) return
        continue
      }
      remainingLength -= lengthOf(read.success)
      if (remainingLength < 0) return
      fitting.push(read.success)
    }
  }
  Result.try(() => CallGate.reading(returned, collect))
  return fitting
}

const kindOf = (value: unknown): string => {
  if (value === null || value === undefined) return String(value)
  return Array.isArray(value)
    ? "an array"
    : typeof value === "object"
      ? "an object without output"
      : `a ${typeof value}`
}
