/** The module names in the import statements of a file, as written. */
import type { Node } from "web-tree-sitter"

const maxModules = 1000
const maxLength = 300

export interface ImportedModules {
  readonly take: (node: Node, isReexport: boolean) => void
  readonly all: () => { readonly imports: ReadonlyArray<string>; readonly reexports: ReadonlyArray<string> }
}

export const make = (): ImportedModules => {
  const imports = new Set<string>()
  const reexports = new Set<string>()
  return {
    take: (node, isReexport) => {
      for (const name of namesOf(node)) {
        if (name === "" || name.length > maxLength || imports.size >= maxModules) continue
        imports.add(name)
        if (isReexport) reexports.add(name)
      }
    },
    all: () => ({ imports: [...imports], reexports: [...reexports] })
  }
}

const namesOf = ({ text, type }: Node): ReadonlyArray<string> =>
  type === "import_from_statement" ? fromPython(text) : [text.replaceAll(/^["'`<]|["'`>]$/gu, "")]

/** Handles `from a import b, c as d`, in which b may be a module below a. */
const fromPython = (statement: string): ReadonlyArray<string> => {
  const [, from = "", names = ""] = /^from\s+(\S+)\s+import\s+(.*)$/su.exec(statement) ?? []
  const inner = names.replaceAll(/[()]/gu, "").split(",")
  const below = inner.map((name) => name.trim().split(/\s+/u)[0] ?? "").filter((name) => /^\w+$/u.test(name))
  return [from, ...below.map((name) => (from.endsWith(".") ? `${from}${name}` : `${from}.${name}`))]
}
