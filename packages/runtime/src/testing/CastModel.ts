/**
 * One model for a whole tree of sessions: each session plays its own script, chosen by its task. Sessions may call in
 * any order; each script fails the test in the same cases as a `ScriptedModel`.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Model from "../ports/Model.ts"
import type { Reply } from "./Reply.ts"
import * as ScriptedModel from "./ScriptedModel.ts"

/**
 * Scripts by the first line of a user message; of the messages of a prompt that match a key, the newest determines the
 * script.
 */
export type ScriptsByRole = Readonly<Record<string, ReadonlyArray<ScriptedModel.Step | Reply>>>

/** Returns the model, and a check that every script was played to its end. */
export const make = Effect.fnUntraced(function* (
  cast: ScriptsByRole,
  options: ScriptedModel.ScriptedModelOptions = {}
): Effect.fn.Return<{
  readonly model: Model.Model["Service"]
  readonly scripts: ReadonlyMap<string, ScriptedModel.ModelWithScript["script"]>
  readonly assertDone: Effect.Effect<void, Model.ModelError>
}> {
  const parts = new Map<string, ScriptedModel.ModelWithScript>()
  for (const [role, steps] of Object.entries(cast)) parts.set(role, yield* ScriptedModel.make(steps, options))
  const roleOf = ({ messages }: Model.Prompt) =>
    messages
      .flatMap((message) => (message._tag === "User" && parts.has(firstLine(message)) ? [firstLine(message)] : []))
      .at(-1)
  return {
    model: {
      name: options.name ?? "cast/model",
      contextTokens: options.contextTokens ?? null,
      priced: options.priced ?? false,
      stream: (prompt) => {
        const role = roleOf(prompt)
        const part = role === undefined ? undefined : parts.get(role)
        return part === undefined
          ? Stream.die(new Error("no user message of this prompt begins with a line that names a script"))
          : part.model.stream(prompt)
      }
    },
    scripts: new Map([...parts].map(([role, { script }]) => [role, script])),
    assertDone: Effect.forEach([...parts.values()], ({ script }) => script.assertDone, { discard: true })
  }
})

const firstLine = ({ text }: { readonly text: string }): string => text.split("\n", 1)[0]
