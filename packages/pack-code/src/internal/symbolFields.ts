/** The parameters that identify a symbol, and the search for its position in its line. */
import { ToolError } from "@bough/protocol"
import { Capability, type CodeIntelligence, type WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export const path = Schema.NonEmptyString.annotate({ description: "File" })

export const symbol = {
  path,
  line: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  name: Schema.NonEmptyString.annotate({ description: "As in that line" })
}

export const maxLocations = 200

/** The facts that all tools about one symbol share. */
export const aboutSymbol = {
  tier: "ReadOnly",
  replay: "Safe",
  timeoutMillis: 90_000,
  capabilities: [Capability.CodeIntelligence, Capability.WorkspaceRead],
  requires: ["CodeIntelligence"],
  parameters: Schema.Struct(symbol)
} as const

interface Symbol {
  readonly path: string
  readonly line: number
  readonly name: string
}

const maxLineBytes = 65_536

/** Finds the first occurrence of the name in its line, as a whole word if possible. */
export const positionOf = Effect.fnUntraced(function* ({
  line,
  name,
  path
}: Symbol): Effect.fn.Return<CodeIntelligence.Position, ToolError.ToolError, WorkspaceRead.WorkspaceRead> {
  const workspace = yield* Capability.WorkspaceRead
  const { lines, text } = yield* workspace.readLines(path, { fromLine: line, maxLines: 1, maxBytes: maxLineBytes })
  const at = lines === 0 ? -1 : indexOf(text, name)
  if (at !== -1) return { line, column: at + 1 }
  const shown = text.trim().slice(0, 200)
  return yield* new ToolError.ValidationError({
    message: `${JSON.stringify(name)} is not in line ${line} of ${path}${shown === "" ? "" : `, which is: ${shown}`}`,
    field: "name",
    issues: []
  })
})

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_$]/u.test(character)

const indexOf = (text: string, name: string): number => {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + name.length])) return at
  }
  return text.indexOf(name)
}
