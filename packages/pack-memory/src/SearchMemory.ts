/** `search_memory`: finds notes about the user by words and by meaning. */
import { Note } from "@bough/protocol"
import { Capability, Invocation, Tool, ToolSchema } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { instant, Tags } from "./internal/noteFields.ts"
import * as Said from "./internal/said.ts"

const maxResults = 20

const PastText = Schema.Struct({ text: Schema.String, until: Schema.String, reason: Note.EndReason })

const Found = Schema.Struct({
  text: Schema.String,
  source: Schema.String,
  /** The likelihood that the note answers the query, from 0 to 1. */
  score: Schema.Finite,
  confidence: Schema.Literals(["sure", "maybe"]),
  noteId: Schema.String,
  kind: Note.Kind,
  tags: Schema.Array(Schema.String),
  createdAt: Schema.String,
  updatedAt: Schema.String,
  /** The root of the project to which the note belongs; absent: it belongs to the user. */
  project: Schema.optionalKey(Schema.String),
  /** The last day or moment at which the note is valid; `ended`: that time has passed. */
  validUntil: Schema.optionalKey(Schema.String),
  ended: Schema.optionalKey(Schema.Boolean),
  /** The note's earlier texts, the last one first, if they were requested. */
  history: Schema.optionalKey(Schema.Array(PastText))
})

const formatNote = (found: typeof Found.Type): string => {
  const {
    confidence,
    ended,
    history = [],
    kind,
    noteId,
    project,
    score,
    source,
    tags,
    text,
    updatedAt,
    validUntil
  } = found
  const facts = [
    noteId,
    kind,
    updatedAt.slice(0, "2026-01-01".length),
    ...(validUntil === undefined ? [] : [`${ended === true ? "ended" : "until"} ${validUntil}`]),
    ...(project === undefined ? [] : ["of this project"]),
    `from ${source}`,
    ...(tags.length === 0 ? [] : [`tags ${tags.join(", ")}`])
  ]
  const before = history.map((past) => `\n  before, until ${past.until.slice(0, 10)}: ${past.text} (${past.reason})`)
  return `- (${confidence} ${score.toFixed(2)}) ${text} [${facts.join(", ")}]${before.join("")}`
}

const headingOf = (results: number, fits: boolean): ReadonlyArray<string> =>
  results === 0
    ? ["[no note found]"]
    : fits
      ? []
      : ["[nothing that is remembered clearly fits; the nearest notes are these]"]

const displayOf = (results: number, fits: boolean): string =>
  results > 0 && !fits
    ? `Found no note that clearly fits, and ${results} near`
    : `Found ${results === 1 ? "1 note" : `${results} notes`}`

export const SearchMemory = Tool.make("search_memory", {
  version: 3,
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
    ),
    history: ToolSchema.withDefault(
      Schema.Boolean.annotate({ description: "Also what each note said before it was changed" }),
      false
    )
  }),
  output: Schema.Struct({
    /** The notes, best first; if no note fits, the nearest ones. */
    results: Schema.Array(Found),
    /** False: probably no note answers the query. */
    fits: Schema.Boolean,
    /** The passages of conversations, if the call requested them. */
    said: Schema.optionalKey(Schema.Array(Said.FoundMessage)),
    /** The reason why meaning was not compared. */
    remark: Schema.optionalKey(Schema.String)
  }),
  forModel: ({ fits, remark, results, said }) =>
    [
      ...headingOf(results.length, fits),
      ...results.map(formatNote),
      ...(said === undefined ? [] : said.length === 0 ? ["[nothing found that was said]"] : said.map(Said.format)),
      ...(remark === undefined ? [] : [`[${remark}]`])
    ].join("\n"),
  execute: Effect.fnUntraced(function* ({ history, includeConversation, query, tags, topK }) {
    const memory = yield* Capability.MemoryRead
    const kinds = includeConversation ? Note.Kind.literals : []
    const { fits, notes, wordsOnly } = yield* memory.search({ text: query, limit: topK, tags, kinds })
    const pasts = history ? yield* Effect.forEach(notes, ({ note }) => memory.history(note.noteId)) : []
    const now = yield* Clock.currentTimeMillis
    const results = notes.map(({ confidence, note, score }, index) => ({
      text: note.text,
      source: note.source,
      score,
      confidence,
      noteId: note.noteId,
      kind: note.kind,
      tags: note.tags,
      createdAt: instant(note.createdAtMillis),
      updatedAt: instant(note.updatedAtMillis),
      ...(note.project === null ? {} : { project: note.project }),
      ...(note.validUntilMillis === null
        ? {}
        : { validUntil: Note.formatMoment(note.validUntilMillis), ended: Note.isEnded(note, now) }),
      ...(history ? { history: pasts[index].map(pastText) } : {})
    }))
    const remarks = wordsOnly === null ? [] : [`words alone were compared: ${wordsOnly}`]
    const found = displayOf(results.length, fits)
    const output = (more: ReadonlyArray<string>) => {
      const all = [...remarks, ...more]
      return all.length === 0 ? { results, fits } : { results, fits, remark: all.join("; ") }
    }
    if (!includeConversation) return Tool.result({ output: output([]), display: found })
    const { workspaceRoot } = yield* Invocation.Invocation
    const conversations = yield* memory.conversations({ text: query, limit: topK, workspaceRoot })
    const excerpts = Said.messagesOf(conversations)
    const remark = Said.remarkOf(conversations)
    return Tool.result({
      output: { ...output(remark === null ? [] : [remark]), said: excerpts },
      display: `${found}, and ${excerpts.length} that ${excerpts.length === 1 ? "was" : "were"} said`
    })
  })
})

const pastText = ({ endedAtMillis, note, reason }: Note.PastVersion): typeof PastText.Type => ({
  text: note.text,
  until: instant(endedAtMillis),
  reason
})
