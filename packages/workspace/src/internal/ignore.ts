/** The rules of .gitignore and .ignore files for the entries of one directory; ripgrep applies them to whole trees. */
import * as Effect from "effect/Effect"
import type { Ignore } from "ignore"
import * as fs from "node:fs"
import { readAll, type View, withFile } from "./openFile.ts"
import { pathOf } from "./pathText.ts"
import { call } from "./systemCall.ts"

/** True if an entry of the directory is left out of its listing. */
export type IsIgnored = (name: string, isDirectory: boolean) => boolean

/** The rules of one file, for paths below `base`: "" for the top of the repository, else a path that ends in "/". */
interface Rules {
  readonly base: string
  readonly file: Ignore
}

/** Loaded with the first listing. */
const library = Effect.promise(() => import("ignore"))

const maxRuleBytes = 256 * 1024

/** Reads the rules that apply in a directory: its own and those above it, up to the top of the repository. */
export const ignoredIn = Effect.fnUntraced(function* (
  view: View,
  segments: ReadonlyArray<string>
): Effect.fn.Return<IsIgnored> {
  const { above, inner } = yield* repositoryAbove(view.root.path)
  const rules: Array<Rules> = []
  const { default: gitignore } = yield* library
  const add = (base: string, text: string) => {
    if (text !== "") rules.push({ base, file: gitignore({ ignorecase: false }).add(text) })
  }
  for (const { base, file } of above) {
    add(base, yield* call(() => fs.readFileSync(file, "utf8")).pipe(Effect.orElseSucceed(() => "")))
  }
  for (let depth = 0; depth <= segments.length; depth++) {
    const folder = segments
      .slice(0, depth)
      .map((name) => `${name}/`)
      .join("")
    for (const name of [".gitignore", ".ignore"])
      add(inner + folder, yield* readRules(view, pathOf(view.root, [...segments.slice(0, depth), name])))
  }
  const prefix = inner + segments.map((name) => `${name}/`).join("")
  // If an ignored directory itself is listed by its path, all of its entries are shown.
  if (isIgnored(rules, prefix)) return () => false
  return (name, isDirectory) => isIgnored(rules, prefix + name + (isDirectory ? "/" : ""))
})

/** Decides by the innermost file that has a rule for the path. */
const isIgnored = (rules: ReadonlyArray<Rules>, path: string): boolean => {
  const deciding = rules.findLast(({ base, file }) => {
    if (!path.startsWith(base) || path === base) return false
    const { ignored, unignored } = file.test(path.slice(base.length))
    return ignored || unignored
  })
  return deciding?.file.test(path.slice(deciding.base.length)).ignored ?? false
}

const readRules = (view: View, path: string): Effect.Effect<string> =>
  withFile(view, path, (file) => readAll(file, maxRuleBytes)).pipe(
    Effect.map((bytes) => Buffer.from(bytes).toString("utf8")),
    Effect.orElseSucceed(() => "")
  )

/** Finds the repository around a root, whose rules also apply. `inner` is the path from its top to the root. */
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
