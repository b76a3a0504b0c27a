/** `memory index install`: installs the library of the index, and loads it once. */
import * as SettingsFile from "@bough/host/config/Settings"
import * as IndexLibrary from "@bough/host/memory/IndexLibrary"
import { VectorLibrary } from "@bough/memory"
import * as Effect from "effect/Effect"
import { failure, type CommandFailure } from "../../../CliFailure.ts"
import { command as declare } from "../../../command-line/CommandSpec.ts"
import type { Common } from "../../../command-line/flags/CommonFlags.ts"
import type { Program } from "../../../Program.ts"

const install = Effect.fnUntraced(function* (
  { environment, output }: Program,
  { cwd }: Common
): Effect.fn.Return<void, CommandFailure> {
  const settings = yield* SettingsFile.load(environment, { ...SettingsFile.noOverrides, cwd }, null)
  const { dataDirectory } = settings
  if (!IndexLibrary.isInstalled(dataDirectory)) {
    output.note(`installing LanceDB into ${dataDirectory} (about 220 MB)`)
    yield* IndexLibrary.install(dataDirectory, settings.environment, { arch: process.arch, isMusl: isMusl() })
  }
  yield* Effect.tryPromise({
    try: () => VectorLibrary.load(IndexLibrary.entryIn(dataDirectory)),
    catch: (error) =>
      failure(
        `LanceDB is installed, but does not load: ${error instanceof Error ? error.message : String(error)}`,
        "notes are compared one by one, as before",
        error
      )
  })
  const minNotes = IndexLibrary.worthAnIndex.toLocaleString("en")
  output.note(`LanceDB is ready; the next process with more than ${minNotes} notes builds the index`)
})

/** Node's report names the version of glibc if the system has it. */
const isMusl = (): boolean => {
  const { header } = process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } }
  return header.glibcVersionRuntime === undefined
}

export const command = declare({ parameters: {}, run: install })
