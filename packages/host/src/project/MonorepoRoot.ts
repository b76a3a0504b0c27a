/**
 * Decides whether a directory is the root of a monorepo with a folder as a member, by the files in which package
 * managers list members: pnpm, npm, Yarn, Bun, Lerna, Cargo, Go and uv.
 */
import * as Result from "effect/Result"
import ignore from "ignore"
import { readFileSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { parse as parseYaml } from "yaml"

/** Larger files are not read. */
const maxBytes = 1_000_000

const strings = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : []

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** Returns the text between the brackets that the pattern opens, once: a search for each opening would be slow. */
const listAfter = (text: string, opening: RegExp): string => {
  const found = opening.exec(text)
  const from = found === null ? -1 : found.index + found[0].length
  const to = from === -1 ? -1 : text.indexOf("]", from)
  return to === -1 ? "" : text.slice(from, to)
}

/** Reads a list of strings from a table of a TOML file, such as `members` of `[workspace]`. */
const tomlList = (text: string, table: string, name: string): ReadonlyArray<string> => {
  const lines = text.split("\n").map((line) => line.replace(/^((?:[^#"']|"[^"]*"|'[^']*')*)#.*$/u, "$1"))
  const from = lines.findIndex((line) => line.trim() === `[${table}]`)
  if (from === -1) return []
  const rest = lines.slice(from + 1)
  const to = rest.findIndex((line) => /^\s*\[[^\]"',]+\]\s*$/u.test(line))
  const body = rest.slice(0, to === -1 ? undefined : to).join("\n")
  const list = listAfter(body, new RegExp(String.raw`^[^\S\n]*${name}[^\S\n]*=[^\S\n]*\[`, "mu"))
  return Array.from(list.matchAll(/"([^"]*)"|'([^']*)'/gu), ([, double, single]) => double ?? single ?? "")
}

const tomlMembers = (text: string, table: string): ReadonlyArray<string> => [
  ...tomlList(text, table, "members"),
  ...tomlList(text, table, "exclude").map((pattern) => `!${pattern}`)
]

const goMembers = (text: string): ReadonlyArray<string> => {
  const code = text.replaceAll(/\/\/.*$/gmu, "")
  const blocks = Array.from(code.matchAll(/^[^\S\n]*use[^\S\n]*\(([^)]*)\)/gmu), ([, block = ""]) => block.split("\n"))
  const single = Array.from(code.matchAll(/^[^\S\n]*use[^\S\n]+([^\s(]+)[^\S\n]*$/gmu), ([, path = ""]) => path)
  return [...blocks.flat(), ...single].map((path) => path.trim()).filter((path) => path !== "")
}

/** The files, each with a reader of its member patterns; a pattern that begins with `!` excludes. */
const files: ReadonlyArray<readonly [name: string, members: (text: string) => ReadonlyArray<string>]> = [
  ["pnpm-workspace.yaml", (text) => strings(field(parseYaml(text), "packages"))],
  [
    "package.json",
    (text) => {
      const workspaces = field(JSON.parse(text), "workspaces")
      return strings(Array.isArray(workspaces) ? workspaces : field(workspaces, "packages"))
    }
  ],
  ["lerna.json", (text) => strings(field(JSON.parse(text), "packages"))],
  ["Cargo.toml", (text) => tomlMembers(text, "workspace")],
  ["go.work", goMembers],
  ["pyproject.toml", (text) => tomlMembers(text, "tool.uv.workspace")]
]

/** Anchors a pattern at the root. */
const anchor = (pattern: string): string => {
  const [negation, path] = pattern.startsWith("!") ? ["!", pattern.slice(1)] : ["", pattern]
  return `${negation}/${path.replace(/^(?:\.\/|\/)+/u, "").replace(/\/+$/u, "")}`
}

const membersIn = (file: string, members: (text: string) => ReadonlyArray<string>): ReadonlyArray<string> =>
  Result.getOrElse(
    Result.try(() => {
      const { size } = statSync(file)
      return statSync(file).isFile() && size <= maxBytes ? members(readFileSync(file, "utf8")) : []
    }),
    // A file that its package manager could not read counts as listing no members.
    () => []
  )

/** True if a package manager's file in the directory lists the folder, or one around it, as a member. */
export const hasMember = (directory: string, folder: string): boolean => {
  const path = relative(directory, folder)
  return files.some(([name, members]) => {
    const patterns = membersIn(join(directory, name), members).filter((pattern) => !pattern.includes(".."))
    // Such patterns also match everything below a matched directory.
    return patterns.length > 0 && ignore().add(patterns.map(anchor)).ignores(path)
  })
}
