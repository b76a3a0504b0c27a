/**
 * Finds the files that a file imports, by the names in its import statements. Pure: only files that were read are
 * considered.
 */
import { dirname, join } from "node:path/posix"
import type { ReadFile } from "./workspaceSymbols.ts"

/** A package of the workspace: the directory of its `package.json`, its name and its entry modules. */
export interface WorkspacePackage {
  readonly directory: string
  readonly name: string
  /** Files by subpath, such as "." or "./*", as `exports` lists them. */
  readonly entries: ReadonlyArray<readonly [subpath: string, file: string]>
}

/** Returns the indices of the files that each file imports, also through re-exports. */
export const importGraph = (
  files: ReadonlyArray<ReadFile>,
  packages: ReadonlyArray<WorkspacePackage>
): ReadonlyArray<ReadonlySet<number>> => {
  const index = new Map(files.map(({ path }, at) => [path, at]))
  const byName = new Map(packages.map((one) => [one.name, one]))
  const bySuffix = suffixes(files)
  const resolveIn = (at: number, modules: ReadonlyArray<string>): ReadonlyArray<number> => {
    const file = files[at]
    if (file === undefined) return []
    return modules.flatMap((name) => {
      const candidates = candidatesFor(file, name, byName)
      const found = candidates.find((path) => index.has(path))
      return (found === undefined ? null : index.get(found)) ?? bySuffix(file, name) ?? []
    })
  }
  const direct = files.map(({ file }, at) => resolveIn(at, file.imports))
  const passedOn = files.map(({ file }, at) => resolveIn(at, file.reexports))
  return direct.map((targets, at) => {
    const reached = new Set(targets)
    // The set grows while it is iterated, which follows re-exports of any depth.
    for (const target of reached) for (const inner of passedOn[target] ?? []) reached.add(inner)
    reached.delete(at)
    return reached
  })
}

const scripts = ["ts", "tsx", "mts", "cts", "d.ts", "js", "jsx", "mjs", "cjs"]

/** Returns the paths to which a module's name may refer, the likeliest first. */
const candidatesFor = (
  { language, path }: ReadFile,
  name: string,
  packages: ReadonlyMap<string, WorkspacePackage>
): ReadonlyArray<string> => {
  switch (language) {
    case "javascript":
    case "typescript":
    case "tsx": {
      if (name.startsWith(".")) return scriptPaths(join(dirname(path), name))
      const parts = name.split("/")
      const workspacePackage = packages.get(parts.slice(0, name.startsWith("@") ? 2 : 1).join("/"))
      return workspacePackage === undefined
        ? []
        : entryPaths(workspacePackage, name.slice(workspacePackage.name.length))
    }
    case "python":
      return pythonPaths(path, name)
    case "c":
    case "cpp":
      return [join(dirname(path), name)]
    default:
      return []
  }
}

const scriptPaths = (path: string): ReadonlyArray<string> => {
  const stem = path.replace(/\.(?:[cm]?js|jsx)$/u, "")
  return [
    path,
    ...scripts.map((extension) => `${stem}.${extension}`),
    ...scripts.map((extension) => `${path}/index.${extension}`)
  ]
}

const entryPaths = ({ directory, entries }: WorkspacePackage, rest: string): ReadonlyArray<string> => {
  const subpath = `.${rest}`
  const listed = entries.flatMap(([key, file]) => {
    const [before = "", after] = key.split("*")
    if (after === undefined) return key === subpath ? [file] : []
    const fits = subpath.startsWith(before) && subpath.endsWith(after) && subpath.length >= before.length + after.length
    return fits ? [file.replaceAll("*", subpath.slice(before.length, subpath.length - after.length))] : []
  })
  const guessed = rest === "" ? ["src/index", "index"] : [`src${rest}`, rest.slice(1)]
  return [...listed, ...guessed].flatMap((file) => scriptPaths(join(directory, file)))
}

/**
 * Returns paths beside the file for a relative name; otherwise paths from its directory and each one above, and from the
 * `src` in each.
 */
const pythonPaths = (path: string, name: string): ReadonlyArray<string> => {
  const dots = /^\.*/u.exec(name)?.[0].length ?? 0
  const inner = name.slice(dots).replaceAll(".", "/")
  const starts: Array<string> = []
  if (dots > 0) starts.push(join(dirname(path), ...Array.from({ length: dots - 1 }, () => "..")))
  else {
    for (let at = dirname(path); ; at = dirname(at)) {
      starts.push(at, join(at, "src"))
      if (at === "." || at === "/") break
    }
  }
  return starts.flatMap((start) =>
    inner === "" ? [join(start, "__init__.py")] : [join(start, `${inner}.py`), join(start, inner, "__init__.py")]
  )
}

/** Finds files by the end of their path, for headers, Java classes and Go packages. */
const suffixes = (files: ReadonlyArray<ReadFile>) => {
  const byEnd = new Map<string, Array<number>>()
  const add = (end: string, at: number): void => {
    const known = byEnd.get(end)
    if (known === undefined) byEnd.set(end, [at])
    else known.push(at)
  }
  for (const [at, { language, path }] of files.entries()) {
    const end = language === "java" ? path.replace(/\.java$/u, "") : language === "go" ? dirname(path) : path
    if (!["java", "go", "c", "cpp"].includes(language)) continue
    const parts = end.split("/")
    for (let from = 0; from < parts.length; from++)
      add(`${language === "go" ? "go" : ""}:${parts.slice(from).join("/")}`, at)
  }
  return ({ language }: ReadFile, name: string): ReadonlyArray<number> | null => {
    if (language === "java") return unique(byEnd.get(`:${name.replaceAll(".", "/")}`))
    if (language === "c" || language === "cpp") return unique(byEnd.get(`:${name}`))
    if (language !== "go") return null
    // Uses the longest end of the import path that is a directory of the workspace.
    const parts = name.split("/")
    for (let from = 0; from < parts.length; from++) {
      const found = byEnd.get(`go:${parts.slice(from).join("/")}`)
      if (found !== undefined) return found
    }
    return null
  }
}

const unique = (found: ReadonlyArray<number> | undefined): ReadonlyArray<number> | null =>
  found?.length === 1 ? found : null
