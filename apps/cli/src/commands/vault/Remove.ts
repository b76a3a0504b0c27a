/** `vault remove`: deletes an entry. Copies of it stay where they are. */
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import type { Program } from "../../Program.ts"
import * as OpenVault from "../../vault/OpenVault.ts"

const parameters = { name: Shapes.nameArgument("NAME", "Name of the entry") }

const remove = Effect.fnUntraced(function* (
  program: Program,
  _common: Common,
  { name }: CommandOptions<typeof parameters>
) {
  const { copies, vault } = yield* OpenVault.open(program)
  yield* Effect.mapError(vault.remove(name), OpenVault.toCliFailure)
  program.output.note(`${name} is deleted`)
  const remainingCopies = copies.list().filter((copy) => copy.name === name)
  for (const { path } of remainingCopies) program.output.note(`a copy may still be in ${path}`)
})

export const command = declare({ parameters, run: remove })
