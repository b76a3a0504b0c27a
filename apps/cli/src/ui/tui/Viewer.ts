/**
 * The full-screen transcript of a session: calls and reasoning are rows that fold in place. Only visible rows are laid
 * out, so its length does not matter. A pure fold of keys and events.
 */
import type { Entry, Event } from "@bough/protocol"
import { chord, typedBy } from "@bough/tui/editor/Bindings"
import type { Key } from "@bough/tui/keys/Key"
import { graphemes } from "@bough/tui/text/graphemes"
import type { Block } from "./Block.ts"
import * as Replay from "./Replay.ts"
import * as StreamedReply from "./StreamedReply.ts"
import * as Transcript from "./Transcript.ts"
import * as ViewerRows from "./ViewerRows.ts"

export interface Viewer extends ViewerRows.ViewedBlocks {
  readonly title: string
  readonly view: Transcript.Transcript
  /** True for a child that is working: it can be steered and stopped. */
  readonly isChild: boolean
  /** The text that is being typed; null: no text is being typed. */
  readonly draft: string | null
  /** The use of the text that is being typed: a message to the child, or a search. */
  readonly drafts: "message" | "search"
  /** True: the next `x` stops the child. */
  readonly asksToStop: boolean
}

export type ViewerResult =
  | { readonly _tag: "Open"; readonly viewer: Viewer }
  | { readonly _tag: "Closed" }
  /** The user messages the child, or stops it. */
  | { readonly _tag: "Steered"; readonly viewer: Viewer; readonly sessionId: string; readonly text: string }
  | { readonly _tag: "Stopped"; readonly viewer: Viewer; readonly sessionId: string }

export interface ViewerOptions {
  readonly title: string
  readonly isChild: boolean
  readonly entries: ReadonlyArray<Entry.Entry>
  /** The transcript state before the first entry. */
  readonly view: Transcript.Transcript
}

/** Shows the end of a transcript and selects its newest folded row; `opens` unfolds it. */
export const make = ({ entries, isChild, title, view }: ViewerOptions, opens: boolean): Viewer => {
  const { blocks, view: after } = Replay.replayAll(view, entries)
  const selected = ViewerRows.nextFoldable(blocks, blocks.length, -1)
  const open = new Set(opens && selected !== null ? [blocks[selected]] : [])
  const viewer = {
    title,
    isChild,
    draft: null,
    drafts: "message" as const,
    search: null,
    asksToStop: false,
    view: after,
    blocks,
    live: after,
    open,
    selected,
    top: null
  }
  return isChild ? entries.reduce(closeEndedDraft, viewer) : viewer
}

/** Closes the message to a child that has ended, because it receives no more messages. */
const closeEndedDraft = <V extends Pick<Viewer, "isChild" | "draft" | "drafts" | "asksToStop">>(
  viewer: V,
  { body }: Entry.Entry
): V =>
  body._tag === "SessionEnded" ||
  (body._tag === "StateChanged" && body.state !== "Active" && body.state !== "Suspended")
    ? {
        ...viewer,
        isChild: false,
        draft: viewer.drafts === "message" ? null : viewer.draft,
        asksToStop: false
      }
    : viewer

/** Applies the events that arrived while the entries were read; the entries may already include some of them. */
export const catchUp = (
  viewer: Viewer,
  { entries, events }: { readonly entries: ReadonlyArray<Entry.Entry>; readonly events: ReadonlyArray<Event.Event> },
  nowMillis: number
): Viewer => {
  const { sessionId } = viewer.view
  const last = entries.at(-1)?.seq ?? -1
  const known = events.findLastIndex(
    (event) => event._tag === "Recorded" && event.entry.sessionId === sessionId && event.entry.seq <= last
  )
  return events.slice(known + 1).reduce((now, event) => take(now, event, nowMillis), viewer)
}

/** Applies an event of its session. A recorded reply replaces the deltas that were shown before it. */
export const take = (viewer: Viewer, event: Event.Event, nowMillis: number): Viewer => {
  if (event.sessionId !== viewer.view.sessionId) return viewer
  return event._tag === "Recorded"
    ? closeEndedDraft(takeEvent(viewer, event, nowMillis), event.entry)
    : takeEvent(viewer, event, nowMillis)
}

const takeEvent = (viewer: Viewer, event: Event.Event, nowMillis: number): Viewer => {
  const body = event._tag === "Recorded" ? event.entry.body : null
  if (body?._tag === "UserMessage")
    return appendBlocks(viewer, [{ _tag: "Said", text: body.text, note: "" }], viewer.view)
  if (event._tag !== "Recorded" || body?._tag !== "ModelReplied") {
    const { blocks, view } = Transcript.take(viewer.view, event, nowMillis)
    return appendBlocks(viewer, blocks, view)
  }
  const fresh = { ...viewer.view, reply: StreamedReply.empty }
  const { blocks, view } = Replay.replayAll(fresh, [event.entry])
  return appendBlocks(viewer, blocks, view)
}

const appendBlocks = (viewer: Viewer, blocks: ReadonlyArray<Block>, view: Transcript.Transcript): Viewer => ({
  ...viewer,
  view,
  live: view,
  blocks: blocks.length === 0 ? viewer.blocks : [...viewer.blocks, ...blocks]
})

