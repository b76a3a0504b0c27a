/** `config schema`: the JSON Schema of the configuration file. */
import * as SchemaDocument from "@bough/host/config/SchemaDocument"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ConfigFlags from "../../command-line/flags/ConfigFlags.ts"
import type { Program } from "../../Program.ts"

const parameters = { project: ConfigFlags.project }

const schema = ({ output }: Program, _: Common, { project }: CommandOptions<typeof parameters>): Effect.Effect<void> =>
  Effect.sync(() => output.json(project ? SchemaDocument.project() : SchemaDocument.user(), 2))

export const command = declare({ parameters, run: schema })
