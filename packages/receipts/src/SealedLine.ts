/**
 * Lines of JSON in a chain: each ends with the digest over the previous line and its own content, and is spelt
 * canonically. A changed, dropped, moved or repeated line is thus found by its number. Pure.
 */
import { Canonical } from "@bough/protocol"
import * as Result from "effect/Result"
import { type Fault, ofTexts, ofValues } from "./Mismatch.ts"

export interface Sealed {
  /** The line with its line feed. */
  readonly text: string
  readonly chain: string
}

/** `previous`: the chain of the line before; "" for the first. `content` has no member `chain`. */
export const seal = (previous: string, content: object): Sealed => {
  const chain = Canonical.chain(previous, Canonical.stringify(content))
  return { text: `${Canonical.stringify({ ...content, chain })}\n`, chain }
}

export interface OpenedLine {
  readonly content: Readonly<Record<string, unknown>>
  readonly chain: string
}

/** Bytes of one line, with its line feed. */
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
    ofValues("the chain of the lines so far", sealed.chain, found) ??
    (sealed.text === text ? null : ofTexts("the spelling of the line", sealed.text, text))
  return fault === null ? Result.succeed({ content, chain: found }) : Result.fail(fault)
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Null: it is not UTF-8. */
export const decodeText = (bytes: Uint8Array): string | null =>
  Result.getOrNull(Result.try(() => decoder.decode(bytes)))

/** Null: the value is not an object, or is nested too deep to be written. */
const parse = (text: string): Readonly<Record<string, unknown>> | null =>
  Result.getOrNull(
    Result.try((): Readonly<Record<string, unknown>> | null => {
      const value: unknown = JSON.parse(text)
      if (value === null || typeof value !== "object" || Array.isArray(value)) return null
      Canonical.stringify(value)
      return { ...value }
    })
  )
