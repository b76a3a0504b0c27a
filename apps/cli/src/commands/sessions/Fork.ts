/** `sessions fork`: a new session from the entries of another one. */
import { Fork } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Flag from "effect/cli/Flag"
import type { CliFailure } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import type { Program } from "../../Program.ts"
import { withStore } from "../../session/WithStore.ts"
import * as FindSession from "@bough/host/session/FindSession"

const parameters = {
  id: ListFlags.sessionId,
  at: Shapes.optional(
    Flag.Int("at").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription("Last entry to copy, numbered as in `sessions show`; default: the newest")
    )
  )
}

const fork = (
  program: Program,
  _: Common,
  { at, id }: CommandOptions<typeof parameters>
): Effect.Effect<void, CliFailure> =>
  withStore(
    program,
    Effect.gen(function* () {
      const forked = yield* Fork.fork(yield* FindSession.byId(id), at)
      program.output.answer(`${forked}\n`)
      program.output.note(`session ${forked} is ready; continue it with "${program.name} --session ${forked}"`)
    })
  )

export const command = declare({ parameters, run: fork })
