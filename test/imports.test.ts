/** Who imports whom among the files of one package: no circles, and folders with an order. Type imports count. */
import { assert, describe, it } from "@effect/vitest"
import { dirname, join } from "node:path"
import { sources, text } from "./repository.ts"

/** Circles that are still there, by the names of their modules. A circle that is gone loses its line. */
const knownCircles: ReadonlyArray<ReadonlyArray<string>> = [
  ["ConversationContext", "ConversationUi", "SessionUsage"],
  ["LineScanner", "LineWindow"],
  ["MarkdownRows", "TableRows"]
]

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

  it("has no circles between files but those that are known", () => {
    assert.deepStrictEqual(circlesOf(graph).map(named).toSorted(), knownCircles.map(named).toSorted())
  })
})
