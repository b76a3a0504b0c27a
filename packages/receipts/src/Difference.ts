/** Describes the differences between two outputs briefly. Pure; the texts are untrusted. */
import * as Result from "effect/Result"
import * as Mismatch from "./Mismatch.ts"

/** One difference. `path` is dotted; "": the whole text. */
export interface Difference {
  readonly path: string
  readonly expected: string
  readonly found: string
}

const maxDifferences = 5

/** Returns the first differences of two texts, with their paths if both are JSON. */
export const differencesOf = (expected: string, found: string): ReadonlyArray<Difference> => {
  const [was, is] = [parse(expected), parse(found)]
  const differences =
    Result.isSuccess(was) && Result.isSuccess(is) ? [...between(was.success, is.success, "").take(maxDifferences)] : []
  return differences.length > 0 ? differences : [textsDiffer("", expected, found)]
}

const parse = (text: string): Result.Result<unknown, unknown> => Result.try(() => JSON.parse(text) as unknown)

function* between(was: unknown, is: unknown, path: string): Generator<Difference> {
  if (typeof was === "string" && typeof is === "string") {
    if (was !== is) yield textsDiffer(path, was, is)
  } else if (isBranch(was) && isBranch(is) && Array.isArray(was) === Array.isArray(is)) {
    for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
      yield* between(member(was, key), member(is, key), path === "" ? key : `${path}.${key}`)
    }
  } else if (was !== is) {
    yield textsDiffer(path, JSON.stringify(was) ?? "nothing", JSON.stringify(is) ?? "nothing")
  }
}

const isBranch = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const member = (value: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined

const textsDiffer = (path: string, was: string, is: string): Difference => {
  const { expected, found } = Mismatch.compareTexts(path, was, is)
  return { path, expected, found }
}
