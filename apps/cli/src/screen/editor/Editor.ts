/** The input editor of a conversation: text that a person writes, as a pure fold of events. `View.ts` shows it. */
import type { Message } from "@bough/protocol"
import type { Key } from "./Key.ts"

/** An image that a person attached: read when it was dropped, so that it may vanish afterwards. */
export interface Image {
  readonly path: string
  /** The last part of the path. */
  readonly name: string
  readonly media: Message.Media
}

export interface ListedPath {
  /** Relative to the workspace, with `/` between its parts and none at its end. */
  readonly path: string
  readonly isFolder: boolean
}

export type Event =
  | { readonly _tag: "KeyPressed"; readonly key: Key }
  | { readonly _tag: "Pasted"; readonly text: string }
  /** The width that `view` is given: up and down go by the rows that are seen. */
  | { readonly _tag: "Resized"; readonly width: number }
  /** Earlier inputs, oldest first. */
  | { readonly _tag: "HistoryLoaded"; readonly entries: ReadonlyArray<string> }
  /** Answers `CompletePaths`, best first; an answer to an older request is dropped. */
  | { readonly _tag: "PathsCompleted"; readonly request: number; readonly paths: ReadonlyArray<ListedPath> }
  /** Answers `FindImages`, always: sending waits for it. Paths that are no images are in neither list. */
  | {
      readonly _tag: "ImagesFound"
      readonly request: number
      readonly images: ReadonlyArray<Image>
      readonly refused: ReadonlyArray<{ readonly path: string; readonly message: string }>
    }

export type Action =
  /** `text` whole, with what is folded; an image stands in it as `[image name.png]`. */
  | { readonly _tag: "Submit"; readonly text: string; readonly images: ReadonlyArray<Image> }
  /** `!command`, without the sign. */
  | { readonly _tag: "RunCommand"; readonly command: string }
  /** A command of the table; `arguments` as typed, trimmed. */
  | { readonly _tag: "RunSlashCommand"; readonly name: string; readonly arguments: string }
  | { readonly _tag: "CompletePaths"; readonly request: number; readonly query: string }
  | { readonly _tag: "FindImages"; readonly request: number; readonly paths: ReadonlyArray<string> }
  /** To be appended to the project's history. */
  | { readonly _tag: "Remember"; readonly text: string }
  /** Escape, or Ctrl-C with nothing to clear. */
  | { readonly _tag: "Interrupt" }
  /** Ctrl-D with nothing written. */
  | { readonly _tag: "Quit" }
  /** A key that the editor has no use for. */
  | { readonly _tag: "Unused"; readonly key: Key }

export interface State {
  readonly text: string
  /** UTF-16 units before the cursor. */
  readonly cursor: number
  readonly width: number
}

export interface Updated {
  readonly state: State
  readonly actions: ReadonlyArray<Action>
}

export const initial: State = { text: "", cursor: 0, width: 80 }

export const update = (state: State, event: Event): Updated => {
  switch (event._tag) {
    case "KeyPressed":
      return pressed(state, event.key)
    case "Pasted":
      return { state: inserted(state, event.text), actions: [] }
    case "Resized":
      return { state: { ...state, width: event.width }, actions: [] }
    default:
      return { state, actions: [] }
  }
}

const inserted = (state: State, text: string): State => ({
  ...state,
  text: state.text.slice(0, state.cursor) + text + state.text.slice(state.cursor),
  cursor: state.cursor + text.length
})

const pressed = (state: State, key: Key): Updated => {
  if (key.name === "text" && !key.ctrl && !key.alt) return { state: inserted(state, key.text), actions: [] }
  if (key.name === "enter" && state.text !== "") {
    const { text } = state
    return {
      state: { ...state, text: "", cursor: 0 },
      actions: [
        { _tag: "Submit", text, images: [] },
        { _tag: "Remember", text }
      ]
    }
  }
  return { state, actions: [{ _tag: "Unused", key }] }
}
