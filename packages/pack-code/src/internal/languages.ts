/**
 * The languages whose symbols are found: their file names, their grammars, and the rules by which comments document a
 * declaration.
 */
import * as Queries from "./queries.ts"

export interface Language {
  readonly name: string
  readonly extensions: ReadonlyArray<string>
  /** The WebAssembly of the grammar, as a module specifier. */
  readonly grammar: string
  readonly query: string
  /**
   * The position of documentation. `marked`: comments that begin with a documentation marker. `any`: each comment right
   * above. `string`: the first string of the body.
   */
  readonly docs: "marked" | "any" | "string"
}

const bundled = "@vscode/tree-sitter-wasm/wasm/tree-sitter-"

export const languages: ReadonlyArray<Language> = [
  { name: "rust", extensions: ["rs"], grammar: `${bundled}rust.wasm`, query: Queries.rust, docs: "marked" },
  {
    name: "python",
    extensions: ["py", "pyi"],
    grammar: `${bundled}python.wasm`,
    query: Queries.python,
    docs: "string"
  },
  {
    name: "javascript",
    extensions: ["js", "mjs", "cjs", "jsx"],
    grammar: `${bundled}javascript.wasm`,
    query: Queries.javascript,
    docs: "marked"
  },
  {
    name: "typescript",
    extensions: ["ts", "mts", "cts"],
    grammar: `${bundled}typescript.wasm`,
    query: Queries.typescript,
    docs: "marked"
  },
  { name: "tsx", extensions: ["tsx"], grammar: `${bundled}tsx.wasm`, query: Queries.typescript, docs: "marked" },
  { name: "go", extensions: ["go"], grammar: `${bundled}go.wasm`, query: Queries.go, docs: "any" },
  { name: "java", extensions: ["java"], grammar: `${bundled}java.wasm`, query: Queries.java, docs: "marked" },
  { name: "c", extensions: ["c", "h"], grammar: "tree-sitter-c/tree-sitter-c.wasm", query: Queries.c, docs: "any" },
  {
    name: "cpp",
    extensions: ["cc", "cpp", "cxx", "hh", "hpp", "hxx", "ipp"],
    grammar: `${bundled}cpp.wasm`,
    query: Queries.cpp,
    docs: "any"
  },
  { name: "csharp", extensions: ["cs"], grammar: `${bundled}c-sharp.wasm`, query: Queries.csharp, docs: "marked" },
  { name: "ruby", extensions: ["rb", "rake"], grammar: `${bundled}ruby.wasm`, query: Queries.ruby, docs: "any" },
  { name: "php", extensions: ["php"], grammar: `${bundled}php.wasm`, query: Queries.php, docs: "marked" },
  { name: "bash", extensions: ["sh", "bash"], grammar: `${bundled}bash.wasm`, query: Queries.bash, docs: "any" }
]

export const byName: ReadonlyMap<string, Language> = new Map(languages.map((language) => [language.name, language]))

const byExtension: ReadonlyMap<string, Language> = new Map(
  languages.flatMap((language) => language.extensions.map((extension) => [extension, language] as const))
)

/** The names of all files that can be parsed. */
export const glob = `*.{${[...byExtension.keys()].join(",")}}`

/** Treats a header file as C++ if it contains a construct that C lacks. */
const isCpp = /^[^\S\n]*(?:class|namespace|template|using|public:|private:|protected:)(?:\s|<|$)/mu

/** Returns the language; null: the name belongs to no known language. */
export const languageOf = (path: string, head: () => string): Language | null => {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase()
  const language = byExtension.get(extension) ?? null
  return extension === "h" && isCpp.test(head()) ? (byName.get("cpp") ?? language) : language
}
