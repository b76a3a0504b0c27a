/**
 * The packages as their users install them: built files under `node_modules`, exports as published, dependencies beside
 * them. In the workspace, an import leads to TypeScript sources, whose types Node would strip at every start.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../..", import.meta.url))

interface Manifest {
  readonly name: string
  readonly publishConfig: { readonly exports: unknown }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export interface Layout {
  /** Names of packages that can be imported from `folder`. */
  readonly packages: ReadonlyArray<string>
  /** Names of packages that were never built. */
  readonly unbuilt: ReadonlyArray<string>
}

/** Creates this layout of every package of the workspace below `folder`. */
export const make = (folder: string): Layout => {
  const packages: Array<string> = []
  const unbuilt: Array<string> = []
  for (const name of readdirSync(join(root, "packages"))) {
    const source = join(root, "packages", name)
    const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as Manifest
    if (!existsSync(join(source, "dist/index.js"))) {
      unbuilt.push(manifest.name)
      continue
    }
    const target = join(folder, "node_modules", manifest.name)
    cpSync(join(source, "dist"), join(target, "dist"), { recursive: true })
    const published = { ...manifest, exports: manifest.publishConfig.exports }
    writeFileSync(join(target, "package.json"), JSON.stringify(published))
    linkDependencies(source, manifest, join(folder, "node_modules"))
    packages.push(manifest.name)
  }
  return { packages, unbuilt }
}

/** Creates links to the installed third-party packages, which find their dependencies from there. */
const linkDependencies = (source: string, manifest: Manifest, modules: string): void => {
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    const link = join(modules, name)
    const installed = join(source, "node_modules", name)
    if (name.startsWith("@bough/") || existsSync(link) || !existsSync(installed)) continue
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(realpathSync(installed), link)
  }
}
