/**
 * Finds or installs transformers.js, which runs embedding models and is not a dependency of this package. It is looked
 * for beside the program or in the data directory.
 */
import * as TransformersModel from "@bough/memory/TransformersModel"
import type * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import type { HostFailure } from "../HostFailure.ts"
import * as DataPackages from "./DataPackages.ts"

export const packageName = "@huggingface/transformers"
/** The range of versions that `@bough/memory` accepts. */
export const range = "^4.3.1"

const packages: DataPackages.DataPackages = {
  name: packageName,
  wanted: [`${packageName}@${range}`],
  omitsOptional: false,
  folder: "packages",
  entry: ["transformers.mjs", `export * from "${packageName}"\n`],
  offlineHint: "try again with a network connection; until then notes are compared as before"
}

/** The path of the module that exports the library of the data directory. */
export const entryIn = (dataDirectory: string): string => DataPackages.entryIn(dataDirectory, packages)

export const isInstalled = (dataDirectory: string): boolean =>
  existsSync(entryIn(dataDirectory)) || TransformersModel.isInstalled()

export const install = (
  dataDirectory: string,
  environment: DataPackages.NpmEnvironment
): Effect.Effect<void, HostFailure> => DataPackages.install(dataDirectory, environment, packages)
