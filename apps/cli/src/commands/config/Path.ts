/** `config path`: the path of the configuration file. */
import * as ConfigTarget from "@bough/host/config/ConfigTarget"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ConfigFlags from "../../command-line/flags/ConfigFlags.ts"
import type { Program } from "../../Program.ts"

const parameters = { project: ConfigFlags.project }

const path = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { project }: CommandOptions<typeof parameters>
) {
  program.output.answer(`${(yield* ConfigTarget.find(program, common.cwd, project)).path}\n`)
})

export const command = declare({ parameters, run: path })
