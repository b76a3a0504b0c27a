/** Replaces paths of images by attachments. Pure; the host finds the images. */
import * as Draft from "./Draft.ts"
import type { Event } from "./EditorEvent.ts"
import { setDraft, type EditorState, type EditorUpdate } from "./EditorState.ts"
import * as Image from "./Image.ts"

type ImagesFoundEvent = Extract<Event, { readonly _tag: "ImagesFound" }>

/** Replaces the text between two positions by a piece, and requests the images that the piece names from the host. */
export const insertPiece = (
  state: EditorState,
  range: readonly [number, number],
  piece: Draft.MarkedText
): EditorUpdate => {
  const paths = piece.marks.flatMap((mark) => (mark._tag === "Candidate" ? [mark.path] : []))
  const next = setDraft(state, Draft.replace(state.draft, range, piece))
  if (paths.length === 0) return { state: next, actions: [] }
  const request = next.requests + 1
  return {
    state: { ...next, requests: request, looking: [...next.looking, request] },
    actions: [{ _tag: "FindImages", request, paths: [...new Set(paths)] }]
  }
}

/** The number of the request that `looked` makes next. */
export const nextRequest = ({ requests }: EditorState): number => requests + 1

const attach = (draft: Draft.Draft, { images, request }: ImagesFoundEvent): Draft.Draft => {
  let next = draft
  for (const mark of draft.marks.toReversed()) {
    if (mark._tag !== "Candidate" || mark.request !== request) continue
    const image = images.find(({ path }) => path === mark.path)
    const written = draft.text.slice(mark.start, mark.end)
    const text = image === undefined ? written : Image.label(image)
    const piece: Draft.MarkedText = {
      text,
      marks: image === undefined ? [] : [{ _tag: "Attached", image, start: 0, end: text.length }]
    }
    next = replacedBefore(next, mark, piece)
  }
  return next
}

/** Moves the cursor if text before it is replaced. */
const replacedBefore = (draft: Draft.Draft, { end, start }: Draft.Mark, piece: Draft.MarkedText): Draft.Draft => {
  const next = Draft.replace(draft, [start, end], piece)
  const { cursor } = draft
  if (cursor <= start) return Draft.at(next, cursor)
  return cursor < end ? next : Draft.at(next, cursor + piece.text.length - (end - start))
}

export const addImages = (state: EditorState, event: ImagesFoundEvent): EditorState => {
  const { refused, request } = event
  return {
    ...state,
    draft: attach(state.draft, event),
    undo: state.undo.map((draft) => attach(draft, event)),
    looking: state.looking.filter((other) => other !== request),
    sending: state.sending && refused.length === 0,
    notice: refused.length === 0 ? state.notice : refused.map(({ message, path }) => `${path}: ${message}`).join(" · ")
  }
}
