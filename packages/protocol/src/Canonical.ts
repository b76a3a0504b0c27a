/**
 * The canonical spelling of every JSON value, and digests over it: keys sorted by UTF-16 code unit, no white space,
 * scalars as JSON.stringify writes them (RFC 8785). Used for everything that is stored, compared or signed.
 */
import { hash } from "node:crypto"

/** Canonical JSON text. Members that are `undefined` are left out; throws on values that JSON cannot represent. */
export const stringify = (value: unknown): string => {
  if (value === null || typeof value !== "object") return scalar(value)
  let text = ""
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) text += i === 0 ? stringify(value[i]) : "," + stringify(value[i])
    return "[" + text + "]"
  }
  for (const key of sortKeys(Object.keys(value))) {
    const member = (value as Record<string, unknown>)[key]
    if (member === undefined) continue
    if (text !== "") text += ","
    // Most keys are cached and most members are scalars: both are read without a call of this function.
    text += (names.get(key) ?? encodeKey(key)) + (typeof member === "object" ? stringify(member) : scalar(member))
  }
  return "{" + text + "}"
}

const scalar = (value: unknown): string => {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`not JSON: ${value}`)
    return String(value) // The form that JSON.stringify writes.
  }
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`not JSON: ${typeof value}`)
  return text
}

/**
 * Sorts in place: objects of the journal are small, for which insertion sort takes less than half the time of a general
 * sort.
 */
const sortKeys = (keys: Array<string>): Array<string> => {
  if (keys.length > 20) return keys.toSorted()
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i]
    let at = i
    for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1]
    keys[at] = key
  }
  return keys
}

/**
 * Encoded keys with their colons. Keys of schemas recur and are cached; keys of data are not, since they could fill the
 * memory.
 */
const names = new Map<string, string>()

/** Encodes a key, and caches it if there is room. */
const encodeKey = (key: string): string => {
  const text = JSON.stringify(key) + ":"
  if (names.size < 512 && key.length <= 32) names.set(key, text)
  return text
}

/** Returns `sha256:<hex>` of text (as UTF-8) or bytes. */
export const digest = (data: string | Uint8Array): string => `sha256:${hash("sha256", data, "hex")}`

/** Returns the digest of a JSON value, the same for every spelling of it. */
export const digestOf = (value: unknown): string => digest(stringify(value))

/** Returns the next link of a chain: `H(previous ‖ canonical body)`. For the first link, `previous` is "". */
export const chain = (previous: string, canonicalBody: string): string => digest(previous + canonicalBody)
