/** The rules of .gitignore and .ignore files for the entries of one directory; ripgrep applies them to whole trees. */
import * as IgnoreRules from "@bough/disk/IgnoreRules"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { readAll, type View, withFile } from "./openFile.ts"
import { pathOf } from "./pathText.ts"
import { call } from "./systemCall.ts"

/** True if an entry of the directory is left out of its listing. */
export type IsIgnored = (name: string, isDirectory: boolean) => boolean

/** The steps of comparisons with rules after which a listing shows the other entries without one. */
const maxSteps = 50_000_000

/** Reads the rules that apply in a directory: its own and those above it, up to the top of the repository. */
export const ignoredIn = Effect.fnUntraced(function* (
  view: View,
  segments: ReadonlyArray<string>
): Effect.fn.Return<IsIgnored> {
  const { above, inner } = yield* repositoryAbove(view.root.path)
  const files: Array<IgnoreRules.RuleFile> = []
  const add = (base: ReadonlyArray<string>, content: Uint8Array) => {
    if (content.length > 0) files.push(IgnoreRules.parse(base, content))
  }
  for (const { base, file } of above) {
    const content = call(() =>
      fs.statSync(file).size <= IgnoreRules.maxBytes ? fs.readFileSync(file) : new Uint8Array()
    )
    add(base, yield* Effect.orElseSucceed(content, () => new Uint8Array()))
  }
  const path = segments.map(bytesOf)
  for (let depth = 0; depth <= segments.length; depth++) {
    for (const name of [".gitignore", ".ignore"])
      add(
        [...inner, ...path.slice(0, depth)],
        yield* readRules(view, pathOf(view.root, [...segments.slice(0, depth), name]))
      )
  }
  const count: IgnoreRules.StepCount = { steps: 0 }
  const isIgnored = (names: ReadonlyArray<string>, isDirectory: boolean): boolean =>
    count.steps < maxSteps && IgnoreRules.isIgnored(files, { segments: names, isDirectory }, count)
  const prefix = [...inner, ...path]
  // If an ignored directory itself is listed by its path, all of its entries are shown.
  if (prefix.some((_, at) => isIgnored(prefix.slice(0, at + 1), true))) return () => false
  return (name, isDirectory) => isIgnored([...prefix, bytesOf(name)], isDirectory)
})

/** Returns a name with one character for each of its bytes, as rules are compared. */
const bytesOf = (name: string): string => Buffer.from(name).toString("latin1")

const readRules = (view: View, path: string): Effect.Effect<Uint8Array> =>
  withFile(view, path, (file) => readAll(file, IgnoreRules.maxBytes)).pipe(Effect.orElseSucceed(() => new Uint8Array()))

interface RepositoryAbove {
  readonly above: ReadonlyArray<{ readonly file: string; readonly base: ReadonlyArray<string> }>
  readonly inner: ReadonlyArray<string>
}

/** Finds the repository around a root, whose rules also apply. `inner` leads from its top to the root. */
const repositoryAbove = (root: string): Effect.Effect<RepositoryAbove> =>
  call((): RepositoryAbove => {
    const names = root.split("/").filter((name) => name !== "")
    const folders = names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`)
    const top = folders.findLastIndex((folder) => fs.existsSync(`${folder}/.git`))
    if (top === -1 || top === folders.length - 1) return { above: [], inner: [] }
    const baseOf = (index: number): ReadonlyArray<string> => names.slice(top + 1, index + 1).map(bytesOf)
    return {
      above: folders
        .slice(top, -1)
        .map((folder, index) => ({ file: `${folder}/.gitignore`, base: baseOf(top + index) })),
      inner: baseOf(folders.length - 1)
    }
  }).pipe(Effect.orElseSucceed(() => ({ above: [], inner: [] })))
