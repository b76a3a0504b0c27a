/** Follows a JSON Pointer (RFC 6901) into a value. Pure. */
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"

const maxKeys = 10

/** Returns the value at the pointer, or the reason why there is none. */
export const follow = (root: Schema.Json, pointer: string): Result.Result<Schema.Json, string> => {
  if (pointer === "") return Result.succeed(root)
  if (!pointer.startsWith("/")) return Result.fail(`a pointer is empty or begins with "/": ${JSON.stringify(pointer)}`)
  const tokens = pointer.slice(1).split("/")
  let value = root
  for (const [depth, token] of tokens.entries()) {
    if (/~(?![01])/.test(token)) return Result.fail(`"~" is written ~0 and "/" ~1: ${JSON.stringify(token)}`)
    const found = member(value, token.replaceAll("~1", "/").replaceAll("~0", "~"))
    if (found === undefined) {
      const at = depth === 0 ? "the top" : `/${tokens.slice(0, depth).join("/")}`
      return Result.fail(`nothing at ${JSON.stringify(pointer)}: at ${at} is ${outline(value)}`)
    }
    value = found
  }
  return Result.succeed(value)
}

const isArray = (value: Schema.Json): value is Schema.JsonArray => Array.isArray(value)

const member = (value: Schema.Json, key: string): Schema.Json | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  if (isArray(value)) return /^(?:0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined
  return Object.hasOwn(value, key) ? value[key] : undefined
}

const outline = (value: Schema.Json): string => {
  if (value === null || typeof value !== "object") return value === null ? "null" : `a ${typeof value}`
  if (isArray(value)) return `an array of ${value.length}`
  const keys = Object.keys(value)
  const named = keys.slice(0, maxKeys).map((key) => JSON.stringify(key))
  const more = keys.length - named.length
  return keys.length === 0
    ? "an empty object"
    : `an object with ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}