export const press = (pressed: Viewer, key: Key, size: ViewerRows.ViewerSize): ViewerResult => {
  if (pressed.draft !== null) return write(pressed, pressed.draft, { key, room: size })
  const name = chord(key)
  const viewer = pressed.asksToStop ? { ...pressed, asksToStop: false } : pressed
  const { sessionId } = viewer.view
  if (viewer.isChild && name === "s") return open({ ...viewer, draft: "", drafts: "message" })
  if (viewer.isChild && name === "x") {
    return pressed.asksToStop ? { _tag: "Stopped", viewer, sessionId } : open({ ...viewer, asksToStop: true })
  }
  switch (name) {
    case "escape":
      return viewer.search === null ? { _tag: "Closed" } : open({ ...viewer, search: null })
    case "/":
      return open(find(viewer))
    case "n":
      return open(viewer.search === null ? viewer : ViewerRows.find(viewer, { search: viewer.search, by: 1 }, size))
    case "N":
      return open(viewer.search === null ? viewer : ViewerRows.find(viewer, { search: viewer.search, by: -1 }, size))
    case "q":
    case "ctrl-c":
      return { _tag: "Closed" }
    case "up":
    case "k":
      return open(moveSelection(viewer, -1, size))
    case "down":
    case "j":
      return open(moveSelection(viewer, 1, size))
    case "enter":
    case " ":
      return open(toggleSelected(viewer))
    case "right":
      return open(viewer.selected === null ? viewer : withOpen(viewer, viewer.blocks[viewer.selected], true))
    case "left":
      return open(viewer.selected === null ? viewer : withOpen(viewer, viewer.blocks[viewer.selected], false))
    case "a":
      return open(toggleAll(viewer))
    case "pageUp":
      return open(ViewerRows.scroll(viewer, -Math.max(1, size.rows - ViewerRows.frameRows - 1), size))
    case "pageDown":
      return open(ViewerRows.scroll(viewer, Math.max(1, size.rows - ViewerRows.frameRows - 1), size))
    case "home":
      return open({ ...viewer, top: { block: 0, row: 0 } })
    case "end":
      return open({ ...viewer, top: null })
    default:
      return open(viewer)
  }
}

/** Asks for the text to search for. */
export const find = (viewer: Viewer): Viewer => ({ ...viewer, asksToStop: false, draft: "", drafts: "search" })

const write = (
  viewer: Viewer,
  draft: string,
  { key, room }: { readonly key: Key; readonly room: ViewerRows.ViewerSize }
): ViewerResult => {
  const typed = typedBy(key)
  if (typed !== "") return open({ ...viewer, draft: draft + typed })
  if (key.name === "backspace") return open({ ...viewer, draft: graphemes(draft).slice(0, -1).join("") })
  if (key.name === "escape" || (key.name === "text" && key.ctrl && key.text === "c")) {
    return open({ ...viewer, draft: null })
  }
  if (key.name !== "enter") return open(viewer)
  const closed = { ...viewer, draft: null }
  if (viewer.drafts === "search") {
    // Enter without a text repeats the last search.
    if (draft.trim() === "")
      return open(closed.search === null ? closed : ViewerRows.find(closed, { search: closed.search, by: 1 }, room))
    return open(ViewerRows.find(closed, { search: { wanted: draft.trim(), at: null }, by: null }, room))
  }
  const { sessionId } = viewer.view
  return draft.trim() === "" ? open(closed) : { _tag: "Steered", viewer: closed, sessionId, text: draft.trim() }
}

/** Appends pasted text to the text being typed; does nothing if no text is being typed. */
export const paste = (viewer: Viewer, text: string): Viewer =>
  viewer.draft === null ? viewer : { ...viewer, draft: viewer.draft + text.replaceAll(/\s+/gu, " ") }

const open = (viewer: Viewer): ViewerResult => ({ _tag: "Open", viewer })

/** Selects the next row that can be unfolded; if there is none, scrolls. */
const moveSelection = (viewer: Viewer, by: 1 | -1, size: ViewerRows.ViewerSize): Viewer => {
  const next = ViewerRows.nextFoldable(viewer.blocks, viewer.selected ?? (by === 1 ? -1 : viewer.blocks.length), by)
  return next === null
    ? ViewerRows.scroll(viewer, by, size)
    : ViewerRows.scrollToSelected({ ...viewer, selected: next }, size)
}

const toggleSelected = (viewer: Viewer): Viewer => {
  const block = viewer.selected === null ? undefined : viewer.blocks[viewer.selected]
  return block === undefined ? viewer : withOpen(viewer, block, !viewer.open.has(block))
}

const withOpen = (viewer: Viewer, block: Block, isOpen: boolean): Viewer => {
  const open = new Set(viewer.open)
  if (isOpen) open.add(block)
  else open.delete(block)
  return { ...viewer, open }
}

/** Unfolds all rows, or folds them if all are unfolded. */
const toggleAll = (viewer: Viewer): Viewer => {
  const foldable = viewer.blocks.filter(ViewerRows.isFoldable)
  return { ...viewer, open: new Set(foldable.every((block) => viewer.open.has(block)) ? [] : foldable) }
}
