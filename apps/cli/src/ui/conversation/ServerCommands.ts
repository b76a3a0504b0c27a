/** `/server:prompt` in a conversation: the prompt's text is recorded as untrusted data, and the message names it. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as ServerTexts from "../../session/ServerTexts.ts"
import type { CommandEffect, ConversationContext, Transition } from "./ConversationContext.ts"
import type { SessionWithModel } from "./OpenedSession.ts"
import * as Turns from "./Turns.ts"

export const run = (
  context: ConversationContext,
  { session }: SessionWithModel,
  invoked: ServerTexts.InvokedPrompt
): CommandEffect =>
  Effect.gen(function* (): Effect.gen.Return<Transition> {
    const prepared = yield* Turns.attempt(context, ServerTexts.fillPrompt(session, invoked))
    // A failure is shown already.
    if (Exit.isFailure(prepared)) return "stay"
    yield* Turns.turn(context, session, session.run(prepared.value))
    return "stay"
  })
