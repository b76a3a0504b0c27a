/** Content search: ripgrep finds the matches, and the shown lines are read again from confined files. */
import { Canonical, ToolError } from "@bough/protocol"
import { LineWindow, TextFormat } from "@bough/text"
import { type WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Glob from "effect/Glob"
import * as Queue from "effect/Queue"
import * as Globs from "./globs.ts"
import { mayRead, readAll, type AllocateBuffer, makeSharedBuffer, type View, withFile } from "./openFile.ts"
import { pathOf, segmentsOf } from "./pathText.ts"
import { rank } from "./ranking.ts"
import * as Ripgrep from "./ripgrep.ts"
import * as SearchOutput from "./searchOutput.ts"
import { failWith } from "./systemCall.ts"
import { type WalkLocation, visit } from "./walk.ts"
import * as Withheld from "./withheld.ts"

/** The largest file that is searched. */
const maxFileBytes = 64 * 1024 ** 2
const maxShownCharacters = 500

type Match = SearchOutput.Match

export const search = Effect.fnUntraced(function* (
  { ripgrep, view }: { readonly view: View; readonly ripgrep: Ripgrep.Ripgrep },
  options: WorkspaceRead.SearchOptions
): Effect.fn.Return<WorkspaceRead.ListResult<WorkspaceRead.SearchHit>, ToolError.ToolError> {
  const includeGlobs = options.globs.filter((glob) => !glob.startsWith("!"))
  const globs = yield* Effect.forEach(includeGlobs, (glob) => Globs.compile(glob, "globs"))
  const segments = yield* visit(
    view.root,
    { path: options.path, access: "read", follow: true, missing: "fail" },
    (place) => searchable(view, place)
  )
  const isLeftOut = Withheld.walk(view.root, view.withheld, { at: segments, depth: Infinity })
  const isWanted = (path: string): boolean =>
    (globs.length === 0 || globs.some((glob) => Glob.match(glob, path))) && !isLeftOut(segmentsOf(view.root, path))
  const sharedLimit = makeSharedBuffer()
  const show = (found: ReadonlyArray<Match>) => {
    const path = pathOf(view.root, segmentsOf(view.root, found[0].path))
    const located = found.map((match) => ({ ...match, path }))
    return hitsIn({ view, allocate: sharedLimit }, located, options.contextLines)
  }
  const run = { flags: flags(options, includeGlobs), segments }
  const { matches, output, shown } = yield* searchAndShow(ripgrep, run, {
    maxHits: options.limit,
    show: (found) => (isWanted(found[0].path) ? show(found) : Effect.succeed([]))
  })
  if (output.exitCode === 2 && output.bytes.length === 0) return yield* failed(output.stderr)

  const hits: Array<WorkspaceRead.SearchHit> = []
  for (const found of rank(matches)) {
    const { path } = found[0]
    if (!isWanted(path)) continue
    hits.push(...(shown.get(path) ?? (yield* show(found))))
    if (hits.length > options.limit) return { items: hits.slice(0, options.limit), truncated: true }
  }
  return { items: hits, truncated: output.truncated }
})

type Hits = ReadonlyArray<WorkspaceRead.SearchHit>

/** `shown`: the hits of those files that were read while ripgrep searched others, by path. */
interface SearchState {
  readonly matches: ReadonlyArray<Match>
  readonly output: Ripgrep.Output
  readonly shown: ReadonlyMap<string, Hits>
}

/**
 * Runs ripgrep in as many threads as there are processors, and reads up to `maxHits` hits meanwhile. The order of its
 * output varies, so a truncated search is repeated in path order to keep the same part each time.
 */
const searchAndShow = Effect.fnUntraced(function* (
  ripgrep: Ripgrep.Ripgrep,
  run: Ripgrep.Run,
  { maxHits, show }: { readonly maxHits: number; readonly show: (found: ReadonlyArray<Match>) => Effect.Effect<Hits> }
): Effect.fn.Return<SearchState, ToolError.ToolError> {
  const queue = yield* Queue.unbounded<ReadonlyArray<Match>>()
  const shown = new Map<string, Hits>()
  const showing = Effect.gen(function* () {
    for (let count = 0; count < maxHits;) {
      const found = yield* Queue.take(queue)
      const hits = yield* show(found)
      shown.set(found[0].path, hits)
      count += hits.length
    }
    return yield* Effect.never
  })
  const { push, finish } = SearchOutput.reader((found) => Queue.offerUnsafe(queue, found))
  const output = yield* Effect.raceFirst(Ripgrep.run(ripgrep, { ...run, onOutput: push }), showing)
  if (!output.truncated) return { matches: finish(), output, shown }
  const sortedRun = yield* Ripgrep.run(ripgrep, { ...run, flags: [Ripgrep.sorted, ...run.flags] })
  return { matches: SearchOutput.matches(sortedRun.bytes), output: sortedRun, shown }
})

const searchable = (view: View, location: WalkLocation): Effect.Effect<ReadonlyArray<string>, ToolError.ToolError> => {
  if (location.stats === null) return Effect.fail(failWith("ENOENT", location.path))
  return location.stats.isDirectory()
    ? Effect.succeed(location.segments)
    : Effect.as(mayRead(view, location.path, location), location.segments)
}

const flags = (options: WorkspaceRead.SearchOptions, includeGlobs: ReadonlyArray<string>): ReadonlyArray<string> => [
  "--json",
  "--crlf",
  `--max-filesize=${maxFileBytes}`,
  `--max-count=${options.limit + 1}`,
  options.caseSensitive ? "--case-sensitive" : "--ignore-case",
  ...(options.literal ? ["--fixed-strings"] : []),
  ...(options.globs.some(Globs.wantsHidden) ? ["--hidden"] : []),
  ...options.globs.filter((glob) => glob.startsWith("!")).map((glob) => `--glob=${glob}`),
  ...Globs.coarseGlobs(includeGlobs),
  `--regexp=${options.pattern}`
]

const failed = (stderr: string): ToolError.ToolError => {
  const message = stderr.trim().slice(0, 500)
  return /regex|pattern/.test(message)
    ? new ToolError.ValidationError({ message, field: "pattern", issues: [{ path: "pattern", message }] })
    : new ToolError.ExecutionError({ message: `the search failed: ${message}` })
}

/** Returns the lines that the file still has where ripgrep found them; none if the file may not be read. */
const hitsIn = (
  { allocate, view }: { readonly view: View; readonly allocate: AllocateBuffer },
  found: ReadonlyArray<Match>,
  contextLines: number
): Effect.Effect<ReadonlyArray<WorkspaceRead.SearchHit>> =>
  withFile(view, found[0].path, (file) =>
    Effect.map(readAll(file, maxFileBytes, allocate), (bytes) => {
      if (file.path !== found[0].path || TextFormat.isBinary(bytes)) return []
      const lines = linesOf(bytes, found[found.length - 1].line + contextLines)
      return found.flatMap((match) => hitAt(lines, match, contextLines))
    })
  ).pipe(Effect.orElseSucceed(() => []))

interface Lines {
  readonly bytes: Uint8Array
  readonly encoding: TextFormat.Encoding
  /** The start of each line, and the end of the last one. */
  readonly starts: ReadonlyArray<number>
}

/** Returns the hits of one file whose bytes are known. */
export const hitsOf = (
  bytes: Uint8Array,
  matches: ReadonlyArray<Match>,
  contextLines: number
): ReadonlyArray<WorkspaceRead.SearchHit> => {
  const lines = linesOf(bytes, (matches.at(-1)?.line ?? 0) + contextLines)
  return matches.flatMap((match) => hitAt(lines, match, contextLines))
}

const linesOf = (bytes: Uint8Array, last: number): Lines => {
  const encoding = TextFormat.markedEncoding(bytes)
  const starts = [0]
  for (let at = 0; starts.length <= last && at < bytes.length;) {
    const end = LineWindow.lineEnd(bytes, at, encoding)
    at = end === -1 ? bytes.length : end
    starts.push(at)
  }
  return { bytes, encoding, starts }
}

const hitAt = (lines: Lines, match: Match, contextLines: number): ReadonlyArray<WorkspaceRead.SearchHit> => {
  const { line, path } = match
  if (line >= lines.starts.length) return []
  const text = lineText(lines, line)
  // A line that has changed since ripgrep read it is not shown.
  if (withoutLineEnd(match.text.replace(/^\uFEFF/, "")) !== text) return []
  const startByte = lines.starts[line - 1]
  const endByte = lines.starts[line]
  const shown = (from: number, to: number): ReadonlyArray<string> =>
    Array.from({ length: Math.max(0, to - from) }, (_, index) => cut(lineText(lines, from + index)))
  return [
    {
      path,
      line,
      endLine: line,
      startByte,
      endByte,
      text: cut(text, match.column),
      before: shown(Math.max(1, line - contextLines), line),
      after: shown(line + 1, Math.min(lines.starts.length, line + 1 + contextLines)),
      digest: Canonical.digest(lines.bytes.subarray(startByte, endByte))
    }
  ]
}

/** Returns one line, 1-based, without its ending. */
const lineText = ({ bytes, encoding, starts }: Lines, line: number): string =>
  withoutLineEnd(TextFormat.decodePart(bytes.subarray(starts[line - 1], starts[line]), encoding, line === 1).text)

const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, "")

/** Cuts a long line at both ends so that the text at `column` is visible. */
const cut = (text: string, column = 0): string => {
  if (text.length <= maxShownCharacters) return text
  const start = Math.min(Math.max(0, column - maxShownCharacters / 4), text.length - maxShownCharacters)
  const end = start + maxShownCharacters
  return `${start === 0 ? "" : "…"}${text.slice(start, end)}${end === text.length ? "" : "…"}`
}
