/** Arguments of tools that return a journal page by page. */
import { ToolSchema } from "@bough/tool"
import * as Schema from "effect/Schema"

export const FromSeq = ToolSchema.withDefault(
  Schema.Natural.annotate({ description: "Where to begin; nextSeq of the page before" }),
  0
)

export const Limit = ToolSchema.withDefault(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500 })), 100)

export const NextSeq = Schema.NullOr(Schema.Natural)

/** Formats the items of a page, and the beginning of the next one. */
export const formatPage = (items: ReadonlyArray<string>, nextSeq: number | null): string =>
  [
    ...(items.length === 0 ? ["[nothing here]"] : items),
    ...(nextSeq === null ? [] : [`[continue with fromSeq=${nextSeq}]`])
  ].join("\n")
