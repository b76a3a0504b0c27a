/**
 * Finds the packages that a built program loads from its folder, where the packs have them, and links those that Node would
 * not find.
 */
import { existsSync, lstatSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs"
import { findPackageJSON } from "node:module"
import { dirname, join } from "node:path"
import { makeFolder } from "./makeFolder.ts"

export interface InstalledPackage {
  readonly name: string
  readonly version: string
  readonly folder: string
}

/** Looks each name up from these files in turn; a name that none of them resolves is optional and left out. */
export const findPackages = (
  names: ReadonlyArray<string>,
  from: ReadonlyArray<string>
): ReadonlyArray<InstalledPackage> =>
  names.toSorted().flatMap((name) => {
    const manifest = from.map((file) => manifestOf(name, file)).find((found) => found !== null)
    if (manifest === undefined) return []
    const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }
    return [{ name, version, folder: dirname(realpathSync(manifest)) }]
  })

const manifestOf = (name: string, file: string): string | null => {
  try {
    return findPackageJSON(name, file) ?? null
  } catch {
    return null
  }
}

/** Links packages into `node_modules` of the folder if a file there would not find them, or would find another copy. */
export const linkPackages = (folder: string, packages: ReadonlyArray<InstalledPackage>): void => {
  for (const { folder: target, name } of packages) {
    const link = join(folder, "node_modules", name)
    if (isLink(link)) rmSync(link)
    const found = manifestOf(name, join(folder, "package.json"))
    if (found !== null && dirname(realpathSync(found)) === target) continue
    if (existsSync(link)) continue
    makeFolder(dirname(link))
    symlinkSync(target, link, "junction")
  }
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
