/** Writes the imports of the capabilities that a source uses, from the same modules as in the source. */
import type { ImportDeclaration, ModuleExportName, SourceFile } from "typescript/unstable/ast"
import {
  isIdentifier,
  isImportDeclaration,
  isNamedImports,
  isNamespaceImport,
  isStringLiteral
} from "typescript/unstable/ast/is"

interface UsedNames {
  /** The module name of the source itself, for names that it declares. */
  readonly specifier: string
  readonly used: ReadonlySet<string>
}

export const importsOf = (source: SourceFile, { specifier, used }: UsedNames): ReadonlyArray<string> => {
  const unresolved = new Set(used)
  const named = new Map<string, Array<string>>()
  const statements: Array<string> = []
  const add = (from: string, text: string) => named.set(from, [...(named.get(from) ?? []), text])
  for (const declaration of source.statements.filter(isImportDeclaration)) {
    const from = isStringLiteral(declaration.moduleSpecifier) ? declaration.moduleSpecifier.text : ""
    for (const { form, local, text } of bindingsOf(declaration)) {
      if (!unresolved.delete(local)) continue
      if (form === "Named") add(from, text)
      else statements.push(`import ${text} from ${JSON.stringify(from)}`)
    }
  }
  for (const name of unresolved) add(specifier, name)
  const lists = [...named].map(
    ([from, names]) => `import { ${names.toSorted().join(", ")} } from ${JSON.stringify(from)}`
  )
  return [...lists, ...statements].toSorted()
}

/** Formats the name of an export, which may be any text. */
const exportedText = (name: ModuleExportName): string => (isIdentifier(name) ? name.text : JSON.stringify(name.text))

interface Binding {
  readonly local: string
  readonly text: string
  readonly form: "Named" | "Whole"
}

const bindingsOf = ({ importClause }: ImportDeclaration): ReadonlyArray<Binding> => {
  const { name, namedBindings } = importClause ?? {}
  const defaultImport: ReadonlyArray<Binding> =
    name === undefined ? [] : [{ local: name.text, text: name.text, form: "Whole" }]
  if (namedBindings === undefined) return defaultImport
  if (isNamespaceImport(namedBindings)) {
    const { text } = namedBindings.name
    return [...defaultImport, { local: text, text: `* as ${text}`, form: "Whole" }]
  }
  if (!isNamedImports(namedBindings)) return defaultImport
  const named = namedBindings.elements.map((element): Binding => {
    const local = element.name.text
    return {
      local,
      form: "Named",
      text: element.propertyName === undefined ? local : `${exportedText(element.propertyName)} as ${local}`
    }
  })
  return [...defaultImport, ...named]
}
