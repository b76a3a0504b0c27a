/** `memory model install`: installs an embedding model, tests it, and configures it. */
import * as SettingsFile from "@bough/host/config/Settings"
import * as EmbeddingModelFiles from "@bough/host/memory/EmbeddingModelFiles"
import * as TransformersLibrary from "@bough/host/memory/TransformersLibrary"
import { Embedder, TransformersModel } from "@bough/memory"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { failure, type CommandFailure } from "../../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../../command-line/CommandSpec.ts"
import type { Common } from "../../../command-line/flags/CommonFlags.ts"
import * as Shapes from "../../../command-line/flags/Shapes.ts"
import type { Program } from "../../../Program.ts"
import { setValue } from "../../config/Set.ts"

/** The default model: English, 90 MB. */
const defaultModel = "Xenova/all-MiniLM-L6-v2"

const parameters = {
  model: Shapes.optionalArgument("MODEL", `Model folder, or a model name on Hugging Face; default: ${defaultModel}`)
}

/** Installs the library that runs the model if it is missing, loads the model, and only then configures it. */
const install = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { model }: CommandOptions<typeof parameters>
): Effect.fn.Return<void, CommandFailure> {
  const { output, environment } = program
  const settings = yield* SettingsFile.load(environment, { ...SettingsFile.noOverrides, cwd: common.cwd }, null)
  const { dataDirectory } = settings
  const chosen = model ?? defaultModel
  const folder = resolve(environment.currentDirectory, chosen)
  const name = existsSync(join(folder, "config.json")) ? folder : chosen
  const modelFiles = EmbeddingModelFiles.embeddingModelFiles({
    ...settings,
    memory: { ...settings.memory, embeddingModel: name }
  })
  if (typeof modelFiles !== "string") {
    if (!TransformersLibrary.isInstalled(dataDirectory)) {
      output.note(
        `installing ${TransformersLibrary.packageName}, which runs the model, into ${dataDirectory} (about 500 MB)`
      )
      yield* TransformersLibrary.install(dataDirectory, settings.environment)
    }
    output.note(`loading ${name}`)
    yield* load(name, modelFiles)
  }
  yield* setValue(program, common, { key: "embedding.model", value: name, project: false })
  output.note(`${name} is used from the next search on, which embeds every note once`)
})

const load = (name: string, files: TransformersModel.ModelFiles): Effect.Effect<void, CommandFailure> =>
  Effect.scoped(
    Effect.flatMap(Embedder.make(TransformersModel.make(name, files)), ({ identity }) => Effect.asVoid(identity))
  ).pipe(
    Effect.mapError((error) =>
      failure(error.message, "embedding.model is unchanged; give a folder or another model", error)
    )
  )

export const command = declare({ parameters, run: install })
