/**
 * Every package as its users get it: packed, installed by name into an empty project outside the workspace, from a registry
 * on loopback that has the tarballs, then type-checked and run there: a program of its own, a third-party pack ([foreign.ts](foreign.ts)) as npm and as pnpm
 * lay it out, and the examples of every README ("```ts", run if it says "```ts run"). Nothing of the workspace can be
 * reached from it.
 */
import assert from "node:assert/strict"
import { copyFileSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { writeInstaller } from "../../build/packAll.ts"
import { fencesOf } from "./fences.ts"
import { foreign, libraries } from "./foreign.ts"
import { type Machine, pnpm, repository, ends, withMachine } from "./machine.ts"
import { ownPack } from "./ownPack.ts"
import * as packedGateway from "./packedGateway.ts"
import { checkDeclarations, checkShapes } from "./publishedShapes.ts"
import * as ScopeRegistry from "./scopeRegistry.ts"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, unknown>>
  readonly exports?: Readonly<Record<string, unknown>>
}

const manifest = (file: string): Manifest => JSON.parse(readFileSync(file, "utf8")) as Manifest

/** The frameworks of the bridges, as a project with all of them installs them. */
const frameworks = (): ReadonlyArray<string> => {
  const bridges = manifest(join(repository, "packages/bridges/package.json"))
  return Object.keys(bridges.peerDependenciesMeta ?? {}).map((name) => `${name}@${bridges.devDependencies?.[name]}`)
}

/** True for the package whose modules need frameworks that its users install. */
const needsFrameworks = ({ name }: Manifest): boolean => name === "@bough/bridges"

/** The modules that a package exports by name. */
const modulesOf = ({ exports = {}, name }: Manifest): ReadonlyArray<string> =>
  Object.entries(exports).flatMap(([path, target]) =>
    // Types alone, such as those of `?tools`, are not a module.
    (target as { readonly default?: string } | null)?.default === undefined || path.includes("*")
      ? []
      : [`${name}${path.slice(1)}`]
  )

const pack = (machine: Machine, into: string): ReadonlyArray<string> => {
  const folders = globSync("{packages,apps}/*/package.json", { cwd: repository }).map((file) =>
    join(repository, file, "..")
  )
  const all = ["--recursive", "--filter", "./packages/*", "--filter", "./apps/*"]
  ends(machine, [...pnpm, ...all, "pack", "--pack-destination", into], { cwd: repository })
  const tarballs = globSync("*.tgz", { cwd: into }).map((file) => join(into, file))
  assert.equal(tarballs.length, folders.length)
  return tarballs
}

const nameOf = (tarball: string): string => ScopeRegistry.manifestIn(readFileSync(tarball)).name

/** The modules of the packages that the project has installed. */
const modulesIn = (project: string, chosen: (manifest: Manifest) => boolean): ReadonlyArray<string> => {
  // pnpm links them, which a glob does not follow.
  const scope = join(project, "node_modules/@bough")
  const names = readdirSync(scope).flatMap((folder) => {
    const found = manifest(join(scope, folder, "package.json"))
    return chosen(found) ? modulesOf(found) : []
  })
  assert.notEqual(names.length, 0)
  return names
}

/** Loads every published module: no file is missing, and none is resolved only by the workspace. */
const loads = (machine: Machine, project: string, chosen: (manifest: Manifest) => boolean): void => {
  const names = modulesIn(project, chosen)
  const loaded = `for (const name of ${JSON.stringify(names)}) {
    const found = await import(name).catch((cause) => { throw new Error(name, { cause }) })
    if (Object.keys(found).length > 0) console.log(name)
  }`
  const output = ends(machine, ["node", "--input-type=module", "--eval", loaded], { cwd: project })
  assert.deepEqual(output.trim().split("\n"), names)
}

interface ExampleSet {
  /** The packages whose READMEs have the examples. */
  readonly chosen: (manifest: Manifest) => boolean
  readonly checks: ReadonlyArray<string>
  /** Files that are type-checked beside the examples. */
  readonly beside?: ReadonlyArray<string>
}

/** Type-checks the examples of READMEs, and runs those that say so. */
const plays = (machine: Machine, project: string, { beside = [], checks, chosen }: ExampleSet): void => {
  const examples = writeExamples(project, chosen)
  assert.notEqual(examples.length, 0)
  ends(machine, ["tsc", ...checks, ...beside, ...examples.map(({ file }) => file)], { cwd: project })
  for (const { file, runs } of examples) if (runs) ends(machine, ["node", file], { cwd: project })
}

