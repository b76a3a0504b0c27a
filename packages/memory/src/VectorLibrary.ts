/**
 * LanceDB, which keeps the table of a large memory's vectors. It is not a dependency of this package, because its binary has
 * 190 MB and most memories never need it: `bough memory index install` installs it into the data directory.
 */
import * as Result from "effect/Result"
import { existsSync } from "node:fs"
import { pathToFileURL } from "node:url"

/**
 * The modules of the library. Their types stay out of the declarations of this package, because programs that use it
 * compile without them.
 */
export interface VectorLibrary {
  readonly lancedb: unknown
  readonly arrow: unknown
}

/** The packages and the versions that this package works with. */
export const packages = { "@lancedb/lancedb": "0.39.0", "apache-arrow": "18.1.0" } as const

/** A module that exports the two libraries as `VectorLibrary` names them. */
export const entry = `export * as lancedb from "@lancedb/lancedb"\nexport * as arrow from "apache-arrow"\n`

const besideThisPackage = (): Promise<VectorLibrary> =>
  Promise.all([import("@lancedb/lancedb"), import("apache-arrow")]).then(([lancedb, arrow]) => ({ lancedb, arrow }))

/** Imports the library that is installed beside this package, else the library at `entry`. */
export const load = (installed: string | null): Promise<VectorLibrary> =>
  besideThisPackage().catch((error: unknown) => {
    if (installed === null || !existsSync(installed)) throw error
    return import(pathToFileURL(installed).href) as Promise<VectorLibrary>
  })

/** True if the library is installed; it is not loaded, so it may still be broken. */
export const isInstalled = (installed: string | null): boolean =>
  (installed !== null && existsSync(installed)) ||
  Result.isSuccess(Result.try(() => Object.keys(packages).map((name) => import.meta.resolve(name))))
