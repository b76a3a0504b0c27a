/** Enter: what is written goes out as a message, as a command for the shell, or as one of the conversation's own. Pure. */
import { nearest } from "../../Nearest.ts"
import * as Draft from "./Draft.ts"
import type { Action } from "./Event.ts"
import * as History from "./History.ts"
import { slashCommands } from "./SlashCommands.ts"
import { edited, type State, type Updated, quiet } from "./State.ts"

export type Mode = "message" | "command" | "slash"

const command = /^\/([a-z][a-z-]*)(?:\s+([^]*))?$/u

/** By its first character, where that was typed or pasted in the open. */
export const mode = ({ marks, text }: Draft.Draft): Mode => {
  if (marks.some((mark) => Draft.isAtom(mark) && mark.start === 0)) return "message"
  if (text.startsWith("!")) return "command"
  return command.test(text) || text === "/" ? "slash" : "message"
}

/** How long the `/name` at the beginning is. */
export const slashLength = (text: string): number => 1 + (command.exec(text)?.[1]?.length ?? 0)

export const send = (state: State): Updated => {
  const { draft } = state
  if (endsInBackslash(draft)) {
    return quiet(edited(state, Draft.replaced(draft, [draft.cursor - 1, draft.cursor], Draft.plain("\n"))))
  }
  if (isLooking(state)) return quiet({ ...state, sending: true })
  switch (mode(draft)) {
    case "command":
      return runCommand(state)
    case "slash":
      return runSlashCommand(state)
    case "message":
      return draft.text.trim() === "" ? quiet(state) : sent(state, submission(draft))
  }
}

/** Whether an image may yet take the place of a path. */
export const isLooking = ({ draft, looking }: State): boolean =>
  draft.marks.some((mark) => mark._tag === "Candidate" && looking.includes(mark.request))

const endsInBackslash = ({ cursor, marks, text }: Draft.Draft): boolean =>
  text[cursor - 1] === "\\" && !marks.some((mark) => Draft.isAtom(mark) && mark.end === cursor)

const submission = ({ marks, text }: Draft.Draft): Action => ({
  _tag: "Submit",
  text,
  images: marks.flatMap((mark) => (mark._tag === "Attached" ? [mark.image] : []))
})

const runCommand = (state: State): Updated => {
  const given = state.draft.text.slice(1).trim()
  if (given === "") return noticed(state, "a command comes after the !")
  return hasImages(state)
    ? noticed(state, "a command takes no images: only messages do")
    : sent(state, { _tag: "RunCommand", command: given })
}

const runSlashCommand = (state: State): Updated => {
  const [, name = "", given = ""] = command.exec(state.draft.text) ?? []
  if (!slashCommands.some((known) => known.name === name)) {
    return noticed(state, unknown(name))
  }
  return hasImages(state)
    ? noticed(state, `/${name} takes no images: only messages do`)
    : sent(state, { _tag: "RunSlashCommand", name, arguments: given.trim() })
}

const unknown = (name: string): string => {
  const near = nearest(
    name,
    slashCommands.map((known) => known.name)
  )
  const meant = near === null ? "/help lists the commands." : `did you mean /${near}?`
  return `there is no /${name}: ${meant} A blank before it sends it as text`
}

const hasImages = ({ draft }: State): boolean => draft.marks.some(({ _tag }) => _tag === "Attached")

const noticed = (state: State, notice: string): Updated => quiet({ ...state, notice })

const sent = (state: State, action: Action): Updated => {
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
