/** Lays the editor out again only if it has changed: most frames show only new streamed text. */
import type * as Editor from "@bough/tui/editor/Editor"
import * as EditorView from "@bough/tui/editor/EditorView"

export type EditorLayout = (editor: Editor.EditorState, size: Required<EditorView.ViewOptions>) => EditorView.View

export const make = (): EditorLayout => {
  let last: { editor: Editor.EditorState; width: number; height: number; view: EditorView.View } | null = null
  return (editor, { height, width }) => {
    if (last?.editor !== editor || last.width !== width || last.height !== height) {
      last = { editor, width, height, view: EditorView.view(editor, { width, height }) }
    }
    return last.view
  }
}
