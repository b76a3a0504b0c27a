/**
 * `node build/packAll.ts FOLDER` packs every package into the folder, and beside them `bough.tgz`: one package that
 * installs `bough` from these files. npm gives each package of a global installation its own copy of its dependencies, so
 * installing all files globally would take six times the space.
 */
import { spawnSync } from "node:child_process"
import { globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const repository = fileURLToPath(new URL("..", import.meta.url))
const pnpm = ["npx", "-y", "pnpm@12.21.0"]
export const commandPackage = "@bough/cli"

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** The name of the file into which pnpm and npm pack a package. */
export const fileOf = ({ name, version }: Manifest): string =>
  `${name.replace(/^@/u, "").replaceAll("/", "-")}-${version}.tgz`

/** Returns the packages of the workspace that the command needs, itself included. */
export const neededPackages = (manifests: ReadonlyArray<Manifest>): ReadonlyArray<Manifest> => {
  const known = new Map(manifests.map((manifest) => [manifest.name, manifest]))
  const found = new Set<Manifest>()
  const visit = (name: string): void => {
    const manifest = known.get(name)
    if (manifest === undefined || found.has(manifest)) return
    found.add(manifest)
    for (const next of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) visit(next)
  }
  visit(commandPackage)
  return [...found]
}

/** The packages of the workspace, by their own files. */
export const manifests = (): ReadonlyArray<Manifest> =>
  globSync("{packages,apps}/*/package.json", { cwd: repository }).map(
    (file) => JSON.parse(readFileSync(join(repository, file), "utf8")) as Manifest
  )

const start = `#!/usr/bin/env node
await import(new URL("bough.js", import.meta.resolve("${commandPackage}")).href)
`

const run = (command: ReadonlyArray<string>, cwd: string): void => {
  // The scripts of the packages need the Node of this process, which may be newer than the first one on the PATH.
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter) }
  const ended = spawnSync(command[0] ?? "true", command.slice(1), { cwd, env, stdio: ["ignore", "pipe", "inherit"] })
  // The compiler writes its errors to stdout.
  if (ended.status !== 0) process.stderr.write(ended.stdout)
  if (ended.status !== 0) throw new Error(`${command.join(" ")} failed`)
}

/** Writes `bough.tgz` into a folder that has the packed packages. */
export const writeInstaller = (folder: string): string => {
  const building = mkdtempSync(join(tmpdir(), "bough-pack-"))
  const packages = neededPackages(manifests())
  const dependencies = packages.map((manifest) => [manifest.name, `file:${join(folder, fileOf(manifest))}`])
  const manifest = {
    name: "bough-from-files",
    version: "0.0.0",
    type: "module",
    bin: { bough: "bough.js" },
    engines: { node: ">=22.19" },
    dependencies: Object.fromEntries(dependencies)
  }
  try {
    writeFileSync(join(building, "package.json"), JSON.stringify(manifest, null, 2))
    writeFileSync(join(building, "bough.js"), start)
    run(["npm", "pack", "--silent", "--pack-destination", folder], building)
  } finally {
    rmSync(building, { recursive: true, force: true })
  }
  const file = join(folder, "bough.tgz")
  renameSync(join(folder, "bough-from-files-0.0.0.tgz"), file)
  return file
}

const packAll = (folder: string): void => {
  mkdirSync(folder, { recursive: true })
  run([...pnpm, "build"], repository)
  const all = ["--recursive", "--filter", "./packages/*", "--filter", "./apps/*"]
  run([...pnpm, ...all, "pack", "--pack-destination", folder], repository)
  console.log(`install the command with: npm install --global ${writeInstaller(folder)}`)
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new Error("usage: node build/packAll.ts FOLDER")
  packAll(resolve(process.env["INIT_CWD"] ?? ".", folder))
}
