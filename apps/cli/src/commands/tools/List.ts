/** `tools list`: the name, tier, session kinds and description of every tool. */
import { registryOf } from "@bough/host/session/KindTools"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as Lists from "../../io/Lists.ts"
import type { Program } from "../../Program.ts"
import * as CompiledTools from "../../tools/CompiledTools.ts"

const parameters = { format: ListFlags.format }

const list = (program: Program, common: Common, { format }: CommandOptions<typeof parameters>): Effect.Effect<void> =>
  Effect.map(CompiledTools.unmetRequirements(program, common), (known) => {
    const { output, packs } = program
    const tools = [...registryOf(packs).values()].map((tool) => CompiledTools.describe(packs, tool, known))
    if (format === "json") return output.json(tools, 2)
    const width = Math.max(0, ...tools.map(({ name }) => name.length))
    Lists.print(
      program,
      tools.map(({ description, kinds, missing, name, tier }) => {
        const availability = missing === null ? kinds.join(" ") : "not available"
        const about = missing === null ? description : `${description} (${missing})`
        return {
          line: `${name.padEnd(width)}  ${tier.padEnd(9)}  ${availability.padEnd(18)}  ${about}`,
          title: name,
          facts: [tier, availability, about]
        }
      })
    )
  })

export const command = declare({ parameters, run: list })
