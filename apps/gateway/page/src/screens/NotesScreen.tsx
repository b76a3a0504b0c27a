/** The notes that agents have saved about the user: search, edit, delete. */
import { dataOf, type Note } from "@bough/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useDeferredValue, useState } from "react"
import { gateway } from "../api/gateway.ts"
import * as queries from "../api/queries.ts"
import { useScope } from "../components/AccountContext.ts"
import { Screen } from "../components/Screen.tsx"
import { useNow } from "../components/useNow.ts"
import { age } from "../model/Figures.ts"

export const NotesScreen = () => {
  const [text, setText] = useState("")
  const notes = useQuery(queries.notes(useDeferredValue(text.trim())))
  return (
    <Screen title="Notes" reads={[notes]}>
      <label>
        <span className="visually-hidden">Search notes</span>
        <input
          type="search"
          placeholder="Search notes"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {notes.isSuccess && notes.data.items.length === 0 && (
        <p className="muted">{text === "" ? "The agents remember nothing yet." : "No note has these words."}</p>
      )}
      <ul className="rows">
        {notes.data?.items.map((note) => (
          <li key={note.noteId}>
            <NoteRow note={note} />
          </li>
        ))}
      </ul>
    </Screen>
  )
}

const NoteRow = ({ note }: { readonly note: Note }) => {
  const [draft, setDraft] = useState<string | null>(null)
  const canChange = useScope("chat")
  const client = useQueryClient()
  const now = useNow()
  const params = { path: { noteId: note.noteId } }
  const onSuccess = async (): Promise<void> => {
    setDraft(null)
    await client.invalidateQueries({ queryKey: ["notes"] })
  }
  const change = useMutation({
    mutationFn: (text: string) => dataOf(gateway.api.PATCH("/api/v1/notes/{noteId}", { params, body: { text } })),
    onSuccess
  })
  const remove = useMutation({
    mutationFn: () => dataOf(gateway.api.DELETE("/api/v1/notes/{noteId}", { params })),
    onSuccess
  })
  const error = change.error ?? remove.error
  return (
    <article className="row">
      {draft === null ? (
        <p className="said">{note.text}</p>
      ) : (
        <form
          className="actions-form"
          onSubmit={(event) => {
            event.preventDefault()
            change.mutate(draft)
          }}
        >
          <label>
            <span className="visually-hidden">Text of the note</span>
            <textarea autoFocus rows={3} value={draft} onChange={(event) => setDraft(event.target.value)} />
          </label>
          <div className="actions">
            <button className="button primary" disabled={draft.trim() === "" || change.isPending}>
              Save
            </button>
            <button className="button quiet" type="button" onClick={() => setDraft(null)}>
              Cancel
            </button>
          </div>
        </form>
      )}
      <div className="facts">
        <span>{note.kind}</span>
        {note.tags.map((tag) => (
          <span key={tag}>#{tag}</span>
        ))}
        <span>{age(now - note.updatedAtMillis)}</span>
        {note.untrusted && <span className="tag tag-wait">from an untrusted source</span>}
        {canChange && draft === null && (
          <span className="row-actions">
            <button className="button quiet" onClick={() => setDraft(note.text)}>
              Edit
            </button>
            <button className="button quiet" disabled={remove.isPending} onClick={() => remove.mutate()}>
              Delete
            </button>
          </span>
        )}
      </div>
      {error !== null && <p className="error">{error.message}</p>}
    </article>
  )
}
