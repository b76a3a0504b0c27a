/** Enter: what is written goes out as a message, as a command for the shell, or as one of the conversation's own. Pure. */
import * as SlashCommands from "../../conversation/SlashCommands.ts"
import * as Draft from "./Draft.ts"
import type { Action } from "./Event.ts"
import * as History from "./History.ts"
import { edited, type EditorState, type Updated, quiet } from "./State.ts"

export type Mode = "message" | "command" | "slash"

const modes = { Message: "message", Command: "command", Slash: "slash" } as const

/** By its first character, where that was typed or pasted in the open. */
export const mode = (draft: Draft.Draft): Mode => modes[read(draft)._tag]

const read = ({ marks, text }: Draft.Draft): SlashCommands.Spoken =>
  marks.some((mark) => Draft.isAtom(mark) && mark.start === 0) ? { _tag: "Message" } : SlashCommands.read(text)

/** How long the `/name` at the beginning is. */
export const slashLength = (text: string): number => {
  const spoken = SlashCommands.read(text)
  return 1 + (spoken._tag === "Slash" ? spoken.name.length : 0)
}

export const send = (state: EditorState): Updated => {
  const { draft } = state
  if (endsInBackslash(draft)) {
    return quiet(edited(state, Draft.replaced(draft, [draft.cursor - 1, draft.cursor], Draft.plain("\n"))))
  }
  if (isLooking(state)) return quiet({ ...state, sending: true })
  const spoken = read(draft)
  const refused = SlashCommands.refusal(spoken)
  if (refused !== null) return noticed(state, refused)
  switch (spoken._tag) {
    case "Command":
      return hasImages(state)
        ? noticed(state, "a command takes no images: only messages do")
        : sent(state, { _tag: "RunCommand", command: spoken.command })
    case "Slash":
      return hasImages(state)
        ? noticed(state, `/${spoken.name} takes no images: only messages do`)
        : sent(state, { _tag: "RunSlashCommand", name: spoken.name, arguments: spoken.arguments })
    case "Message":
      return draft.text.trim() === "" ? quiet(state) : sent(state, submission(draft))
  }
}

/** Whether an image may yet take the place of a path. */
export const isLooking = ({ draft, looking }: EditorState): boolean =>
  draft.marks.some((mark) => mark._tag === "Candidate" && looking.includes(mark.request))

const endsInBackslash = ({ cursor, marks, text }: Draft.Draft): boolean =>
  text[cursor - 1] === "\\" && !marks.some((mark) => Draft.isAtom(mark) && mark.end === cursor)

const submission = ({ marks, text }: Draft.Draft): Action => ({
  _tag: "Submit",
  text,
  images: marks.flatMap((mark) => (mark._tag === "Attached" ? [mark.image] : []))
})

const hasImages = ({ draft }: EditorState): boolean => draft.marks.some(({ _tag }) => _tag === "Attached")

const noticed = (state: EditorState, notice: string): Updated => quiet({ ...state, notice })

const sent = (state: EditorState, action: Action): Updated => {
  const { text } = state.draft
  return {
    state: {
      ...state,
      draft: Draft.empty,
      last: "other",
      aim: null,
      undo: [],
      history: History.remembered(state.history, text),
      completion: null,
      closedAt: null,
      sending: false
    },
    actions: [action, ...(History.isNew(state.history, text) ? [{ _tag: "Remember", text } as const] : [])]
  }
}
