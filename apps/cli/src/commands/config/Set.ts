/** `config set`: sets one value; comments stay, and an invalid value is not saved. */
import * as ConfigTarget from "@bough/host/config/ConfigTarget"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { CommandFailure } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ConfigFlags from "../../command-line/flags/ConfigFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import * as ConfigValue from "../../io/ConfigValue.ts"
import * as ReadInput from "../../io/ReadInput.ts"
import type { Program } from "../../Program.ts"

const parameters = {
  key: ConfigFlags.key,
  value: Shapes.argument("VALUE", "Value, as text or as JSON where the key requires it; - reads it from stdin"),
  project: ConfigFlags.project
}

/** Reads the value as JSON if that is valid for the key, else as text. */
export const setValue = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { key, project, value }: CommandOptions<typeof parameters>
): Effect.fn.Return<void, CommandFailure> {
  const target = yield* ConfigTarget.find(program, common.cwd, project)
  const path = yield* ConfigValue.pathOf(key)
  const newText = value === "-" ? (yield* ReadInput.all(program.stdin(), "the value")).replace(/\r?\n$/u, "") : value
  const texts = yield* Effect.forEach(meanings(newText), (meaning) => ConfigValue.put(target, path, meaning))
  let chosen = texts[0]
  for (const text of texts.toReversed()) {
    if (Result.isSuccess(yield* Effect.result(ConfigTarget.validate(program, target, text)))) chosen = text
  }
  yield* ConfigTarget.save(program, target, chosen)
  program.output.note(`${key} is set in ${target.name}${ConfigValue.trustNote(target)}`)
})

/** Returns the values that the text may mean, the likeliest first. */
const meanings = (word: string): ReadonlyArray<unknown> => {
  try {
    return [JSON.parse(word), word]
  } catch {
    return [word]
  }
}

export const command = declare({ parameters, run: setValue })
