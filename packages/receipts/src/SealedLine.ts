/**
 * Lines of JSON in a chain: each line is canonical JSON and ends with a digest of the previous line's digest and its
 * own content. Verification thus finds the number of a line that was changed, removed, moved or repeated. Pure.
 */
import { Canonical } from "@bough/protocol"
import * as Result from "effect/Result"
import { type Fault, compareTexts, compareValues } from "./Mismatch.ts"

export interface SealedLine {
  /** The line, including its line feed. */
  readonly text: string
  readonly chain: string
}

/**
 * Returns the line with its digest. `previous`: the digest of the line before, or "" for the first line. `content` must
 * not have a member `chain`.
 */
export const seal = (previous: string, content: object): SealedLine => {
  const chain = Canonical.chain(previous, Canonical.stringify(content))
  return { text: `${Canonical.stringify({ ...content, chain })}\n`, chain }
}

export interface OpenedLine {
  readonly content: Readonly<Record<string, unknown>>
  readonly chain: string
}

/** Verifies the bytes of one line, including its line feed. */
export const open = (previous: string, bytes: Uint8Array): Result.Result<OpenedLine, Fault> => {
  const text = decodeText(bytes)
  const parsed = text === null ? null : parse(text)
  if (text === null || parsed === null) {
    return Result.fail({ what: "the line", expected: "a JSON object in UTF-8", found: "something else" })
  }
  const { chain, ...content } = parsed
  const sealed = seal(previous, content)
  const found = typeof chain === "string" ? chain : "none"
  const fault =
    compareValues("the chain of the lines so far", sealed.chain, found) ??
    (sealed.text === text ? null : compareTexts("the spelling of the line", sealed.text, text))
  return fault === null ? Result.succeed({ content, chain: found }) : Result.fail(fault)
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Returns the text; null: the bytes are not UTF-8. */
export const decodeText = (bytes: Uint8Array): string | null =>
  Result.getOrNull(Result.try(() => decoder.decode(bytes)))

/** Parses a line; null: the value is not an object, or is nested too deeply. */
const parse = (text: string): Readonly<Record<string, unknown>> | null =>
  Result.getOrNull(
    Result.try((): Readonly<Record<string, unknown>> | null => {
      const value: unknown = JSON.parse(text)
      if (value === null || typeof value !== "object" || Array.isArray(value)) return null
      Canonical.stringify(value)
      return { ...value }
    })
  )
