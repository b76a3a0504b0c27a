/** The parts of the memory package that a session uses, loaded with the first note that is saved or recalled. */
import * as EmbeddingStatic from "@bough/embedding-static"
import {
  Embedder,
  Fusion,
  StagedFiles,
  Memory,
  type NoteIndex,
  Recollection,
  Relevance,
  Scratchpads,
  SensitiveText,
  TransformersModel
} from "@bough/memory"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import type { Settings } from "../config/Settings.ts"
import * as WorkspaceRoot from "../project/WorkspaceRoot.ts"
import * as EmbeddingModelFiles from "./EmbeddingModelFiles.ts"
import * as IndexLibrary from "./IndexLibrary.ts"

export const scratchpads = Scratchpads.make
export const settleFiles = StagedFiles.settle
export const dropOthers = StagedFiles.dropOthers
export const recollection = Recollection.make
export const fits = Relevance.fits
export const isSensitive = SensitiveText.isSensitive

/** Makes the configured embedding model; null: none is configured. */
const modelOf = (settings: Settings): Embedder.Model | null => {
  const modelFiles = EmbeddingModelFiles.embeddingModelFiles(settings)
  if (modelFiles === "none") return null
  return modelFiles === "static"
    ? EmbeddingStatic.model
    : TransformersModel.make(settings.memory.embeddingModel, modelFiles)
}

const weightsOf = ({
  memory: {
    noteWeights: { meaning, words }
  }
}: Settings): Fusion.Weights => ({
  ...Fusion.defaultWeights,
  ...(words === null ? {} : { words }),
  ...(meaning === null ? {} : { meaning })
})

export const open = Effect.fnUntraced(function* (settings: Settings, onProgress: NoteIndex.Progress) {
  const model = modelOf(settings)
  return yield* Memory.make({
    directory: join(settings.dataDirectory, "memory"),
    project: WorkspaceRoot.projectOf(settings.workspace.root),
    embedder: model === null ? null : yield* Embedder.make(model),
    weights: weightsOf(settings),
    library: IndexLibrary.entryIn(settings.dataDirectory),
    onProgress
  })
})
