/** `memory model`: which model compares notes, and one command by which a better one does. Loaded when it is called. */
import { Embedder, TransformersModel } from "@bough/memory"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import * as SettingsFile from "@bough/host/config/Settings"
import * as TransformersLibrary from "@bough/host/memory/TransformersLibrary"
import * as EmbeddingModelFiles from "@bough/host/memory/EmbeddingModelFiles"
import type { Program } from "../Program.ts"
import { failed, type CommandFailure } from "../CliFailure.ts"
import * as Config from "./Config.ts"
import * as EmbeddingCheck from "../doctor/EmbeddingCheck.ts"
import type { Common } from "../command-line/Options.ts"

/** English, 90 MB. */
export const defaultModel = "Xenova/all-MiniLM-L6-v2"

const settingsOf = ({ environment }: Program, { cwd }: Common) =>
  SettingsFile.load(environment, { ...SettingsFile.noOverrides, cwd }, null)

export const show = Effect.fnUntraced(function* (
  program: Program,
  common: Common
): Effect.fn.Return<void, CommandFailure> {
  const { detail, mend, ok } = EmbeddingCheck.checkEmbedding(program, yield* settingsOf(program, common), 0)
  program.output.answer(`${detail}${ok ? "" : ` — ${mend}`}\n`)
})

/** Installs what runs the model where it is missing, loads the model, and only then configures it. */
export const install = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { model }: { readonly model: string | null }
): Effect.fn.Return<void, CommandFailure> {
  const { output, environment } = program
  const settings = yield* settingsOf(program, common)
  const { dataDirectory } = settings
  const given = model ?? defaultModel
  const folder = resolve(environment.currentDirectory, given)
  const name = existsSync(join(folder, "config.json")) ? folder : given
  const place = EmbeddingModelFiles.embeddingModelFiles({ ...settings, embeddingModel: name })
  if (typeof place !== "string") {
    if (!TransformersLibrary.isInstalled(dataDirectory)) {
      output.note(`installing ${TransformersLibrary.packageName}, which runs it, into ${dataDirectory}: about 500 MB`)
      yield* TransformersLibrary.install(dataDirectory)
    }
    output.note(`loading ${name}`)
    yield* load(name, place)
  }
  yield* Config.set(program, common, { key: "embedding.model", value: name, project: false })
  output.note("notes are compared by it from the next search on, for which each is embedded anew once")
})

const load = (name: string, files: TransformersModel.ModelFiles): Effect.Effect<void, CommandFailure> =>
  Effect.scoped(
    Effect.flatMap(Embedder.make(TransformersModel.make(name, files)), ({ identity }) => Effect.asVoid(identity))
  ).pipe(
    Effect.mapError((error) =>
      failed(error.message, "embedding.model stays as it was; name a folder or another model", error)
    )
  )
