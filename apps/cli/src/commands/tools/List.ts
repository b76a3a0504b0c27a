/** `tools list`: the name, tier, session kinds and description of every tool. */
import * as Effect from "effect/Effect"
import { registryOf } from "@bough/host/session/KindTools"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as Lists from "../../io/Lists.ts"
import type { Program } from "../../Program.ts"
import { describe } from "../../tools/CompiledTools.ts"

const parameters = { format: ListFlags.format }

const list = (program: Program, _: Common, { format }: CommandOptions<typeof parameters>): Effect.Effect<void> =>
  Effect.sync(() => {
    const { output, packs } = program
    const tools = [...registryOf(packs).values()].map((tool) => describe(packs, tool))
    if (format === "json") return output.json(tools, 2)
    const width = Math.max(0, ...tools.map(({ name }) => name.length))
    Lists.print(
      program,
      tools.map(({ description, kinds: held, name, tier }) => ({
        line: `${name.padEnd(width)}  ${tier.padEnd(9)}  ${held.join(" ").padEnd(18)}  ${description}`,
        title: name,
        facts: [tier, held.join(" "), description]
      }))
    )
  })

export const command = declare({ parameters, run: list })
