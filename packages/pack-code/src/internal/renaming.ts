/** The files that a rename changes, with their new content. This module does not write them. */
import { ToolError } from "@bough/protocol"
import { Capability, type CodeIntelligence } from "@bough/tool"
import * as Effect from "effect/Effect"
import { Buffer, isUtf8 } from "node:buffer"

export interface ChangedLine {
  readonly line: number
  readonly before: string
  readonly after: string
}

export interface RenamedFile {
  readonly path: string
  /** The digest of the bytes before the change. */
  readonly digest: string
  readonly content: Uint8Array
  readonly places: number
  readonly lines: ReadonlyArray<ChangedLine>
}

const maxFileBytes = 4 * 1024 * 1024
const byteOrderMark = "\uFEFF"

export interface Names {
  readonly name: string
  readonly newName: string
}

/** Returns all changed files; fails with the name of a file that cannot be changed. */
export const plan = Effect.fnUntraced(function* (edits: ReadonlyArray<CodeIntelligence.FileEdit>, names: Names) {
  const workspace = yield* Capability.WorkspaceRead
  return yield* Effect.forEach(edits, ({ edits: ofFile, path }) =>
    Effect.gen(function* () {
      const excess = ofFile.find(({ newText }) => !isOnlyNames(newText, names))
      if (excess !== undefined) {
        const written = JSON.stringify(excess.newText.slice(0, shownTextLength))
        return yield* refused(path, `the language server would write more than the new name: ${written}`)
      }
      const { sensitivity } = yield* workspace.inspect(path)
      if (sensitivity !== "none") {
        return yield* refused(path, "it holds secrets, instructions or settings of programs: edit it by itself")
      }
      const { bytes, digest } = yield* workspace.readFile(path, maxFileBytes)
      if (!isUtf8(bytes)) return yield* refused(path, "it is not UTF-8")
      const content = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
      const mark = content.startsWith(byteOrderMark) ? byteOrderMark : ""
      const changed = apply(content.slice(mark.length), ofFile, names.name)
      if (changed === null) return yield* refused(path, "the language server does not know its present text: try again")
      const renamed: RenamedFile = {
        path,
        digest,
        content: Buffer.from(mark + changed.text, "utf8"),
        places: ofFile.length,
        lines: changed.lines
      }
      return renamed
    })
  )
})

const shownTextLength = 100
/** The parts of "fresh as old", "old: fresh" and the like beside the names. */
const betweenNames = /^(?:[ \t:=.#$@"'`]|as)*$/u
const maxBetweenLength = 8

/**
 * True if an edit writes the new name, at most with the old one. A server is a program of the project, so any other text
 * would be code that no call has written.
 */
const isOnlyNames = (newText: string, { name, newName }: Names): boolean => {
  const [longer, shorter] = name.length > newName.length ? [name, newName] : [newName, name]
  const between = newText
    .split(longer)
    .flatMap((part) => part.split(shorter))
    .join("")
  return (
    newText.includes(newName) &&
    newText.length <= name.length + newName.length + maxBetweenLength &&
    betweenNames.test(between)
  )
}

const refused = (path: string, reason: string) =>
  Effect.fail(new ToolError.ExecutionError({ message: `nothing was renamed: ${path} cannot be changed: ${reason}` }))

/** Applies the edits; null: an edit is not at an occurrence of the name. An edit of length zero inserts beside it. */
const apply = (text: string, edits: ReadonlyArray<CodeIntelligence.TextEdit>, name: string) => {
  const starts = [0, ...Array.from(text.matchAll(/\r\n|\n|\r/gu), (end) => end.index + end[0].length)]
  const offsetOf = (line: number, column: number): number => (starts[line - 1] ?? Infinity) + column - 1
  const touched = new Set<number>()
  let after = ""
  let at = 0
  for (const { column, endColumn, endLine, line, newText } of edits) {
    const from = offsetOf(line, column)
    const to = offsetOf(endLine, endColumn)
    if (line !== endLine || from < at || to < from || to > text.length || /[\r\n]/u.test(newText)) return null
    const replaced = text.slice(from, to)
    if (replaced !== name && replaced !== "") return null
    after += text.slice(at, from) + newText
    at = to
    touched.add(line)
  }
  after += text.slice(at)
  const [linesBefore, linesAfter] = [text, after].map((one) => one.split(/\r\n|\n|\r/u))
  const lines = [...touched].map((line): ChangedLine => ({
    line,
    before: linesBefore?.[line - 1] ?? "",
    after: linesAfter?.[line - 1] ?? ""
  }))
  return { text: after, lines }
}
