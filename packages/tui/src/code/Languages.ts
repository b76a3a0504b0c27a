/**
 * The languages that can be coloured, and the names by which fences and files refer to them. Data; grammars are loaded on
 * use.
 */
import type { LanguageFn } from "highlight.js"

type Grammar = Promise<{ readonly default: LanguageFn }>

export const grammars = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  diff: () => import("highlight.js/lib/languages/diff"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
  elixir: () => import("highlight.js/lib/languages/elixir"),
  go: () => import("highlight.js/lib/languages/go"),
  graphql: () => import("highlight.js/lib/languages/graphql"),
  haskell: () => import("highlight.js/lib/languages/haskell"),
  ini: () => import("highlight.js/lib/languages/ini"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  lua: () => import("highlight.js/lib/languages/lua"),
  makefile: () => import("highlight.js/lib/languages/makefile"),
  nix: () => import("highlight.js/lib/languages/nix"),
  perl: () => import("highlight.js/lib/languages/perl"),
  php: () => import("highlight.js/lib/languages/php"),
  powershell: () => import("highlight.js/lib/languages/powershell"),
  python: () => import("highlight.js/lib/languages/python"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  scala: () => import("highlight.js/lib/languages/scala"),
  scss: () => import("highlight.js/lib/languages/scss"),
  sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml")
} as const satisfies Readonly<Record<string, () => Grammar>>

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
