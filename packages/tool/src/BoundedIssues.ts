/**
 * Parsing that reports all issues of a value of ordinary size, and the first issue of a larger one: an issue costs
 * microseconds, so a list of a million wrong items would block the process for seconds.
 */
import * as Result from "effect/Result"
import type * as SchemaAST from "effect/SchemaAST"
import type * as SchemaIssue from "effect/SchemaIssue"

type Parse<A> = (value: unknown) => Result.Result<A, SchemaIssue.Issue>

/** A parser of `SchemaParser`, which takes its options with each value. */
type ParseWith<A> = (value: unknown, options: SchemaAST.ParseOptions) => Result.Result<A, SchemaIssue.Issue>

/** The maximum number of values in one whose issues are all reported. */
export const maxValues = 10_000

/** Binds a parser to what it does with keys that the schema does not declare. */
export const boundIssues = <A>(
  parse: ParseWith<A>,
  onExcessProperty: NonNullable<SchemaAST.ParseOptions["onExcessProperty"]>
): Parse<A> => {
  const first: SchemaAST.ParseOptions = { errors: "first", onExcessProperty }
  const all: SchemaAST.ParseOptions = { errors: "all", onExcessProperty }
  return (value) => {
    const parsed = parse(value, first)
    return Result.isSuccess(parsed) || isLarge(value) ? parsed : parse(value, all)
  }
}

/** True if the value has more than `maxValues` items and members, counted no further than that. */
const isLarge = (value: unknown): boolean => {
  const waiting: Array<unknown> = [value]
  let remaining = maxValues
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (next === null || typeof next !== "object" || ArrayBuffer.isView(next)) continue
    if (Array.isArray(next)) {
      remaining -= next.length
      if (remaining < 0) return true
      waiting.push(...(next as ReadonlyArray<unknown>))
      continue
    }
    if (next instanceof Map || next instanceof Set) remaining -= next.size
    for (const key in next) {
      if (--remaining < 0) return true
      waiting.push((next as Readonly<Record<string, unknown>>)[key])
    }
    if (remaining < 0) return true
  }
  return false
}
