/** Keeps what a person chose in a conversation in their own configuration; comments and the rest of the file stay. */
import * as Effect from "effect/Effect"
import type { HostContext } from "../HostContext.ts"
import { failed, type HostFailure } from "../HostFailure.ts"
import * as ConfigTarget from "./ConfigTarget.ts"
import * as JsoncEdit from "./JsoncEdit.ts"

export interface ConfigValue {
  readonly path: ReadonlyArray<string>
  readonly value: string
}

/** The name of the file that was written. */
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

/** A model, with the address of `openai-compatible` where that is not known yet. */
export const modelValues = (name: string, baseUrl: string | null): ReadonlyArray<ConfigValue> => [
  { path: ["model"], value: name },
  ...(baseUrl === null ? [] : [{ path: ["providers", "openai-compatible", "baseUrl"], value: baseUrl }])
]
