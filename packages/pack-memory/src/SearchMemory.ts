/** `search_memory`: notes about the user, by words and by meaning. */
import { Note } from "@bough/protocol"
import { Capability, Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { instant, Tags } from "./internal/noteFields.ts"

const maxResults = 20

const Found = Schema.Struct({
  text: Schema.String,
  source: Schema.String,
  score: Schema.Finite,
  noteId: Schema.String,
  kind: Note.Kind,
  tags: Schema.Array(Schema.String),
  createdAt: Schema.String,
  updatedAt: Schema.String
})

const formatNote = ({ kind, noteId, source, tags, text, updatedAt }: typeof Found.Type): string => {
  const tagged = tags.length === 0 ? "" : `, tags ${tags.join(", ")}`
  return `- ${text} [${noteId}, ${kind}, ${updatedAt.slice(0, "2026-01-01".length)}, from ${source}${tagged}]`
}

export const SearchMemory = Tool.make("search_memory", {
  version: 1,
  description: "Search what is remembered about the user from earlier sessions",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.MemoryRead],
  parameters: Schema.Struct({
    query: Schema.NonEmptyString,
    topK: ToolSchema.withDefault(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxResults })), 5),
    tags: ToolSchema.withDefault(Tags.annotate({ description: "Only notes with all of them" }), []),
    includeConversation: ToolSchema.withDefault(
      Schema.Boolean.annotate({ description: "Also what was said, as it was said" }),
      false
    )
  }),
  output: Schema.Struct({
    results: Schema.Array(Found),
    /** Why meaning was not compared. */
    remark: Schema.optionalKey(Schema.String)
  }),
  forModel: ({ remark, results }) =>
    [
      ...(results.length === 0 ? ["[no note found]"] : results.map(formatNote)),
      ...(remark === undefined ? [] : [`[${remark}]`])
    ].join("\n"),
  execute: Effect.fnUntraced(function* ({ includeConversation, query, tags, topK }) {
    const memory = yield* Capability.MemoryRead
    const kinds = includeConversation ? Note.Kind.literals : []
    const { notes, wordsOnly } = yield* memory.search({ text: query, limit: topK, tags, kinds })
    const results = notes.map(({ note, score }) => ({
      text: note.text,
      source: note.source,
      score,
      noteId: note.noteId,
      kind: note.kind,
      tags: note.tags,
      createdAt: instant(note.createdAtMillis),
      updatedAt: instant(note.updatedAtMillis)
    }))
    return Tool.result({
      output: wordsOnly === null ? { results } : { results, remark: `words alone were compared: ${wordsOnly}` },
      display: results.length === 1 ? "Found 1 note" : `Found ${results.length} notes`
    })
  })
})