/** Writes the examples of the packages' READMEs into the project, with the tools that they name; returns the files. */
const writeExamples = (
  project: string,
  chosen: (manifest: Manifest) => boolean
): ReadonlyArray<{ readonly file: string; readonly runs: boolean }> => {
  for (const tool of ["Deploy.ts", "DeployAsync.ts"]) {
    copyFileSync(join(repository, "examples/deploy/src", tool), join(project, tool))
  }
  return globSync("{packages,apps}/*/README.md", { cwd: repository }).flatMap((readme) => {
    if (!chosen(manifest(join(repository, readme, "../package.json")))) return []
    const examples = fencesOf(readme).filter(({ info }) => info === "ts" || info === "ts run")
    assert.notEqual(examples.length, 0, `${readme} has no example`)
    return examples.map(({ body, info }, index) => {
      const file = `${readme.split("/")[1]}-${index}.ts`
      writeFileSync(join(project, file), body)
      return { file, runs: info === "ts run" }
    })
  })
}

const inProject = (outer: Machine, project: string): Machine => ({
  ...outer,
  path: `${join(project, "node_modules/.bin")}:${ownNode}:${outer.path}`
})

/** The project as pnpm lays it out: each package can import only its own dependencies. */
const inPnpm = async (
  outer: Machine,
  { checks, more, packed }: Readonly<Record<"packed" | "more" | "checks", ReadonlyArray<string>>>
): Promise<void> => {
  const project = join(outer.folder, "pnpm-project")
  mkdirSync(project)
  const named = packed.map((file) => [nameOf(file), `file:${file}`] as const)
  const tools = more.map((wanted) => [
    wanted.slice(0, wanted.lastIndexOf("@")),
    wanted.slice(wanted.lastIndexOf("@") + 1)
  ])
  const dependencies = Object.fromEntries([...named, ...tools])
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ name: "somebody", private: true, type: "module", dependencies })
  )
  const overrides = named.map(([name, file]) => `  "${name}": "${file}"`)
  writeFileSync(
    join(project, "pnpm-workspace.yaml"),
    ["overrides:", ...overrides, "strictDepBuilds: false", ""].join("\n")
  )
  ends(outer, [...pnpm, "install"], { cwd: project })
  const machine = inProject(outer, project)
  // npm takes minutes of processor time to resolve the frameworks, pnpm seconds.
  loads(machine, project, needsFrameworks)
  plays(machine, project, { chosen: needsFrameworks, checks })
  await foreign(machine, project, checks)
  ownPack(machine, project)
}

/** The newest line of Node, which this program runs on: a folder with the program alone. */
const ownNode = dirname(process.execPath)

/** The folder of each line of Node that packages run on; the older ones are installed. */
const nodes = (outer: Machine, npmInstall: ReadonlyArray<string>): ReadonlyArray<readonly [string, string]> => [
  ...["22", "24"].map((version) => {
    const folder = join(outer.folder, `node-${version}`)
    ends(outer, [...npmInstall, "--prefix", folder, `node@${version}`], { cwd: outer.folder })
    return [version, join(folder, "node_modules/.bin")] as const
  }),
  ["26", ownNode]
]

/** The maximum size of the command that is installed from files, with everything that it needs. */
const largestMebibytes = 700

/** `bough` as it is installed from the files of a clone, by one package that refers to the others. */
const installedFromFiles = (outer: Machine, tarballs: string): void => {
  const prefix = join(outer.folder, "from-files")
  const npm = ["npm", "install", "--global", "--no-audit", "--no-fund", "--prefix", prefix]
  ends(outer, [...npm, writeInstaller(tarballs)], { cwd: outer.folder })
  const machine = { ...outer, path: `${ownNode}:${join(prefix, "bin")}:${outer.path}` }
  assert.match(ends(machine, ["bough", "--version"], { cwd: outer.folder }), /^bough v/)
  const mebibytes = Number.parseInt(ends(outer, ["du", "-sm", prefix], { cwd: outer.folder }), 10)
  assert.ok(mebibytes < largestMebibytes, `the installed command takes ${mebibytes} MiB`)
  console.log(`installed from files: ${mebibytes} MiB`)
}

