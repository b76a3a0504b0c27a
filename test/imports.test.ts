/** Tests of the imports between the files of a package: no cycles, and folders with an order. Type imports count. */
import { assert, describe, it } from "@effect/vitest"
import { dirname, join } from "node:path"
import { sources, text } from "./repository.ts"

/** The relative paths that a source names in `import`, `export … from`, `import(…)` and `import("…").T`. */
const importedPaths = (source: string): ReadonlyArray<string> =>
  Array.from(source.matchAll(/\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/gu), ([, path]) => path)

type Graph = ReadonlyMap<string, ReadonlyArray<string>>

const graphOf = (files: ReadonlyArray<string>, read: (file: string) => string): Graph => {
  const known = new Set(files)
  return new Map(
    files.map((file) => [
      file,
      importedPaths(read(file))
        .map((path) => join(dirname(file), path))
        .filter((imported) => known.has(imported))
    ])
  )
}

/** Files that reach each other, by Tarjan's strongly connected components. */
const circlesOf = (graph: Graph): ReadonlyArray<ReadonlyArray<string>> => {
  const order = new Map<string, number>()
  const open: Array<string> = []
  const circles: Array<ReadonlyArray<string>> = []
  const visit = (file: string): number => {
    const index = order.size
    let low = index
    order.set(file, index)
    open.push(file)
    for (const imported of graph.get(file) ?? []) {
      if (!order.has(imported)) low = Math.min(low, visit(imported))
      else if (open.includes(imported)) low = Math.min(low, order.get(imported) ?? low)
    }
    if (low !== index) return low
    const members = open.splice(open.indexOf(file))
    if (members.length > 1 || (graph.get(file) ?? []).includes(file)) circles.push(members)
    return low
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return circles
}

const moduleName = (file: string): string => file.replace(/^.*\//u, "").replace(/\.tsx?$/u, "")

const named = (circle: ReadonlyArray<string>): string => circle.map(moduleName).toSorted().join(" – ")

const graph = graphOf(sources, text)

/**
 * The folders that the files of each folder of the runtime may import, beside their own and the modules outside of
 * folders.
 */
const runtimeFolders: Readonly<Record<string, ReadonlyArray<string>>> = {
  ports: [],
  journal: ["ports"],
  budget: ["journal", "ports"],
  approval: ["budget", "journal", "ports"],
  compaction: ["budget", "journal", "ports", "session"],
  chain: ["journal", "ports", "session"],
  session: ["approval", "budget", "chain", "compaction", "journal", "ports", "tree"],
  tree: ["approval", "budget", "journal", "ports", "session"],
  host: ["journal", "ports", "session"],
  testing: ["journal", "ports", "session"]
}

/** The folders of the host: sessions consist of the others, and only approvals and configuration files import sessions. */
const hostFolders: Readonly<Record<string, ReadonlyArray<string>>> = {
  skills: ["config"],
  agents: ["config", "skills"],
  commands: ["agents", "config", "skills"],
  hooks: ["config"],
  mcp: [],
  languageServers: [],
  keys: ["config"],
  login: [],
  project: ["agents", "commands", "mcp", "skills"],
  rules: ["config"],
  config: [
    "agents",
    "commands",
    "hooks",
    "keys",
    "languageServers",
    "login",
    "mcp",
    "project",
    "rules",
    "session",
    "skills"
  ],
  model: ["config", "login"],
  memory: ["config", "project"],
  session: ["agents", "config", "hooks", "languageServers", "login", "memory", "model", "project", "rules", "skills"],
  approval: ["session"]
}

/**
 * The folders that files of a folder of the command line never import: the code that runs a conversation imports no UI.
 */
const cliFolders: Readonly<Record<string, ReadonlyArray<string>>> = {
  io: ["commands", "ui/conversation", "ui/plain", "ui/tui"],
  format: ["commands", "ui/conversation", "ui/tui"],
  "ui/conversation": ["commands", "ui/plain", "ui/tui"],
  "ui/plain": ["commands", "ui/tui"],
  "ui/tui": ["commands"]
}

interface Import {
  readonly file: string
  /** The folder of the file, below `src`; "" for one outside of the folders. */
  readonly folder: string
  readonly imported: string
  readonly into: string
}

/** Imports that leave their folder, below one `src`. */
const importsAcross = (within: string, folderOf: (file: string) => string): ReadonlyArray<Import> =>
  Array.from(graph)
    .filter(([file]) => file.startsWith(`${within}/`))
    .flatMap(([file, imported]) =>
      imported.map((path) => ({ file, folder: folderOf(file), imported: path, into: folderOf(path) }))
    )
    .filter(({ folder, into }) => folder !== into)

/** The first folder below `src`; the first two below `ui`. */
const folderBelow =
  (within: string) =>
  (file: string): string =>
    /^(?:ui\/)?[^/]+(?=\/)/u.exec(file.slice(within.length + 1))?.[0] ?? ""

const describeImport = ({ file, imported }: Import): string => `${file} imports ${imported}`

describe("imports", () => {
  it("finds circles through types, re-exports and dynamic imports, and no others", () => {
    const files: Readonly<Record<string, string>> = {
      "a/One.ts": 'import type { Two } from "./Two.ts"',
      "a/Two.ts": 'export * from "../b/Three.ts"\nimport * as Four from "./Four.ts"',
      "b/Three.ts": 'type One = import("../a/One.ts").One',
      "a/Four.ts": 'import { Five } from "./Five.ts"',
      "a/Five.ts": 'import "effect"',
      "a/Six.ts": 'const six = () => import(\n  "./Six.ts"\n)'
    }
    const found = circlesOf(graphOf(Object.keys(files), (file) => files[file]))
    assert.deepStrictEqual(found.map(named), ["One – Three – Two", "Six"])
  })

  it("sees the sources", () => {
    assert.isAbove(graph.size, 500)
    assert.isAbove(Array.from(graph.values()).flat().length, 1000)
  })

  it("has no circles between files", () => {
    assert.deepStrictEqual(circlesOf(graph).map(named), [])
  })

  it("lets the folders of the runtime import only folders below them", () => {
    const within = "packages/runtime/src"
    const imports = importsAcross(within, folderBelow(within))
    assert.isAbove(imports.length, 200)
    const folders = new Set(imports.flatMap(({ folder, into }) => [folder, into]).filter((folder) => folder !== ""))
    assert.deepStrictEqual([...folders].toSorted(), Object.keys(runtimeFolders).toSorted())
    const isEntry = (file: string) => file === `${within}/index.ts` || file === `${within}/testing.ts`
    const allowed = ({ file, folder, into }: Import) =>
      isEntry(file) || into === "" || (runtimeFolders[folder] ?? []).includes(into)
    assert.deepStrictEqual(imports.filter((one) => !allowed(one)).map(describeImport), [])
  })

  it("lets the folders of the host import only their parts", () => {
    const within = "packages/host/src"
    const imports = importsAcross(within, folderBelow(within))
    assert.isAbove(imports.length, 60)
    const folders = new Set(imports.flatMap(({ folder, into }) => [folder, into]).filter((folder) => folder !== ""))
    assert.deepStrictEqual([...folders].toSorted(), Object.keys(hostFolders).toSorted())
    const besides = new Set(
      ["ConfigFields", "HostContext", "HostFailure", "Packs"].map((name) => `${within}/${name}.ts`)
    )
    const allowed = ({ folder, imported, into }: Import) =>
      folder === "" || (into === "" ? besides.has(imported) : (hostFolders[folder] ?? []).includes(into))
    assert.deepStrictEqual(imports.filter((one) => !allowed(one)).map(describeImport), [])
  })

  it("lets the code that runs a conversation import no screen, and no screen a command", () => {
    const within = "apps/cli/src"
    const imports = importsAcross(within, folderBelow(within))
    assert.includeMembers(
      imports.map(({ folder }) => folder),
      Object.keys(cliFolders)
    )
    assert.deepStrictEqual(
      imports.filter(({ folder, into }) => (cliFolders[folder] ?? []).includes(into)).map(describeImport),
      []
    )
  })
})
