/** What `rg --json` writes: one JSON object a line, of which the matches count. */
import { Buffer } from "node:buffer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { resultPath } from "./ripgrep.ts"

/** `text` is the matched line as ripgrep saw it, its line ending included; null: not UTF-8. */
export interface Match {
  readonly path: string
  readonly line: number
  readonly text: string | null
}

const Text = Schema.Struct({ text: Schema.optionalKey(Schema.String), bytes: Schema.optionalKey(Schema.String) })

const Record = Schema.fromJsonString(
  Schema.Struct({
    type: Schema.Literal("match"),
    data: Schema.Struct({ path: Text, lines: Text, line_number: Schema.Int })
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
        if (data.path.text === undefined) return []
        const { bytes, text } = data.lines
        return [
          {
            path: resultPath(data.path.text),
            line: data.line_number,
            text: text ?? (bytes === undefined ? null : Buffer.from(bytes, "base64").toString("latin1"))
          }
        ]
      }
    })
  })
