/** `search_memory`: notes about the user, by words and by meaning. */
import { Note } from "@bough/protocol"
import { Capability, Invocation, Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { instant, Tags } from "./internal/noteFields.ts"
import * as Said from "./internal/said.ts"

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
  version: 2,
  description: "Search what is remembered about the user from earlier sessions",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.MemoryRead],
  parameters: Schema.Struct({
    query: Schema.NonEmptyString,
    topK: ToolSchema.withDefault(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxResults })), 5),
    tags: ToolSchema.withDefault(Tags.annotate({ description: "Only notes with all of them" }), []),
    includeConversation: ToolSchema.withDefault(
      Schema.Boolean.annotate({ description: "Also what was said in other sessions, as it was said" }),
      false
    )
  }),
  output: Schema.Struct({
    results: Schema.Array(Found),
    /** Where it was asked for. */
    said: Schema.optionalKey(Schema.Array(Said.Said)),
    /** Why meaning was not compared. */
    remark: Schema.optionalKey(Schema.String)
  }),
  forModel: ({ remark, results, said }) =>
    [
      ...(results.length === 0 ? ["[no note found]"] : results.map(formatNote)),
      ...(said === undefined ? [] : said.length === 0 ? ["[nothing found that was said]"] : said.map(Said.format)),
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
    const remarks = wordsOnly === null ? [] : [`words alone were compared: ${wordsOnly}`]
    const found = results.length === 1 ? "Found 1 note" : `Found ${results.length} notes`
    const output = (more: ReadonlyArray<string>) => {
      const all = [...remarks, ...more]
      return all.length === 0 ? { results } : { results, remark: all.join("; ") }
    }
    if (!includeConversation) return Tool.result({ output: output([]), display: found })
    const { workspaceRoot } = yield* Invocation.Invocation
    const conversations = yield* memory.conversations({ text: query, limit: topK, workspaceRoot })
    const said = Said.fromFound(conversations)
    const remark = Said.remarkOf(conversations)
    return Tool.result({
      output: { ...output(remark === null ? [] : [remark]), said },
      display: `${found}, and ${said.length} that ${said.length === 1 ? "was" : "were"} said`
    })
  })
})