/** `bough` as an installed command: on the PATH, in any folder, on each line of Node. */
const installedCommand = (outer: Machine, npmInstall: ReadonlyArray<string>): void => {
  const prefix = join(outer.folder, "global")
  const elsewhere = join(outer.folder, "elsewhere")
  mkdirSync(elsewhere)
  writeFileSync(join(elsewhere, "hello.txt"), "hello from any folder\n")
  ends(outer, [...npmInstall, "--global", "--prefix", prefix, "@bough/cli"], { cwd: elsewhere })
  for (const [version, node] of nodes(outer, npmInstall)) {
    const machine = { ...outer, path: `${prefix}/bin:${node}:${outer.path}` }
    assert.match(ends(machine, ["node", "--version"], { cwd: elsewhere }), new RegExp(`^v${version}\\.`))
    const output = ends(machine, ["sh", "-c", 'bough run "read hello.txt" 2>&1'], { cwd: elsewhere })
    assert.match(output, /hello from any folder/)
    assert.doesNotMatch(output, /Warning/)
    console.log(`installed with npm, on Node ${version}: bough runs`)
  }
}

await withMachine(async (outer) => {
  const tarballs = join(outer.folder, "tarballs")
  const project = join(outer.folder, "project")
  mkdirSync(tarballs)
  mkdirSync(project)
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "somebody", private: true, type: "module" }))
  copyFileSync(join(repository, "test/slow/fixtures/use.ts"), join(project, "use.ts"))

  const packed = pack(outer, tarballs)
  await checkShapes(outer, packed)
  const registry = await ScopeRegistry.start(tarballs)
  const npmInstall = ["npm", "install", "--no-audit", "--no-fund", `--@bough:registry=${registry.url}`]
  installedCommand(outer, npmInstall)
  installedFromFiles(outer, tarballs)
  const tools = manifest(join(repository, "package.json")) as Manifest & { devDependencies: Record<string, string> }
  const esbuild = `esbuild@${tools.devDependencies["esbuild"]}`
  const typescript = `typescript@${manifest(join(repository, "node_modules/typescript/package.json")).version}`
  const nodeTypes = `@types/node@${manifest(join(repository, "node_modules/@types/node/package.json")).version}`
  const vite = `vite@${tools.devDependencies["vite"]}`
  const more = [typescript, esbuild, vite, nodeTypes, ...libraries]
  // A package outside of the scope comes as a tarball.
  const own = packed.map((file) => (nameOf(file).startsWith("@bough/") ? nameOf(file) : file))
  ends(outer, [...npmInstall, ...own, ...more], { cwd: project })
  registry.close()

  // The following commands run as in the project, with the newest Node.
  const machine = inProject(outer, project)
  for (const file of globSync("node_modules/@bough/*/package.json", { cwd: project })) {
    const { dependencies, peerDependencies } = manifest(join(project, file))
    assert.doesNotMatch(JSON.stringify({ dependencies, peerDependencies }), /workspace:|catalog:/, file)
  }

  const isPlain = (found: Manifest): boolean => !needsFrameworks(found)
  loads(machine, project, isPlain)

  const strict = [
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2024",
    "--lib",
    "es2025,esnext.disposable"
  ]
  const checks = [...strict, "--types", "node", "--skipLibCheck", "--allowImportingTsExtensions"]
  plays(machine, project, { chosen: isPlain, checks, beside: ["use.ts"] })
  checkDeclarations(machine, project, { checks: [...strict, "--types", "node"], modules: modulesIn(project, isPlain) })

  const used = JSON.parse(ends(machine, ["node", "use.ts"], { cwd: project }))
  assert.equal(used.written.status, "success")
  assert.equal(used.read.status, "success")
  assert.match(JSON.stringify(used.read.result), /two/)
  assert.doesNotMatch(JSON.stringify(used.read.result), /one/)
  assert.notEqual(used.escaped.status, "success")

  writeFileSync(join(project, "hello.txt"), "hello from a tarball\n")
  assert.match(ends(machine, ["bough", "run", "read hello.txt"], { cwd: project }), /hello from a tarball/)
  await foreign(machine, project, checks)
  ownPack(machine, project)

  const gateway = packed.find((file) => /bough-gateway-\d[^/]*\.tgz$/u.test(file)) ?? ""
  packedGateway.checkTarball(outer, gateway)
  await packedGateway.serves(machine, project, ["npx", "--no-install", "bough-gateway"])
  const image = packedGateway.installAsImage(outer, tarballs)
  await packedGateway.serves({ ...outer, path: `${ownNode}:${outer.path}` }, image, [
    join(image, "node_modules/.bin/bough-gateway")
  ])
  await inPnpm(outer, { packed, more: [...more, ...frameworks()], checks })
})
