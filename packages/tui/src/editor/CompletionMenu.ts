/** Completion while the user types: the items depend on the token before the cursor. Pure. */
import * as Vim from "../vim/Vim.ts"
import * as Attachments from "./Attachments.ts"
import type { Command } from "./Bindings.ts"
import * as Completion from "./Completion.ts"
import * as Draft from "./Draft.ts"
import type { Event } from "./EditorEvent.ts"
import { withoutActions, type EditorState, type EditorUpdate } from "./EditorState.ts"
import * as Image from "./Image.ts"
import { send } from "./Submission.ts"

/** Returns the effect of a key on an open completion; null: the key keeps its usual meaning. */
export const pressKey = (state: EditorState, command: Command): EditorUpdate | null => {
  const { completion } = state
  if (completion === null) return null
  if (command === "leave") return withoutActions({ ...state, completion: null, closedAt: completion.token.start })
  if (completion.items.length === 0) return null
  if (command === "up" || command === "older")
    return withoutActions({ ...state, completion: Completion.step(completion, -1) })
  if (command === "down" || command === "newer")
    return withoutActions({ ...state, completion: Completion.step(completion, 1) })
  if (command === "complete" && completion.selected === -1) return acceptItem(state, completion, completion.items[0])
  const item = Completion.chosenItem(completion)
  if (item === null) return null
  if (command === "complete") return acceptItem(state, completion, item)
  if (command !== "send" || isWritten(state.draft, completion, item)) return null
  const next = acceptItem(state, completion, item)
  return completion.token.kind !== "path" && !item.goesOn ? send(next.state) : next
}

/** True if the text already contains the item: then Enter submits. */
const isWritten = (
  { cursor, text }: Draft.Draft,
  { token }: Completion.Completion,
  { insert }: Completion.Item
): boolean => text.slice(token.start, cursor) === insert.trimEnd()

const acceptItem = (state: EditorState, { token }: Completion.Completion, item: Completion.Item): EditorUpdate => {
  const { cursor, text } = state.draft
  const written = item.insert.trimEnd()
  const isImage = token.kind === "path" && !item.goesOn && Image.isNamed(item.label)
  const piece: Draft.MarkedText = {
    text: item.insert.endsWith(" ") && text[cursor] !== " " ? item.insert : written,
    marks: isImage
      ? [
          {
            _tag: "Candidate",
            request: Attachments.nextRequest(state),
            path: item.label,
            start: 0,
            end: written.length
          }
        ]
      : []
  }
  return Attachments.insertPiece(state, [token.start, cursor], piece)
}

/** Opens, updates or closes the completion after an event. */
export const updateCompletion = (before: EditorState, { actions, state }: EditorUpdate): EditorUpdate => {
  const token = state.search === null && !Vim.isNormal(state) ? Completion.token(state.draft, state.known) : null
  if (token === null) return { state: { ...state, completion: null, closedAt: null }, actions }
  // Recalled history opens no menu, so that the next Up continues in the history.
  const isRecalled = before.history.at !== state.history.at
  const isMoved = before.draft.text === state.draft.text && before.completion === null
  if (isRecalled || state.closedAt === token.start) {
    return { state: { ...state, completion: null, closedAt: token.start }, actions }
  }
  if (isMoved || Completion.sameToken(state.completion?.token ?? null, token)) return { state, actions }
  if (token.kind === "slash") {
    return {
      state: {
        ...state,
        completion: { token, items: Completion.commands(state.syntax.commands, token.query), selected: 0, awaits: null }
      },
      actions
    }
  }
  if (token.kind === "argument") {
    const earlier = Completion.token(before.draft, before.known)
    const isBegun = earlier?.kind !== "argument" || earlier.start !== token.start
    const action = { _tag: "CompleteArguments", command: Completion.commandOf(state.draft) } as const
    const completion = argumentMenu(state, token)
    return { state: { ...state, completion }, actions: isBegun ? [...actions, action] : actions }
  }
  const request = state.requests + 1
  const shown = state.completion?.token
  const isSame = shown?.kind === "path" && shown.start === token.start
  const items = isSame ? (state.completion?.items ?? []) : []
  return {
    state: { ...state, requests: request, completion: { token, items, selected: 0, awaits: request } },
    actions: [...actions, { _tag: "CompletePaths", request, query: token.query }]
  }
}

export const withPaths = (
  state: EditorState,
  event: Extract<Event, { readonly _tag: "PathsCompleted" }>
): EditorState => {
  const { completion } = state
  return completion === null || completion.awaits !== event.request
    ? state
    : { ...state, completion: { ...completion, items: event.paths.map(Completion.path), selected: 0, awaits: null } }
}

/** Returns the menu of a command's arguments; null: there is nothing to choose. */
const argumentMenu = (state: EditorState, token: Completion.Token): Completion.Completion | null => {
  const items = Completion.options(state.draft, state.known)
  // Enter submits the text until an item is chosen.
  const isOpen = items.some(({ insert }) => insert !== token.query)
  return isOpen ? { token, items, selected: -1, awaits: null } : null
}

/** Shows the new arguments of a command whose menu is open, with the same item selected, or opens the menu. */
export const argumentsKnown = (
  before: EditorState,
  { command, options }: Extract<Event, { readonly _tag: "ArgumentsKnown" }>
): EditorState => {
  const state = { ...before, known: new Map([...before.known, [command, options]]) }
  const token = state.search === null && !Vim.isNormal(state) ? Completion.token(state.draft, before.known) : null
  const isOther = token?.kind !== "argument" || Completion.commandOf(state.draft) !== command
  if (isOther || state.closedAt === token.start) return state
  const { completion } = before
  const chosen = completion?.items[completion.selected]?.insert
  const menu = argumentMenu(state, token)
  const selected = menu?.items.findIndex(({ insert }) => insert === chosen) ?? -1
  return { ...state, completion: menu === null ? null : { ...menu, selected } }
}
