/** Reads a request of OpenAI's API with a schema; its error names the invalid parameter. */
import type { Media } from "@bough/protocol/Message"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as ImageInput from "../ImageInput.ts"
import * as OpenAiError from "./OpenAiError.ts"

export type ReadResult<A> = Result.Result<A, OpenAiError.OpenAiError>

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const pathOf = (path: ReadonlyArray<unknown>): string =>
  path
    .map((segment) => (typeof segment === "object" && segment !== null && "key" in segment ? segment.key : segment))
    .reduce<string>(
      (text, key) =>
        typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`,
      ""
    )

/** Decodes a value by the schema; the first fault is the error. */
export const decode = <A>(schema: Schema.Codec<A, unknown>, value: unknown): ReadResult<A> =>
  Result.mapError(Schema.decodeUnknownResult(schema)(value), ({ issue }) => {
    const [first] = formatIssues(issue).issues
    const path = pathOf(first?.path ?? [])
    const message = first?.message ?? "the request does not fit its schema"
    // Clients show the message alone.
    return path === "" ? OpenAiError.invalid(null, message) : OpenAiError.invalid(path, `${path}: ${message}`)
  })

/** Text and images of a message's content. */
export interface Content {
  readonly text: string
  readonly media: ReadonlyArray<Media>
}

export const image = (url: string, param: string): ReadResult<Media> => {
  const media = ImageInput.fromUrl(url)
  return media === null ? Result.fail(OpenAiError.invalid(param, ImageInput.refusal)) : Result.succeed(media)
}

export const all = <A>(reads: ReadonlyArray<ReadResult<A>>): ReadResult<ReadonlyArray<A>> => {
  const found: Array<A> = []
  for (const read of reads) {
    if (Result.isFailure(read)) return Result.fail(read.failure)
    found.push(read.success)
  }
  return Result.succeed(found)
}

export const fromResult = <A>(read: ReadResult<A>): Effect.Effect<A, OpenAiError.OpenAiError> => Effect.fromResult(read)

/** Joins several parts to one content. */
export const join = (parts: ReadonlyArray<Content>): Content => ({
  text: parts.flatMap(({ text }) => (text === "" ? [] : [text])).join("\n"),
  media: parts.flatMap(({ media }) => media)
})

/** True if a message has neither an image nor any letter, so that it asks for nothing. */
export const isBlank = ({ media, text }: Content): boolean => media.length === 0 && !/\S/u.test(text)
