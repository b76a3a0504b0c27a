/**
 * `/rewind`: continues the conversation before an earlier message in a new session, with the files restored or left
 * unchanged.
 */
import type { Entry } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Picker from "@bough/tui/picker/Picker"
import * as Effect from "effect/Effect"
import { type CliFailure, usage } from "../../CliFailure.ts"
import type { CommandEffect, ConversationContext, Transition } from "./ConversationContext.ts"
import { loadEntries } from "./loadEntries.ts"
import type { SessionWithModel } from "./OpenedSession.ts"
import * as SessionCommands from "./SessionCommands.ts"

type CommandResult = Effect.gen.Return<Transition, CliFailure, SessionStore.SessionStore>

export const rewind = (context: ConversationContext, open: SessionWithModel, argument: string): CommandEffect =>
  Effect.gen(function* (): CommandResult {
    const { ui } = context
    if (ui.kind === "lines")
      return yield* usage("the plain interface shows no list", "/fork ENTRY [--files] does the same")
    if (argument !== "") return yield* usage("/rewind takes no argument", "it lists the messages to choose from")
    const store = yield* SessionStore.SessionStore
    const userMessages = turnStarts(yield* loadEntries(store, open.session.sessionId))
    if (userMessages.length === 0) {
      ui.note("nothing to rewind yet")
      return "stay"
    }
    const chosen = yield* chooseMessage(context, userMessages)
    if (chosen === null) return "stay"
    const takesFiles = yield* chooseFiles(context, open)
    if (takesFiles === null) return "stay"
    const next =
      chosen.isFirst && !takesFiles
        ? yield* SessionCommands.begin(context, open)
        : yield* SessionCommands.fork(context, open, `${chosen.forkEntry}${takesFiles ? " --files" : ""}`)
    // The message returns to the editor, to be rewritten.
    ui.input.returnQueued(chosen.text)
    return next
  })

interface Message {
  readonly text: string
  readonly seq: number
  /** The last entry that a fork before the message copies. */
  readonly forkEntry: number
  readonly isFirst: boolean
}

/** Returns the user messages that started a turn, oldest first: a fork can end before each of them. */
export const turnStarts = (entries: ReadonlyArray<Entry.Entry>): ReadonlyArray<Message> => {
  const found: Array<Message> = []
  let isOpen = false
  /** The last entry before the next message; entry 1 opens the session. */
  let last = 1
  for (const { body, seq } of entries) {
    if (body._tag === "UserMessage") {
      if (!isOpen) found.push({ text: body.text, seq, forkEntry: last, isFirst: found.length === 0 })
      isOpen = true
    }
    if (body._tag === "ModelReplied") {
      isOpen = body.parts.some(({ _tag }) => _tag === "ToolCall") && body.completion === "complete"
      if (!isOpen) last = seq
    }
    if (body._tag === "CallEnded" && isOpen) last = seq
    if (body._tag === "StateChanged" && body.state !== "Active") isOpen = false
  }
  return found
}

const chooseMessage = Effect.fnUntraced(function* ({ ui }: ConversationContext, userMessages: ReadonlyArray<Message>) {
  const items = userMessages
    .toReversed()
    .map(({ seq, text }, at) =>
      Picker.item(`${seq}`, { label: text.replaceAll(/\s+/gu, " ").trim(), detail: at === 0 ? "the last message" : "" })
    )
  const id = yield* ui.dialogs.pick({ title: "Rewind to before a message", verb: "chooses it", items })
  return userMessages.find(({ seq }) => `${seq}` === id) ?? null
})

/** Returns true if the files are restored too; null: the user cancelled. */
const chooseFiles = Effect.fnUntraced(function* ({ ui }: ConversationContext, { session }: SessionWithModel) {
  if (session.snapshots === null) return false
  const items = [
    Picker.item("files", { label: "The conversation and the files", detail: "files are restored as by /undo" }),
    Picker.item("words", { label: "The conversation alone", detail: "files stay as they are" })
  ]
  const id = yield* ui.dialogs.pick({ title: "Rewind what?", verb: "rewinds", items })
  return id === null ? null : id === "files"
})
