/** Whether the embedding model that is configured is there. It is not loaded. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as ModelPlace from "../memory/ModelPlace.ts"
import type { Program } from "../Program.ts"
import { type Check, fine, problem } from "./Check.ts"

export const of = ({ name: program }: Program, configured: ModelPlace.Configured): Check => {
  const name = "embedding"
  const { embeddingModel } = configured
  const place = ModelPlace.of(configured)
  if (place === "none") return fine(name, "none: notes are found by their words alone")
  if (place === "static") return fine(name, `static, which comes with ${program}`)
  const { cacheFolder, hub, revision } = place
  if (cacheFolder === null) {
    return existsSync(join(embeddingModel, "config.json"))
      ? fine(name, embeddingModel)
      : problem(
          name,
          `${embeddingModel} has no config.json, so no model is there`,
          `put one there, or: ${program} config set embedding.model static`
        )
  }
  const downloaded = join(cacheFolder, place.name, revision === "main" ? "" : (revision ?? ""), "config.json")
  return existsSync(downloaded)
    ? fine(name, `${embeddingModel}, downloaded`)
    : fine(name, `${embeddingModel} will be downloaded from ${hub ?? "huggingface.co"} when notes are first compared`)
}
