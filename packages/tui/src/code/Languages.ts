/**
 * The languages that can be coloured, and the names by which fences and files refer to them. Data; grammars are loaded on
 * use.
 */
import type { LanguageFn } from "highlight.js"

/** Each loader names this type: declarations that refer to the modules of the grammars would not compile elsewhere. */
type Grammar = Promise<{ readonly default: LanguageFn }>

export const grammars = {
  bash: (): Grammar => import("highlight.js/lib/languages/bash"),
  c: (): Grammar => import("highlight.js/lib/languages/c"),
  cpp: (): Grammar => import("highlight.js/lib/languages/cpp"),
  csharp: (): Grammar => import("highlight.js/lib/languages/csharp"),
  css: (): Grammar => import("highlight.js/lib/languages/css"),
  diff: (): Grammar => import("highlight.js/lib/languages/diff"),
  dockerfile: (): Grammar => import("highlight.js/lib/languages/dockerfile"),
  elixir: (): Grammar => import("highlight.js/lib/languages/elixir"),
  go: (): Grammar => import("highlight.js/lib/languages/go"),
  graphql: (): Grammar => import("highlight.js/lib/languages/graphql"),
  haskell: (): Grammar => import("highlight.js/lib/languages/haskell"),
  ini: (): Grammar => import("highlight.js/lib/languages/ini"),
  java: (): Grammar => import("highlight.js/lib/languages/java"),
  javascript: (): Grammar => import("highlight.js/lib/languages/javascript"),
  json: (): Grammar => import("highlight.js/lib/languages/json"),
  kotlin: (): Grammar => import("highlight.js/lib/languages/kotlin"),
  lua: (): Grammar => import("highlight.js/lib/languages/lua"),
  makefile: (): Grammar => import("highlight.js/lib/languages/makefile"),
  nix: (): Grammar => import("highlight.js/lib/languages/nix"),
  perl: (): Grammar => import("highlight.js/lib/languages/perl"),
  php: (): Grammar => import("highlight.js/lib/languages/php"),
  powershell: (): Grammar => import("highlight.js/lib/languages/powershell"),
  python: (): Grammar => import("highlight.js/lib/languages/python"),
  ruby: (): Grammar => import("highlight.js/lib/languages/ruby"),
  rust: (): Grammar => import("highlight.js/lib/languages/rust"),
  scala: (): Grammar => import("highlight.js/lib/languages/scala"),
  scss: (): Grammar => import("highlight.js/lib/languages/scss"),
  sql: (): Grammar => import("highlight.js/lib/languages/sql"),
  swift: (): Grammar => import("highlight.js/lib/languages/swift"),
  typescript: (): Grammar => import("highlight.js/lib/languages/typescript"),
  xml: (): Grammar => import("highlight.js/lib/languages/xml"),
  yaml: (): Grammar => import("highlight.js/lib/languages/yaml")
} as const

export type Language = keyof typeof grammars

/** Other names, including file name extensions. */
const aliases: Readonly<Record<string, Language>> = {
  sh: "bash",
  shell: "bash",
  zsh: "bash",
  console: "bash",
  h: "c",
  cc: "cpp",
  cxx: "cpp",
  hpp: "cpp",
  "c++": "cpp",
  cs: "csharp",
  patch: "diff",
  docker: "dockerfile",
  ex: "elixir",
  exs: "elixir",
  golang: "go",
  gql: "graphql",
  hs: "haskell",
  toml: "ini",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsonc: "json",
  json5: "json",
  kt: "kotlin",
  kts: "kotlin",
  make: "makefile",
  mk: "makefile",
  pl: "perl",
  ps1: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sass: "scss",
  ts: "typescript",
  tsx: "typescript",
  mts: "typescript",
  cts: "typescript",
  html: "xml",
  svg: "xml",
  vue: "xml",
  yml: "yaml"
}

const isLanguage = (name: string): name is Language => Object.hasOwn(grammars, name)

/** Returns the language of a fence such as `ts title="x"`; null: unknown. */
export const fromFence = (info: string): Language | null => {
  const name = (/^[^\s{,:]+/u.exec(info.trim())?.[0] ?? "").toLowerCase()
  if (isLanguage(name)) return name
  return Object.hasOwn(aliases, name) ? aliases[name] : null
}

/** Returns the language of a file by its name; null: unknown. */
export const fromPath = (path: string): Language | null => {
  const name = (path.split(/[/\\]/u).at(-1) ?? "").toLowerCase()
  const ending = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : name
  return fromFence(ending)
}
