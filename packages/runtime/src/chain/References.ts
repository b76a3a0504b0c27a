/** References from a link's arguments to the outputs of other links: finds them, and replaces them by values. Pure. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"

/** `path` is the dotted path in the arguments, `at` a JSON pointer into the output of the link `from`. */
export interface Reference {
  readonly path: string
  readonly from: string
  readonly at: string
}

/** An object that looks like a reference and is malformed. */
export interface MalformedReference {
  readonly path: string
  readonly message: string
}

type Json = unknown

const mark = "$from"

/** Finds the references in the arguments, outermost first. */
export const find = (value: Json, path = ""): ReadonlyArray<Reference | MalformedReference> => {
  if (Array.isArray(value)) return value.flatMap((item, index) => find(item, join(path, String(index))))
  if (!Predicate.isReadonlyObject(value)) return []
  return Object.hasOwn(value, mark)
    ? [read(value, path)]
    : Object.entries(value).flatMap(([key, inner]) => find(inner, join(path, key)))
}

const join = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`)

const read = (value: Readonly<Record<string, Json>>, path: string): Reference | MalformedReference => {
  const { [mark]: from, at = "", ...others } = value
  if (typeof from !== "string" || typeof at !== "string" || Object.keys(others).length > 0) {
    return { path, message: `a reference is {"${mark}": "LINK", "at": "/pointer"}, with nothing else in it` }
  }
  return tokensOf(at) === null
    ? {
        path,
        message: `${JSON.stringify(at)} is not a JSON pointer: a pointer is empty or begins with "/", and writes ~ as ~0`
      }
    : { path, from, at }
}

/** The tokens of a JSON pointer (RFC 6901); null: the text is not a pointer. */
export const tokensOf = (pointer: string): ReadonlyArray<string> | null => {
  if (pointer === "") return []
  if (!pointer.startsWith("/") || /~(?![01])/u.test(pointer)) return null
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
}

/**
 * Returns the arguments with references replaced, or the reason why a reference has no value. `outputs` has the output
 * of each link by its name.
 */
export const resolve = (value: Json, outputs: ReadonlyMap<string, Json>): Result.Result<Json, string> =>
  Result.try({ try: () => fill(value, outputs), catch: (thrown) => (thrown as Error).message })

const fill = (value: Json, outputs: ReadonlyMap<string, Json>): Json => {
  if (Array.isArray(value)) return value.map((item) => fill(item, outputs))
  if (!Predicate.isReadonlyObject(value)) return value
  if (!Object.hasOwn(value, mark)) {
    // Defines the property instead of assigning it, because a key may be __proto__.
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, outputs)]))
  }
  const reference = read(value, "")
  if ("message" in reference) throw new Error(reference.message)
  return valueAt(outputs.get(reference.from), reference)
}

const valueAt = (output: Json, { at: pointer, from }: Reference): Json => {
  let found = output
  for (const token of tokensOf(pointer) ?? []) {
    const isThere = Array.isArray(found)
      ? /^(?:0|[1-9]\d*)$/u.test(token) && Number(token) < found.length
      : Predicate.isReadonlyObject(found) && Object.hasOwn(found, token)
    if (!isThere) throw new Error(`the output of ${from} has nothing at ${JSON.stringify(pointer)}`)
    found = (found as Readonly<Record<string, Json>>)[token]
  }
  return found
}
