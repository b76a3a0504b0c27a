/** `memory model`: the embedding model that compares notes; parent of the command that installs one. */
import * as SettingsFile from "@bough/host/config/Settings"
import * as Effect from "effect/Effect"
import type { CommandFailure } from "../../CliFailure.ts"
import { command as declare, lazyEntry } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as EmbeddingCheck from "../../doctor/EmbeddingCheck.ts"
import type { Program } from "../../Program.ts"

const show = Effect.fnUntraced(function* (program: Program, { cwd }: Common): Effect.fn.Return<void, CommandFailure> {
  const settings = yield* SettingsFile.load(program.environment, { ...SettingsFile.noOverrides, cwd }, null)
  const { detail, fix, ok } = EmbeddingCheck.checkEmbedding(program, settings, 0)
  program.output.answer(`${detail}${ok ? "" : ` — ${fix}`}\n`)
})

export const command = declare({
  parameters: {},
  run: show,
  subcommands: [
    lazyEntry(
      "install",
      "Install an embedding model and the library that runs it, test it, and configure it",
      () => import("./model/Install.ts")
    )
  ]
})
