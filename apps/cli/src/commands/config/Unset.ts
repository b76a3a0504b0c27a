/** `config unset`: removes one value. */
import * as ConfigTarget from "@bough/host/config/ConfigTarget"
import * as Effect from "effect/Effect"
import type { CommandFailure } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ConfigFlags from "../../command-line/flags/ConfigFlags.ts"
import * as ConfigValue from "../../io/ConfigValue.ts"
import type { Program } from "../../Program.ts"

const parameters = { key: ConfigFlags.key, project: ConfigFlags.project }

const unset = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { key, project }: CommandOptions<typeof parameters>
): Effect.fn.Return<void, CommandFailure> {
  const target = yield* ConfigTarget.find(program, common.cwd, project)
  const path = yield* ConfigValue.pathOf(key)
  if (target.text === null) return program.output.note(`${key} is not set: ${target.name} does not exist`)
  yield* ConfigTarget.save(program, target, yield* ConfigValue.put(target, path, undefined))
  program.output.note(`${key} is removed from ${target.name}${ConfigValue.trustNote(target)}`)
})

export const command = declare({ parameters, run: unset })
