/** The symbols of a file or a directory of the workspace. */
import { ToolError } from "@bough/protocol"
import { Capability, type WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Cache from "./cache.ts"
import { glob, type Language, languageOf } from "./languages.ts"
import { parse } from "./parsing.ts"
import type { FileSymbols } from "./Symbols.ts"

/** The maximum number of files of a directory that one call reads. */
export const maxFiles = 3000
const maxFileBytes = 2 * 1024 ** 2
/** The maximum number of files in one request to the thread. */
const maxBatchFiles = 64
const maxBatchBytes = 4 * 1024 ** 2
const readAtOnce = 8
/** The bytes that are read to distinguish C++ from C. */
const headBytes = 20_000

export interface ReadFile {
  readonly path: string
  readonly language: string
  readonly file: FileSymbols
}

export interface SkippedFile {
  readonly path: string
  readonly reason: string
}

export interface WorkspaceSymbols {
  readonly files: ReadonlyArray<ReadFile>
  readonly skipped: ReadonlyArray<SkippedFile>
  /** True if there are more files than one call reads. */
  readonly truncated: boolean
}

interface Candidate {
  readonly path: string
  readonly language: Language
  readonly content: WorkspaceRead.FileContent
}

/** `contains`: files without this text are not parsed; case does not matter. */
export const findSymbols = Effect.fnUntraced(function* (
  path: string,
  contains: string | null
): Effect.fn.Return<WorkspaceSymbols, ToolError.ToolError, WorkspaceRead.WorkspaceRead> {
  const workspace = yield* Capability.WorkspaceRead
  const info = yield* workspace.info(path)
  // A link is followed if the workspace allows it; a link to a directory is not a file.
  if (info.kind === "file" || (info.kind === "symlink" && languageOf(path, () => "") !== null))
    return yield* symbolsOfFile(path)
  const found = yield* workspace.find(glob, path, maxFiles)
  const files: Array<ReadFile> = []
  const skipped: Array<SkippedFile> = []
  for (let at = 0; at < found.items.length; at += maxBatchFiles) {
    const read = yield* Effect.forEach(found.items.slice(at, at + maxBatchFiles), (item) => candidate(item), {
      concurrency: readAtOnce
    })
    const candidates: Array<Candidate> = []
    for (const item of read) {
      if ("reason" in item) skipped.push(item)
      else if (contains === null || mayContain(item.content.bytes, contains)) candidates.push(item)
    }
    const parsed = yield* parseAll(candidates)
    files.push(...parsed.files)
    skipped.push(...parsed.skipped)
  }
  return { files, skipped, truncated: found.truncated }
})

const symbolsOfFile = Effect.fnUntraced(function* (
  path: string
): Effect.fn.Return<WorkspaceSymbols, ToolError.ToolError, WorkspaceRead.WorkspaceRead> {
  const workspace = yield* Capability.WorkspaceRead
  const content = yield* workspace.readFile(path, maxFileBytes)
  const language = languageOf(path, () => head(content.bytes))
  if (language === null) {
    return yield* new ToolError.ValidationError({
      message: `no grammar for ${path}: symbols are known for the files ${glob}; read or search it instead`,
      field: "path",
      issues: []
    })
  }
  const { files, skipped } = yield* parseAll([{ path, language, content }])
  const [reason] = skipped
  if (reason !== undefined) {
    return yield* new ToolError.ExecutionError({ message: `${path} cannot be parsed: ${reason.reason}` })
  }
  return { files, skipped: [], truncated: false }
})

/** Reads a file; a file that is refused or was removed in the meantime is skipped with the reason. */
const candidate = (path: string): Effect.Effect<Candidate | SkippedFile, never, WorkspaceRead.WorkspaceRead> =>
  Effect.flatMap(Capability.WorkspaceRead, (workspace) =>
    Effect.match(workspace.readFile(path, maxFileBytes), {
      onFailure: (error): Candidate | SkippedFile => ({ path, reason: reasonOf(error) }),
      onSuccess: (content) => {
        const language = languageOf(path, () => head(content.bytes))
        return language === null ? { path, reason: "no grammar" } : { path, language, content }
      }
    })
  )

const reasonOf = (error: ToolError.ToolError): string =>
  error._tag === "PermissionDenied" ? error.reason : error.message

const head = (bytes: Uint8Array): string => new TextDecoder().decode(bytes.subarray(0, headBytes))

/**
 * True if the file may contain the text. It is also true for letters beyond ASCII, whose case folding is left to the
 * comparison of names.
 */
const mayContain = (bytes: Uint8Array, text: string): boolean =>
  !/^[\u0020-\u007e]*$/u.test(text) ||
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString("latin1")
    .toLowerCase()
    .includes(text.toLowerCase())

const keyOf = ({ content, language }: Candidate): string => `${language.name} ${content.digest}`

const parseAll = Effect.fnUntraced(function* (candidates: ReadonlyArray<Candidate>) {
  const known = new Map(
    candidates.flatMap((symbolsOfFile) => {
      const file = Cache.get(keyOf(symbolsOfFile))
      return file === undefined ? [] : [[symbolsOfFile, file] as const]
    })
  )
  const answers = new Map<Candidate, FileSymbols | string>(known)
  for (const batch of batches(candidates.filter((symbolsOfFile) => !known.has(symbolsOfFile)))) {
    const replies = yield* parse(
      batch.map(({ content, language }) => ({ language: language.name, bytes: content.bytes }))
    )
    for (const [index, symbolsOfFile] of batch.entries()) {
      const reply = replies[index] ?? "the parser gave no answer"
      answers.set(symbolsOfFile, reply)
      if (typeof reply !== "string") Cache.put(keyOf(symbolsOfFile), reply)
    }
  }
  const files: Array<ReadFile> = []
  const skipped: Array<SkippedFile> = []
  for (const symbolsOfFile of candidates) {
    const answer = answers.get(symbolsOfFile)
    if (answer === undefined) continue
    if (typeof answer === "string") skipped.push({ path: symbolsOfFile.path, reason: answer })
    else files.push({ path: symbolsOfFile.path, language: symbolsOfFile.language.name, file: answer })
  }
  return { files, skipped }
})

const batches = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<ReadonlyArray<Candidate>> => {
  const groups: Array<Array<Candidate>> = []
  let bytes = Infinity
  for (const symbolsOfFile of candidates) {
    const size = symbolsOfFile.content.bytes.length
    if (bytes + size > maxBatchBytes) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)?.push(symbolsOfFile)
    bytes += size
  }
  return groups
}
