/** Notes about the user that the agents saved. */
import { Note as NoteData } from "@bough/protocol"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { Authorization, RequiredScope } from "../Authorization.ts"
import * as Idempotency from "../Idempotency.ts"
import * as Page from "../Page.ts"
import { NotFound, PreconditionFailed } from "../Problem.ts"

export const Note = NoteData.Note.annotate({ identifier: "Note" })

const noteText = Schema.NonEmptyString.check(Schema.isMaxLength(10_000))
const tags = Schema.Array(Schema.NonEmptyString.check(Schema.isMaxLength(100))).check(Schema.isMaxLength(16))

export const CreateNote = Schema.Struct({
  text: noteText,
  kind: Schema.optionalKey(NoteData.Kind),
  tags: Schema.optionalKey(tags)
}).annotate({ identifier: "CreateNote" })

export const ChangeNote = Schema.Struct({
  text: Schema.optionalKey(noteText),
  kind: Schema.optionalKey(NoteData.Kind),
  tags: Schema.optionalKey(tags)
}).annotate({ identifier: "ChangeNote" })

const withETag = HttpApiSchema.WithHeaders(Note, { etag: Schema.String })
const params = { noteId: Schema.NonEmptyString.check(Schema.isMaxLength(200)) }

export class NotesApi extends HttpApiGroup.make("notes")
  .add(
    /** Lists all notes by id; with `text`, the notes that contain its words, best first. */
    HttpApiEndpoint.get("list", "/", {
      query: {
        text: Schema.optionalKey(Schema.NonEmptyString.check(Schema.isMaxLength(1000))),
        kind: Schema.optionalKey(NoteData.Kind),
        limit: Page.limit,
        cursor: Page.cursor
      },
      success: Page.pageOf(Note)
    }).annotate(RequiredScope, "read"),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: CreateNote,
      success: Note.pipe(HttpApiSchema.status(201))
    }).annotate(RequiredScope, "chat"),
    HttpApiEndpoint.get("get", "/:noteId", { params, success: withETag, error: NotFound }).annotate(
      RequiredScope,
      "read"
    ),
    /** Changes a note; with `If-Match` only if it is unchanged. */
    HttpApiEndpoint.patch("change", "/:noteId", {
      params,
      headers: { ...Idempotency.headers, "if-match": Schema.optionalKey(Schema.String) },
      payload: ChangeNote,
      success: withETag,
      error: [NotFound, PreconditionFailed]
    }).annotate(RequiredScope, "chat"),
    /** Erases a note and its history. */
    HttpApiEndpoint.delete("remove", "/:noteId", { params, headers: Idempotency.headers, error: NotFound }).annotate(
      RequiredScope,
      "chat"
    )
  )
  .middleware(Idempotency.Idempotency)
  .middleware(Authorization)
  .prefix("/api/v1/notes") {}
