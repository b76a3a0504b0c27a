/** `sessions show`: every entry of a session. */
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import type { CliFailure } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as EntryText from "../../format/EntryText.ts"
import type { Program } from "../../Program.ts"
import { eachEntry } from "../../session/eachEntry.ts"
import { withStore } from "../../session/WithStore.ts"

const parameters = { id: ListFlags.sessionId }

const show = (
  program: Program,
  _: Common,
  { id }: CommandOptions<typeof parameters>
): Effect.Effect<void, CliFailure> => {
  const { output } = program
  return withStore(
    program,
    eachEntry(id, (entry) => {
      for (const row of EntryText.rows(entry)) output.answerEscaped(text`${row}\n`)
    })
  )
}

export const command = declare({ parameters, run: show })
