/** Checks that the configured embedding model is installed, without loading it. */
import * as EmbeddingModelFiles from "@bough/host/memory/EmbeddingModelFiles"
import * as TransformersLibrary from "@bough/host/memory/TransformersLibrary"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Program } from "../Program.ts"
import { type Check, pass, problem } from "./Check.ts"

/** The number of notes at which a larger model becomes worth its size. */
const worthAModel = 50

/** Null: there are too few notes, or another model than the built-in one is configured. */
export const advice = (
  program: string,
  { memory: { embeddingModel } }: EmbeddingModelFiles.EmbeddingSettings,
  notes: number
): string | null =>
  embeddingModel === "static" && notes > worthAModel
    ? `with ${notes} notes a larger embedding model finds more; install one with "${program} memory model install"`
    : null

/** `notes`: the number of notes. */
export const checkEmbedding = (
  { name: program }: Program,
  configured: EmbeddingModelFiles.EmbeddingSettings,
  notes: number
): Check => {
  const name = "embedding"
  const embeddingModel = configured.memory.embeddingModel
  const modelFiles = EmbeddingModelFiles.embeddingModelFiles(configured)
  if (modelFiles === "none") return pass(name, "none: notes are found by words only")
  if (modelFiles === "static") {
    const more = advice(program, configured, notes)
    return pass(name, `static, included in ${program}${more === null ? "" : `; ${more}`}`)
  }
  if (!TransformersLibrary.isInstalled(configured.dataDirectory)) {
    const fix = `${program} memory model install ${embeddingModel}`
    return problem(name, `${embeddingModel} needs ${TransformersLibrary.packageName}, which is not installed`, fix)
  }
  const { cacheFolder, hub, revision } = modelFiles
  if (cacheFolder === null) {
    return existsSync(join(embeddingModel, "config.json"))
      ? pass(name, embeddingModel)
      : problem(
          name,
          `${embeddingModel} contains no model: config.json is missing`,
          `add a model, or run "${program} config set embedding.model static"`
        )
  }
  const downloaded = join(cacheFolder, modelFiles.name, revision === "main" ? "" : (revision ?? ""), "config.json")
  return existsSync(downloaded)
    ? pass(name, `${embeddingModel}, downloaded`)
    : pass(name, `${embeddingModel} will be downloaded from ${hub ?? "huggingface.co"} when notes are first compared`)
}
