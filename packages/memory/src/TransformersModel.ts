/**
 * Models that transformers.js runs. The library is not a dependency of this package: `bough memory model install`
 * installs it if it is missing.
 */
import * as Result from "effect/Result"
import type { Model } from "./Embedder.ts"

/** The location of the model for transformers.js. */
export interface ModelFiles {
  /** The model's name, such as `Xenova/all-MiniLM-L6-v2`, below `localFolder` or on the hub. */
  readonly name: string
  /** A branch, tag or commit of the hub; null: `main`. A downloaded revision is not requested again. */
  readonly revision: string | null
  /** The local folder; null: there is none. A model with a revision is not looked up there. */
  readonly localFolder: string | null
  /** The folder for downloaded files; null: nothing is downloaded. */
  readonly cacheFolder: string | null
  /** The URL of the hub or a mirror; null: huggingface.co. Files are at `NAME/resolve/REVISION/FILE` below it. */
  readonly hub: string | null
  readonly dtype: "fp32" | "fp16" | "q8"
  /** The path of a module that exports the library, if it is not installed beside this package. */
  readonly library?: string
}

/** `name`: the name for users, such as the configured value. */
export const make = (name: string, files: ModelFiles): Model => ({
  name,
  module: import.meta.resolve("@bough/memory/TransformersThread"),
  options: files
})

/** True if the library is installed beside this package. */
export const isInstalled = (): boolean =>
  Result.isSuccess(Result.try(() => import.meta.resolve("@huggingface/transformers")))
