/** Loads a file of packs, and reports its fault in one sentence. */
import { existsSync } from "node:fs"
import { basename } from "node:path"
import { pathToFileURL } from "node:url"
import { failure, usage } from "../CliFailure.ts"
import { isOwnPacks, type OwnPacks } from "./definePacks.ts"

/** Rejects with a `CliFailure`. */
export const loadPacks = async (file: string): Promise<OwnPacks> => {
  const name = basename(file)
  if (!existsSync(file)) throw usage(`there is no ${file}`, "name a file of packs, such as bough.packs.ts")
  let loaded: { readonly default?: unknown }
  try {
    loaded = (await import(pathToFileURL(file).href)) as typeof loaded
  } catch (cause) {
    throw failure(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, "", cause)
  }
  if (isOwnPacks(loaded.default)) return loaded.default
  throw failure(`${name} has no packs`, "write export default definePacks({ main: …, worker: … }) of @bough/cli")
}
