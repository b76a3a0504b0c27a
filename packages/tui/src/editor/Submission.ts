/** Submits the draft on Enter: as a message, a shell command, or a command of the conversation. Pure. */
import * as VimState from "../vim/VimState.ts"
import * as Draft from "./Draft.ts"
import type { Action } from "./EditorEvent.ts"
import { setDraft, type EditorState, type EditorUpdate, withoutActions } from "./EditorState.ts"
import * as History from "./History.ts"
import type { InputSyntax, ParsedInput } from "./InputSyntax.ts"

export type Mode = "message" | "command" | "slash"

const modes = { Message: "message", Command: "command", Slash: "slash" } as const

/** Returns the mode according to the first character, if it was typed or visibly pasted. */
export const mode = (syntax: InputSyntax, draft: Draft.Draft): Mode => modes[read(syntax, draft)._tag]

const read = (syntax: InputSyntax, { marks, text }: Draft.Draft): ParsedInput =>
  marks.some((mark) => Draft.isAtom(mark) && mark.start === 0) ? { _tag: "Message" } : syntax.parse(text)

/** Returns the length of the `/name` with which the text begins. */
export const slashLength = (syntax: InputSyntax, text: string): number => {
  const input = syntax.parse(text)
  return 1 + (input._tag === "Slash" ? input.name.length : 0)
}

export const send = (state: EditorState): EditorUpdate => {
  const { draft } = state
  if (endsInBackslash(draft)) {
    return withoutActions(setDraft(state, Draft.replace(draft, [draft.cursor - 1, draft.cursor], Draft.plain("\n"))))
  }
  if (isLooking(state)) return withoutActions({ ...state, sending: true })
  const input = read(state.syntax, draft)
  const refused = state.syntax.refusal(input)
  if (refused !== null) return withNotice(state, refused)
  switch (input._tag) {
    case "Command":
      return hasImages(state)
        ? withNotice(state, "a command cannot have images; only a message can")
        : submit(state, { _tag: "RunCommand", command: input.command })
    case "Slash":
      return hasImages(state)
        ? withNotice(state, `/${input.name} takes no images: only messages do`)
        : submit(state, { _tag: "RunSlashCommand", name: input.name, arguments: input.arguments })
    case "Message":
      return draft.text.trim() === "" ? withoutActions(state) : submit(state, submission(draft))
  }
}

/** True while a lookup may still replace a path by an image. */
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

const withNotice = (state: EditorState, notice: string): EditorUpdate => withoutActions({ ...state, notice })

const submit = (state: EditorState, action: Action): EditorUpdate => {
  const { text } = state.draft
  return {
    state: {
      ...state,
      draft: Draft.empty,
      last: "other",
      aim: null,
      undo: [],
      history: History.withEntry(state.history, text),
      completion: null,
      closedAt: null,
      vim: state.vim === null ? null : VimState.atPrompt(state.vim),
      sending: false
    },
    actions: [action, ...(History.isNew(state.history, text) ? [{ _tag: "Remember", text } as const] : [])]
  }
}
