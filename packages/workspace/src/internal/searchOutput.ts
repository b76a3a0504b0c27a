/** Reads the output of `rg --json`: one JSON object a line, of which the matches count. */
import { Buffer } from "node:buffer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { resultPath } from "./ripgrep.ts"

/** `text` is the matched line as ripgrep saw it, its line ending included; the first match goes from `column`, 0-based, to before `endColumn`. */
export interface Match {
  readonly path: string
  readonly line: number
  readonly text: string
  readonly column: number
  readonly endColumn: number
}

const Text = Schema.Struct({ text: Schema.optionalKey(Schema.String), bytes: Schema.optionalKey(Schema.String) })

const Record = Schema.fromJsonString(
  Schema.Struct({
    type: Schema.Literal("match"),
    data: Schema.Struct({
      path: Text,
      lines: Text,
      line_number: Schema.Int,
      submatches: Schema.Array(Schema.Struct({ start: Schema.Int, end: Schema.Int }))
    })
  })
)

const decode = Schema.decodeUnknownOption(Record)

/** Matches in the order of the output. A last line that was cut is passed over, and so is what has no readable name. */
export const matches = (output: string): ReadonlyArray<Match> =>
  output.split("\n").flatMap((line) => {
    if (!line.startsWith('{"type":"match"')) return []
    return Option.match(decode(line), {
      onNone: () => [],
      onSome: ({ data }) => {
        const { lines, path, submatches } = data
        if (path.text === undefined) return []
        // Text that is not UTF-8 arrives as bytes.
        const encoding = lines.text === undefined ? "latin1" : "utf8"
        const bytes = Buffer.from(lines.text ?? lines.bytes ?? "", lines.text === undefined ? "base64" : "utf8")
        const columnOf = (byte: number): number => bytes.subarray(0, byte).toString(encoding).length
        return [
          {
            path: resultPath(path.text),
            line: data.line_number,
            text: bytes.toString(encoding),
            column: columnOf(submatches[0]?.start ?? 0),
            endColumn: columnOf(submatches[0]?.end ?? 0)
          }
        ]
      }
    })
  })
