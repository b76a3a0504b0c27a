/**
 * Imports each module of Bough's packages directly instead of by the package's index. The bundler represents a
 * namespace export of an index as one object with all exports of the module, including those that the program never
 * calls.
 */
import type { Plugin } from "esbuild"
import { readFileSync } from "node:fs"

const packages = new URL("../../../packages/", import.meta.url)

/** Matches `import { … } from "@bough/…"` at the beginning of a line. */
const statement = /^import \{(?<names>[^}]*)\} from "(?<name>@bough\/[a-z-]+)"/gmu

/** Returns the modules that an index exports as namespaces, by their names in the index. */
const modulesOf = (name: string): ReadonlyMap<string, string> => {
  const known = indexes.get(name)
  if (known !== undefined) return known
  const text = readFileSync(new URL(`${name.slice("@bough/".length)}/src/index.ts`, packages), "utf8")
  const found = [...text.matchAll(/^export \* as (\w+) from "\.\/([\w/]+)\.ts"$/gmu)]
  const modules = new Map(found.map(([, exported = "", file = ""]) => [exported, `${name}/${file}`]))
  indexes.set(name, modules)
  return modules
}
const indexes = new Map<string, ReadonlyMap<string, string>>()

/** Returns the module's text with its line numbers unchanged. */
export const direct = (source: string): string =>
  source.replaceAll(statement, (whole, names: string, name: string) => {
    const modules = modulesOf(name)
    const others: Array<string> = []
    const lines: Array<string> = []
    for (const one of names.split(",").map((part) => part.trim())) {
      const [exported = "", local = exported] = one.split(" as ")
      const path = modules.get(exported)
      if (path !== undefined) lines.push(`import * as ${local} from "${path}"`)
      else if (one !== "" && !one.startsWith("type ")) others.push(one)
    }
    if (others.length > 0) lines.push(`import { ${others.join(", ")} } from "${name}"`)
    return lines.join("; ") + "\n".repeat(whole.split("\n").length - 1)
  })

export const directImports: Plugin = {
  name: "direct-imports",
  setup: (bundle) => {
    bundle.onLoad(
      { filter: /[/\\](?:packages[/\\][a-z-]+|cli)[/\\]src[/\\].*\.tsx?$/, namespace: "file" },
      ({ path }) => ({
        loader: path.endsWith("x") ? "tsx" : "ts",
        contents: direct(readFileSync(path, "utf8"))
      })
    )
  }
}
