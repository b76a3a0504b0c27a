/** Handlers of notes. They cover the user's own notes, not those of projects. */
import { Api, Authorization, Problem } from "@bough/gateway-api"
import { Canonical, Note } from "@bough/protocol"
import { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { randomUUID } from "node:crypto"
import * as IfMatch from "./IfMatch.ts"

const defaultLimit = 50
const author = "the user"

const scope = Effect.map(Authorization.CurrentPrincipal, (principal): NoteStore.NoteScope => ({
  user: Authorization.userKey(principal),
  hold: null,
  everyProject: true
}))

const eTagOf = (note: Note.Note): string => `"${Canonical.digestOf(note).replace("sha256:", "").slice(0, 32)}"`

const withETag = (note: Note.Note) => HttpApiSchema.withHeaders({ body: note, headers: { etag: eTagOf(note) } })

export const layer = HttpApiBuilder.group(
  Api.Api,
  "notes",
  Effect.fnUntraced(function* (handlers) {
    const notes = yield* NoteStore.NoteStore
    const find = Effect.fnUntraced(function* (idInPath: string) {
      const note = yield* Effect.orDie(notes.get(yield* scope, Note.NoteId.make(idInPath)))
      return note ?? (yield* new Problem.NotFound({}))
    })
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const noteScope = yield* scope
        const limit = query.limit ?? defaultLimit
        const filter = { tags: [], kinds: query.kind === undefined ? Note.Kind.literals : [query.kind] }
        if (query.text !== undefined) {
          const found = yield* Effect.orDie(notes.search(noteScope, { ...filter, text: query.text, limit }))
          return { items: found.map(({ note }) => note), next: null }
        }
        const page = yield* Effect.orDie(
          notes.list(noteScope, { ...filter, after: query.cursor ?? "", limit: limit + 1 })
        )
        const items = page.slice(0, limit)
        return { items, next: page.length > limit ? (items.at(-1)?.noteId ?? null) : null }
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const { kind = "fact", tags = [], text } = payload
        const { note } = yield* Effect.orDie(
          notes.save(yield* scope, {
            noteId: Note.NoteId.make(`note-${randomUUID()}`),
            kind,
            text: text.trim(),
            tags: Note.normaliseTags(tags),
            source: author,
            // The user wrote the note.
            untrusted: false,
            createdAtMillis: null
          })
        )
        return note
      }),
      get: ({ params }) => Effect.map(find(params.noteId), withETag),
      change: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const note = yield* find(params.noteId)
        const condition = headers["if-match"]
        const stale = () => new Problem.PreconditionFailed({ detail: "the note was changed: read it again" })
        if (!IfMatch.isSatisfied(condition, eTagOf(note))) return yield* stale()
        const changed = yield* Effect.orDie(
          notes.update(yield* scope, note.noteId, {
            untrusted: false,
            text: payload.text?.trim() ?? null,
            kind: payload.kind ?? null,
            tags: payload.tags === undefined ? null : Note.normaliseTags(payload.tags),
            by: author,
            ...(condition === undefined ? {} : { expected: note })
          })
        )
        if (changed !== null) return withETag(changed)
        // The note was removed, or another request with the same condition came first.
        return yield* condition === undefined ? new Problem.NotFound({}) : stale()
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const { noteId } = yield* find(params.noteId)
        yield* Effect.orDie(notes.remove(yield* scope, noteId, { history: "Erase", by: author }))
      })
    })
  })
)
