/** Writes the chosen model into the person's own configuration; comments and the rest of the file stay. */
import * as Effect from "effect/Effect"
import type { Program } from "../Program.ts"
import { failed, type Stop } from "../Stop.ts"
import * as ConfigTarget from "./ConfigTarget.ts"
import * as JsoncEdit from "./JsoncEdit.ts"

export interface Chosen {
  readonly model: string
  /** Of `openai-compatible`; null: it stays as it is. */
  readonly baseUrl: string | null
}

/** The name of the file that was written. */
export const remember = Effect.fnUntraced(function* (
  program: Program,
  { baseUrl, model }: Chosen
): Effect.fn.Return<string, Stop> {
  const target = yield* ConfigTarget.find(program, null, false)
  const text = yield* Effect.try({
    try: () => {
      const named = JsoncEdit.put(target.text ?? "", ["model"], model)
      return baseUrl === null ? named : JsoncEdit.put(named, ["providers", "openai-compatible", "baseUrl"], baseUrl)
    },
    catch: (cause) => failed(`cannot set the model in ${target.name}`, `${program.name} config edit`, cause)
  })
  yield* ConfigTarget.save(program, target, text)
  return target.name
})
