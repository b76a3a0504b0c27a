/** `sessions export`: every entry as a line of JSON, or with `--to` files that can be verified without the database. */
import { Entry } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CommandFailure } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import type { Program } from "../../Program.ts"
import { eachEntry } from "../../session/eachEntry.ts"
import { withStore } from "../../session/WithStore.ts"

const parameters = {
  id: ListFlags.sessionId,
  to: Shapes.optionalText(
    "to",
    "DIR",
    "Write JOURNAL.jsonl, REPLAY.jsonl, RECEIPT.json and full outputs to this directory, for `verify`"
  )
}

const encode = Schema.encodeUnknownSync(Entry.Entry)

const exportSession = (
  program: Program,
  common: Common,
  { id, to }: CommandOptions<typeof parameters>
): Effect.Effect<void, CommandFailure> =>
  to === null
    ? withStore(
        program,
        eachEntry(id, (entry) => program.output.json(encode(entry)))
      )
    : Effect.flatMap(
        Effect.promise(() => import("../../receipts/ExportFiles.ts")),
        ({ write }) => write(program, common, { id, to })
      )

export const command = declare({ parameters, run: exportSession })
