/** `memory index`: the index of a large memory; parent of the command that installs its library. */
import * as Effect from "effect/Effect"
import { command as declare, lazyEntry } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as IndexCheck from "../../doctor/IndexCheck.ts"
import { withNotes } from "../../notes/WithNotes.ts"
import type { Program } from "../../Program.ts"

const show = (program: Program, common: Common) =>
  withNotes(program, common, ({ settings, store }) =>
    Effect.map(store.counters, ({ dropped, written }) =>
      program.output.answer(
        `${IndexCheck.checkIndex(program.name, IndexCheck.factsOf(settings, written - dropped)).detail}\n`
      )
    )
  )

export const command = declare({
  parameters: {},
  run: show,
  subcommands: [
    lazyEntry(
      "install",
      "Install LanceDB, which indexes a memory of more than 20,000 notes",
      () => import("./index/Install.ts")
    )
  ]
})
