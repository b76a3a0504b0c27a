/** Writes a new pack into a folder that is empty or does not exist yet. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

export interface CreatedPack {
  readonly folder: string
  readonly name: string
}

const template = fileURLToPath(new URL("../template", import.meta.url))

/** Files that npm would leave out of a package under their real names. */
const renamed = { gitignore: ".gitignore", "ci.yml": ".github/workflows/ci.yml" } as const

/** The name of the template's pack in its texts. */
const placeholder = "my-pack"

/**
 * Makes the pack in `folder`, whose last part is the name of the pack. Throws an Error with a message for users if the
 * name is invalid or the folder is not empty.
 */
export const createPack = (folder: string): CreatedPack => {
  const packFolder = resolve(folder)
  const name = basename(packFolder)
  if (!/^[a-z][a-z0-9-]{0,60}$/u.test(name)) {
    throw new Error(
      `${JSON.stringify(name)} is not a valid name of a pack: use lower-case letters, digits and -, and begin with a letter`
    )
  }
  if (existsSync(packFolder) && readdirSync(packFolder).length > 0) throw new Error(`${folder} is not empty`)
  cpSync(template, packFolder, { recursive: true })
  for (const [from, to] of Object.entries(renamed)) {
    cpSync(join(packFolder, from), join(packFolder, to))
    rmSync(join(packFolder, from))
  }
  for (const file of ["README.md", "src/index.ts", "test/pack.test.ts"]) {
    const path = join(packFolder, file)
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(placeholder, name))
  }
  writeFileSync(join(packFolder, "package.json"), `${JSON.stringify(manifestOf(name), null, 2)}\n`)
  return { folder: packFolder, name }
}

interface Manifest {
  readonly version: string
  readonly devDependencies: Readonly<Record<string, string>>
}

/** Makes the manifest. Its versions are those with which this package was built and tested. */
const manifestOf = (name: string) => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as Manifest
  const version = (dependency: string): string => manifest.devDependencies[dependency] ?? "*"
  const versions = (...names: ReadonlyArray<string>) => Object.fromEntries(names.map((one) => [one, version(one)]))
  return {
    name,
    version: "0.1.0",
    description: "Tools for Bough",
    license: "MIT",
    type: "module",
    files: ["dist"],
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    scripts: {
      check: "tsc",
      test: 'tsc && node --test "test/*.test.ts"',
      build: "tsc -p tsconfig.build.json",
      prepack: "npm run build",
      bough: "bough --packs bough.packs.ts"
    },
    peerDependencies: { ...versions("@bough/tool"), effect: `^${version("effect")}` },
    devDependencies: versions("@bough/cli", "@bough/tool", "@types/node", "effect", "esbuild", "typescript"),
    engines: { node: ">=22.19" }
  }
}
