/**
 * Finds or installs LanceDB, which keeps the index of a large memory and is not a dependency of this package. It is looked
 * for beside the program or in the data directory.
 */
import * as VectorLibrary from "@bough/memory/VectorLibrary"
import type * as Effect from "effect/Effect"
import type { HostFailure } from "../HostFailure.ts"
import * as DataPackages from "./DataPackages.ts"

/** The number of notes above which searches use an index. */
export const worthAnIndex = 20_000

/** The machine that LanceDB's binary is for. */
export interface Machine {
  readonly platform: string
  readonly arch: string
  readonly isMusl: boolean
}

/**
 * Returns the package with LanceDB's binary. LanceDB's other optional dependencies take 300 MB, and bough does not use
 * them.
 */
export const binaryFor = ({ arch, isMusl, platform }: Machine): string => {
  const ending = platform === "win32" ? "-msvc" : platform === "linux" ? (isMusl ? "-musl" : "-gnu") : ""
  return `@lancedb/lancedb-${platform}-${arch}${ending}`
}

const packagesFor = (machine: Machine): DataPackages.DataPackages => {
  const all = { ...VectorLibrary.packages, [binaryFor(machine)]: VectorLibrary.packages["@lancedb/lancedb"] }
  return {
    ...place,
    wanted: Object.entries(all).map(([name, version]) => `${name}@${version}`),
    omitsOptional: true,
    offlineHint: "try again with a network connection; until then notes are compared one by one"
  }
}

const place = {
  name: "@lancedb/lancedb",
  folder: "index-packages",
  entry: ["index.mjs", VectorLibrary.entry] as const
}

/** The path of the module that exports the library of the data directory. */
export const entryIn = (dataDirectory: string): string =>
  DataPackages.entryIn(dataDirectory, { ...place, wanted: [], omitsOptional: true, offlineHint: "" })

export const isInstalled = (dataDirectory: string): boolean => VectorLibrary.isInstalled(entryIn(dataDirectory))

export const install = (
  dataDirectory: string,
  environment: DataPackages.NpmEnvironment,
  machine: Omit<Machine, "platform">
): Effect.Effect<void, HostFailure> =>
  DataPackages.install(dataDirectory, environment, packagesFor({ ...machine, platform: environment.platform }))
