/** Runs a model by transformers.js, in the thread of an Embedder. */
import type { FeatureExtractionPipeline } from "@huggingface/transformers"
import { existsSync } from "node:fs"
import { pathToFileURL } from "node:url"
import type { LoadedModel } from "./EmbeddingModule.ts"
import * as ModelContent from "./ModelContent.ts"
import type { ModelFiles } from "./TransformersModel.ts"

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND"

type Transformers = typeof import("@huggingface/transformers")

/** Imports the library that is installed beside this package, else the one in the data directory. */
const transformers = ({ library }: ModelFiles): Promise<Transformers> =>
  import("@huggingface/transformers").catch((error: unknown) => {
    if (!isMissing(error)) throw error
    if (library !== undefined && existsSync(library))
      return import(pathToFileURL(library).href) as Promise<Transformers>
    throw new Error(
      "it runs by @huggingface/transformers 4, which is not installed: run `bough memory model install`, or configure the model static"
    )
  })

/** Returns the reason why a download failed: the error of `fetch` does not contain it, but its cause does. */
const reasonOf = ({ cause }: Error): string => {
  if (!(cause instanceof Error)) return "nothing answers there"
  return "code" in cause ? String(cause.code) : cause.message
}

const unreachable = (error: unknown, hub: string): unknown =>
  error instanceof TypeError && error.message === "fetch failed"
    ? new Error(`${hub} cannot be reached (${reasonOf(error)}), and not all of its files were downloaded before`)
    : error

const task = "feature-extraction"

const start = (
  { env, pipeline }: Transformers,
  { cacheFolder, dtype, hub, localFolder, name, revision }: ModelFiles
): Promise<FeatureExtractionPipeline> => {
  // Ignores local folders: their files, including downloads of main, would be used for any revision.
  env.allowLocalModels = localFolder !== null && revision === null
  if (localFolder !== null) env.localModelPath = localFolder
  env.allowRemoteModels = cacheFolder !== null
  // Disables the library's own cache, which would be used regardless of the configured folder.
  env.useFSCache = cacheFolder !== null
  if (cacheFolder !== null) env.cacheDir = cacheFolder
  if (hub !== null) env.remoteHost = hub
  const modelOptions = { dtype, device: "cpu", ...(revision === null ? {} : { revision }) } as const
  return pipeline(task, name, modelOptions).catch((error: unknown) => {
    throw unreachable(error, env.remoteHost)
  })
}

/** Lists the files as the library names them, by the settings of the loaded model. */
const filesOf = (
  { ModelRegistry }: Transformers,
  { model }: FeatureExtractionPipeline,
  { dtype, name }: ModelFiles
): Promise<ReadonlyArray<string>> =>
  ModelRegistry.get_model_files(name, { config: model.config, dtype, device: "cpu" }).then((ofModel) => [
    ...ofModel,
    "tokenizer.json",
    "tokenizer_config.json"
  ])

export const load = (files: ModelFiles): Promise<LoadedModel> =>
  transformers(files).then((library) => {
    const before = ModelContent.stamps(files)
    return start(library, files).then((extract) =>
      filesOf(library, extract, files)
        .then((names) => ModelContent.identityOf(files, names, before))
        .then((identity) => ({
          identity,
          embed: (texts) =>
            extract([...texts], { pooling: "mean", normalize: true }).then((tensor) => ({
              dimension: tensor.dims.at(-1) ?? 0,
              vectors: Float32Array.from(tensor.data as ArrayLike<number>)
            }))
        }))
    )
  })
