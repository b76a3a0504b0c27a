/** The languages of the code that blocks show: their grammars are loaded before the blocks are printed. */
import type { Approval } from "@bough/protocol"
import * as Languages from "@bough/tui/code/Languages"
import * as UnifiedDiff from "@bough/tui/diff/UnifiedDiff"
import * as MarkdownStream from "@bough/tui/markdown/MarkdownStream"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Block } from "./Block.ts"

export const languagesOf = (block: Block): ReadonlyArray<Languages.Language> => {
  switch (block._tag) {
    case "Answer":
      return MarkdownStream.languagesOf(block.piece)
    case "Call": {
      const hasDetails = block.outcome._tag === "Succeeded" && block.outcome.details !== undefined
      const language = hasDetails ? languageOf(block.arguments) : null
      return language === null ? [] : [language]
    }
    case "Approval": {
      const language = forRequest(block.asked.request)
      return language === null ? [] : [language]
    }
    default:
      return []
  }
}

/** The language of the file that a call changes, if its approval shows a diff; null: there is none. */
export const forRequest = ({ arguments: callArguments, preview }: Approval.Request): Languages.Language | null =>
  UnifiedDiff.isDiff(preview.render) ? languageOf(callArguments) : null

/** The language of the file that a call's arguments name; null: unknown. */
export const languageOf = (name: string): Languages.Language | null => {
  const read = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ path: Schema.String })))
  return Option.match(read(name), { onNone: () => null, onSome: ({ path }) => Languages.fromPath(path) })
}
