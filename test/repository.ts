/** The repository as data, for the tests of its structure. */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url))

/** Tracked files and new ones that git does not ignore, relative to the root, sorted. */
export const files: ReadonlyArray<string> = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard"],
  { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }
)
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(root, file)))
  .toSorted()

export const text = (file: string): string => readFileSync(join(root, file), "utf8")

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export interface Package {
  /** The name without the scope: `tool`, `cli`. */
  readonly name: string
  readonly folder: string
  readonly manifest: Manifest
}

const packagesMatching = (pattern: RegExp): ReadonlyArray<Package> =>
  files
    .filter((file) => pattern.test(file))
    .map((file) => {
      const manifest = JSON.parse(text(file)) as Manifest
      return { name: manifest.name.replace("@bough/", ""), folder: dirname(file), manifest }
    })

export const packages = packagesMatching(/^packages\/[^/]+\/package\.json$/)
export const apps = packagesMatching(/^apps\/[^/]+\/package\.json$/)

/** The packages that a consumer installs with it. */
export const dependencies = ({ manifest }: Package): ReadonlyArray<string> =>
  Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies }).toSorted()

/** Returns the dependencies that are packages of this repository, without the scope. */
export const ownDependencies = (member: Package): ReadonlyArray<string> =>
  dependencies(member)
    .filter((name) => name.startsWith("@bough/"))
    .map((name) => name.replace("@bough/", ""))

/** The peers of an installed dependency of a package. */
export const peersOf = ({ folder }: Package, dependency: string): ReadonlyArray<string> => {
  const manifest = JSON.parse(text(`${folder}/node_modules/${dependency}/package.json`)) as Manifest
  return Object.keys(manifest.peerDependencies ?? {})
}

export const sources = files.filter((file) => /^(packages|apps)\/[^/]+\/src\/.*\.tsx?$/.test(file))
