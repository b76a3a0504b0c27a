/** A scene of the screen without a question, one minute and five seconds after its clock began. */
import * as Keymap from "@bough/host/keys/Keymap"
import * as Editor from "@bough/tui/editor/Editor"
import * as EditorView from "@bough/tui/editor/EditorView"
import { dark } from "../../../../../packages/tui/test/anyText.ts"
import * as Frame from "../../../src/ui/tui/Frame.ts"
import type * as Transcript from "../../../src/ui/tui/Transcript.ts"

export const sceneOf = (view: Transcript.Transcript, columns: number, rows: number): Frame.FrameInput => ({
  view,
  question: null,
  viewer: null,
  keymap: Keymap.defaults,
  picker: null,
  mayAnswer: false,
  model: { name: "provider/model", contextTokens: 1000, effort: null },
  editor: EditorView.view(Editor.initial, { width: columns - Frame.promptWidth }),
  hint: "press Ctrl-C again to quit",
  columns,
  rows,
  theme: dark,
  nowMillis: 65_000
})
