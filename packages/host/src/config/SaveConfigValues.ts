/** Saves values that the user chose in a conversation to the user's configuration; comments and other keys stay. */
import * as Effect from "effect/Effect"
import type { HostContext } from "../HostContext.ts"
import { failed, type HostFailure } from "../HostFailure.ts"
import * as ConfigTarget from "./ConfigTarget.ts"
import * as JsoncEdit from "./JsoncEdit.ts"

export interface ConfigValue {
  readonly path: ReadonlyArray<string>
  readonly value: string
}

/** Writes the values; returns the name of the file. */
export const saveValues = Effect.fnUntraced(function* (
  host: HostContext,
  chosen: ReadonlyArray<ConfigValue>
): Effect.fn.Return<string, HostFailure> {
  const target = yield* ConfigTarget.find(host, null, false)
  const text = yield* Effect.try({
    try: () => chosen.reduce((text, { path, value }) => JsoncEdit.put(text, path, value), target.text ?? ""),
    catch: (cause) => failed(`cannot change ${target.name}`, `${host.name} config edit`, cause)
  })
  yield* ConfigTarget.save(host, target, text)
  return target.name
})

/** Removes a value; false: it is not set in the file. */
export const removeValue = Effect.fnUntraced(function* (
  host: HostContext,
  path: ReadonlyArray<string>
): Effect.fn.Return<boolean, HostFailure> {
  const target = yield* ConfigTarget.find(host, null, false)
  const text = target.text ?? ""
  const changed = yield* Effect.try({
    try: () => (text === "" ? text : JsoncEdit.put(text, path, undefined)),
    catch: (cause) => failed(`cannot change ${target.name}`, `${host.name} config edit`, cause)
  })
  if (changed === text) return false
  yield* ConfigTarget.save(host, target, changed)
  return true
})

/** Makes the values for a model, with the address of `openai-compatible` if it is not configured yet. */
export const modelValues = (name: string, baseUrl: string | null): ReadonlyArray<ConfigValue> => [
  { path: ["model"], value: name },
  ...(baseUrl === null ? [] : [{ path: ["providers", "openai-compatible", "baseUrl"], value: baseUrl }])
]
