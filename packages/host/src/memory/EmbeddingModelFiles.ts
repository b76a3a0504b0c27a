/** The files of the configured embedding model. Pure. */
import type { TransformersModel } from "@bough/memory"
import { basename, dirname, isAbsolute, join } from "node:path"
import type { Settings } from "../config/Settings.ts"
import * as TransformersLibrary from "./TransformersLibrary.ts"

export type EmbeddingSettings = Pick<Settings, "dataDirectory" | "memory">

/** Returns the files that transformers.js loads, or the name of a model that needs none. */
export const embeddingModelFiles = ({
  dataDirectory,
  memory: { embeddingHub, embeddingModel }
}: EmbeddingSettings): "none" | "static" | TransformersModel.ModelFiles => {
  if (embeddingModel === "none" || embeddingModel === "static") return embeddingModel
  const library = TransformersLibrary.entryIn(dataDirectory)
  if (isAbsolute(embeddingModel)) {
    const localFolder = dirname(embeddingModel)
    const name = basename(embeddingModel)
    return { name, revision: null, localFolder, cacheFolder: null, hub: null, dtype: "fp32", library }
  }
  const models = join(dataDirectory, "models")
  const [name, revision = null] = embeddingModel.split("@", 2)
  return { name, revision, localFolder: models, cacheFolder: models, hub: embeddingHub, dtype: "fp32", library }
}
