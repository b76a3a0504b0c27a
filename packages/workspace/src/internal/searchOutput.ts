/** Reads the output of `rg --json`: one JSON object per line. */
import * as Option from "effect/Option"
import { Buffer } from "node:buffer"
import { resultPath } from "./ripgrep.ts"

/**
 * `text` is the matched line as ripgrep read it, including its line ending; the first match goes from `column`,
 * 0-based, to before `endColumn`.
 */
export interface Match {
  readonly path: string
  readonly line: number
  readonly text: string
  readonly column: number
  readonly endColumn: number
}

/** A text; if it is not UTF-8, its bytes in base64. */
interface Text {
  readonly text?: string
  readonly bytes?: string
}

/** A match as ripgrep writes it. */
interface RipgrepRecord {
  readonly data: {
    readonly path: Text
    readonly lines: Text
    readonly line_number: number
    readonly submatches: ReadonlyArray<{ readonly start: number; readonly end: number }>
  }
}

/** Parses a line; the last line may be truncated. */
const decode = Option.liftThrowable((line: string) => JSON.parse(line) as RipgrepRecord)

/** Null: the line is not a match, or its file has no readable name. */
const matchOf = (line: string): Match | null => {
  if (!line.startsWith('{"type":"match"')) return null
  const record = Option.getOrNull(decode(line))
  if (record?.data.path.text === undefined) return null
  const { line_number, lines, submatches } = record.data
  const encoding = lines.text === undefined ? "latin1" : "utf8"
  const bytes = Buffer.from(lines.text ?? lines.bytes ?? "", lines.text === undefined ? "base64" : "utf8")
  const columnOf = (byte: number): number => bytes.subarray(0, byte).toString(encoding).length
  return {
    path: resultPath(record.data.path.text),
    line: line_number,
    text: bytes.toString(encoding),
    column: columnOf(submatches[0]?.start ?? 0),
    endColumn: columnOf(submatches[0]?.end ?? 0)
  }
}

export interface Reader {
  /** Takes the next piece of the output. */
  readonly push: (piece: Uint8Array) => void
  /** Returns all matches in the order of the output; a truncated last line is skipped. */
  readonly finish: () => ReadonlyArray<Match>
}

/** Reads the output as it arrives. `onFile` is called with the matches of each file once ripgrep has searched it. */
export const reader = (onFile: (found: ReadonlyArray<Match>) => void): Reader => {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  const files: Array<ReadonlyArray<Match>> = []
  let current: Array<Match> = []
  let rest = ""
  const take = (line: string): void => {
    const match = matchOf(line)
    if (match !== null) current.push(match)
    else if (line.startsWith('{"type":"end"') && current.length > 0) {
      files.push(current)
      onFile(current)
      current = []
    }
  }
  return {
    push: (piece) => {
      const lines = (rest + decoder.decode(piece, { stream: true })).split("\n")
      rest = lines.pop() ?? ""
      lines.forEach(take)
    },
    finish: () => {
      take(rest)
      return [...files, current].flat()
    }
  }
}

/** Reads the whole output at once. */
export const matches = (output: Uint8Array): ReadonlyArray<Match> => {
  const { finish, push } = reader(() => {})
  push(output)
  return finish()
}
