/** `/copy` copies the last answer to the clipboard; `/init` has the agent describe the project. */
import type { Entry } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { type CliFailure, failure } from "../../CliFailure.ts"
import type { CommandEffect, ConversationContext, Transition } from "./ConversationContext.ts"
import { loadEntries } from "./loadEntries.ts"
import type { SessionWithModel } from "./OpenedSession.ts"
import * as Turns from "./Turns.ts"

type CommandResult = Effect.gen.Return<Transition, CliFailure, SessionStore.SessionStore>

export const copy = ({ ui }: ConversationContext, { session }: SessionWithModel): CommandEffect =>
  Effect.gen(function* (): CommandResult {
    const answer = lastAnswer(yield* loadEntries(yield* SessionStore.SessionStore, session.sessionId))
    if (answer === null) ui.note("no answer to copy yet")
    else if (ui.copy(answer)) ui.note(`sent ${answer.length} characters to the terminal's clipboard`)
    else return yield* failure("the clipboard of this terminal cannot be reached", "select the text and copy it")
    return "stay"
  })

/** Returns the text of the newest reply that has text. */
export const lastAnswer = (entries: ReadonlyArray<Entry.Entry>): string | null => {
  for (const { body } of entries.toReversed()) {
    if (body._tag !== "ModelReplied") continue
    const text = body.parts.flatMap((part) => (part._tag === "Text" ? [part.text] : [])).join("\n")
    if (text.trim() !== "") return text
  }
  return null
}

const request =
  "Write AGENTS.md for this project, or improve the one that is here: how it is built, tested and checked, how its code is " +
  "laid out, and conventions that a newcomer would miss. Read the project first, state only what you found, and stay below 60 lines."

export const init = (context: ConversationContext, { session }: SessionWithModel): CommandEffect =>
  Effect.as(Turns.say(context, session, { _tag: "Say", text: request, media: [], waits: false }), "stay")
