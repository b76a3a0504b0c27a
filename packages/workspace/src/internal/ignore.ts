/** The rules of .gitignore files, for one directory's entries; ripgrep applies them to whole trees. */
import * as fs from "node:fs"
import * as Effect from "effect/Effect"
import * as Glob from "effect/Glob"
import { readAll, type View, withFile } from "./openFile.ts"
import { call } from "./systemCall.ts"

/** Whether a name in the directory is left out. */
export type IsIgnored = (name: string, isDirectory: boolean) => boolean

interface Rule {
  readonly glob: Glob.Glob
  readonly isNegated: boolean
  readonly isDirectoryOnly: boolean
  /** Start of the paths that it is about, "" or ending in "/". */
  readonly base: string
}

const maxRuleBytes = 256 * 1024

/** The rules that hold in a directory: its own and those above it, up to the top of the repository. */
export const ignoredIn = Effect.fnUntraced(function* (
  view: View,
  segments: ReadonlyArray<string>
): Effect.fn.Return<IsIgnored> {
  const { above, inner } = yield* repositoryAbove(view.root.path)
  const rules: Array<Rule> = []
  for (const { base, file } of above) {
    const text = yield* call(() => fs.readFileSync(file, "utf8")).pipe(Effect.orElseSucceed(() => ""))
    rules.push(...parse(text, base))
  }
  for (let depth = 0; depth <= segments.length; depth++) {
    const folder = segments
      .slice(0, depth)
      .map((name) => `${name}/`)
      .join("")
    for (const name of [".gitignore", ".ignore"]) {
      const text = yield* readRules(view, folder + name)
      if (text !== "") rules.push(...parse(text, inner + folder))
    }
  }
  const prefix = inner + segments.map((name) => `${name}/`).join("")
  return (name, isDirectory) => {
    const rule = rules.findLast((candidate) => applies(candidate, prefix + name, isDirectory))
    return rule !== undefined && !rule.isNegated
  }
})

const readRules = (view: View, path: string): Effect.Effect<string> =>
  withFile(view, path, (file) => readAll(file, maxRuleBytes)).pipe(
    Effect.map((bytes) => Buffer.from(bytes).toString("utf8")),
    Effect.orElseSucceed(() => "")
  )

/** A workspace inside a repository obeys the rules above it as well. `inner` is the way from the top to the root. */
const repositoryAbove = (root: string) =>
  call(() => {
    const names = root.split("/").filter((name) => name !== "")
    const folders = names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`)
    const top = folders.findLastIndex((folder) => fs.existsSync(`${folder}/.git`))
    if (top === -1 || top === folders.length - 1) return { above: [], inner: "" }
    const baseOf = (index: number): string =>
      names
        .slice(top + 1, index + 1)
        .map((name) => `${name}/`)
        .join("")
    return {
      above: folders
        .slice(top, -1)
        .map((folder, index) => ({ file: `${folder}/.gitignore`, base: baseOf(top + index) })),
      inner: baseOf(folders.length - 1)
    }
  }).pipe(Effect.orElseSucceed(() => ({ above: [], inner: "" })))

const applies = ({ base, glob, isDirectoryOnly }: Rule, path: string, isDirectory: boolean): boolean =>
  (isDirectory || !isDirectoryOnly) && path.startsWith(base) && Glob.match(glob, path.slice(base.length))

const parse = (text: string, base: string): ReadonlyArray<Rule> =>
  text.split(/\r?\n/).flatMap((line) => {
    const pattern = line.replace(/(?<!\\)\s+$/, "")
    if (pattern === "" || pattern.startsWith("#")) return []
    const isNegated = pattern.startsWith("!")
    const positive = isNegated ? pattern.slice(1) : pattern
    const isDirectoryOnly = positive.endsWith("/")
    const body = isDirectoryOnly ? positive.slice(0, -1) : positive
    const isAnchored = body.includes("/")
    // Braces mean nothing in these files, and "a/**" is what is in "a".
    const glob = (isAnchored ? body.replace(/^\//, "") : `**/${body}`)
      .replaceAll(/[{}]/g, String.raw`\$&`)
      .replace(/\/\*\*$/, "/**/*")
    return [{ glob: Glob.make(glob, { dot: true }), isNegated, isDirectoryOnly, base }]
  })
