/** Lists and searches the files of a commit, by reading only the repository's objects. */
import type { ToolError } from "@bough/protocol"
import { TextFormat } from "@bough/text"
import type { RepositoryRead, WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Glob from "effect/Glob"
import * as Globs from "../internal/globs.ts"
import type { View } from "../internal/openFile.ts"
import { rank } from "../internal/ranking.ts"
import { hitsOf } from "../internal/search.ts"
import type { Match } from "../internal/searchOutput.ts"
import { quote } from "../Refusal.ts"
import * as Paths from "./Paths.ts"
import { failed, type Git, invalid, records, completeRecords } from "./Repository.ts"
import * as Revisions from "./Revisions.ts"

type ListOptions = Pick<WorkspaceRead.ListOptions, "hidden" | "limit" | "recursive">

export const list = Effect.fnUntraced(function* (
  git: Git,
  view: View,
  { commit: revision, path, ...options }: ListOptions & { readonly commit: string; readonly path: string }
): Effect.fn.Return<WorkspaceRead.ListResult<RepositoryRead.CommittedFile>, ToolError.ToolError> {
  const directory = yield* directoryOf(view, path)
  const id = yield* Revisions.resolve(git, revision)
  const tree = directory === "" ? id : `${id}:${directory}`
  const output = yield* git.run(["ls-tree", "-z", "-l", ...(options.recursive ? ["-r"] : []), tree], {
    successCodes: [0, 128]
  })
  if (output.exitCode !== 0) return yield* failed(`git: ${quote(path)} is not a directory in ${id.slice(0, 10)}`)
  const items = records(completeRecords(output, "\0"))
    .map((record) => entryOf(record, directory))
    .filter(({ path }) => Paths.isVisible(view, path))
    .filter(({ name }) => options.hidden || !/(?:^|\/)\./u.test(name))
    .map(({ bytes, kind, path }) => ({ bytes, kind, path: Paths.fromGit(view, path) }))
  return { items: items.slice(0, options.limit), truncated: output.truncated || items.length > options.limit }
})

/** Returns the directory in git's spelling; "" for the root. */
const directoryOf = (view: View, path: string): Effect.Effect<Paths.GitPath, ToolError.ToolError> =>
  Effect.map(Paths.toGit(view, path, "read"), (found) => (found === "." ? "" : found))

interface Entry {
  /** The path below the listed directory. */
  readonly name: string
  readonly path: Paths.GitPath
  readonly kind: WorkspaceRead.FileKind
  readonly bytes: number
}

const entryOf = (record: string, directory: Paths.GitPath): Entry => {
  const tab = record.indexOf("\t")
  const [mode = "", type = "", , size = ""] = record.slice(0, tab).split(/ +/u)
  const name = record.slice(tab + 1)
  return {
    name,
    path: directory === "" ? name : `${directory}/${name}`,
    kind: type === "tree" ? "directory" : mode === "120000" ? "symlink" : type === "blob" ? "file" : "other",
    bytes: Number(size) || 0
  }
}

/** The size above which files are skipped. */
const maxFileBytes = 16 * 1024 ** 2

export const search = Effect.fnUntraced(function* (
  git: Git,
  view: View,
  { commit: revision, ...options }: WorkspaceRead.SearchOptions & { readonly commit: string }
): Effect.fn.Return<WorkspaceRead.ListResult<WorkspaceRead.SearchHit>, ToolError.ToolError> {
  const directory = yield* directoryOf(view, options.path)
  const id = yield* Revisions.resolve(git, revision)
  const isWanted = yield* wantedBy(options.globs)
  const output = yield* Effect.mapError(
    git.run(
      [
        "grep",
        "-z",
        "-n",
        "-I",
        "--column",
        "--full-name",
        "--no-textconv",
        "--no-recurse-submodules",
        "--threads=1",
        options.literal ? "--fixed-strings" : "--perl-regexp",
        ...(options.caseSensitive ? [] : ["--ignore-case"]),
        "-e",
        options.pattern,
        id,
        "--",
        ...(directory === "" ? [] : [directory])
      ],
      { successCodes: [0, 1] }
    ),
    (error) => (/-e option|regex|pattern/iu.test(error.message) ? invalid("pattern", error.message) : error)
  )
  const found = output.text.split("\n").flatMap((row) => matchOf(row, id))
  const items: Array<WorkspaceRead.SearchHit> = []
  for (const matches of rank(found.filter(({ path }) => isWanted(path) && Paths.isVisible(view, path)))) {
    const path = matches[0]?.path ?? ""
    const { bytes, truncated } = yield* git.run(["cat-file", "blob", `${id}:${path}`], { maxBytes: maxFileBytes })
    if (truncated || TextFormat.isBinary(bytes)) continue
    const called = Paths.fromGit(view, path)
    items.push(
      ...hitsOf(
        bytes,
        matches.map((match) => ({ ...match, path: called })),
        options.contextLines
      )
    )
    if (items.length > options.limit) return { items: items.slice(0, options.limit), truncated: true }
  }
  return { items, truncated: output.truncated }
})

/** Parses `commit:path NUL line NUL column NUL text`; an incomplete last row is skipped. */
const matchOf = (row: string, id: string): ReadonlyArray<Match> => {
  const [place = "", line = "", column = "", ...text] = row.split("\0")
  if (text.length === 0 || !place.startsWith(`${id}:`)) return []
  const at = Math.max(0, Number(column) - 1)
  return [{ path: place.slice(id.length + 1), line: Number(line), text: text.join("\0"), column: at, endColumn: at }]
}

/** Compiles globs like ripgrep: they include files, and with a leading `!` exclude them. */
const wantedBy = Effect.fnUntraced(function* (
  globs: ReadonlyArray<string>
): Effect.fn.Return<(path: string) => boolean, ToolError.ToolError> {
  const [without, only] = [globs.filter((glob) => glob.startsWith("!")), globs.filter((glob) => !glob.startsWith("!"))]
  const includeGlobs = yield* Effect.forEach(only, (glob) => Globs.compile(glob, "globs"))
  const unwanted = yield* Effect.forEach(without, (glob) => Globs.compile(glob.slice(1), "globs"))
  return (path) =>
    (includeGlobs.length === 0 || includeGlobs.some((glob) => Glob.match(glob, path))) &&
    !unwanted.some((glob) => Glob.match(glob, path))
})
