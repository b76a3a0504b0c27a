/** `/share`: uploads the conversation as a secret gist. The question is outside of the screen, as for a login. */
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { type CliFailure, exitCode } from "../../CliFailure.ts"
import * as ShareSession from "../../session/ShareSession.ts"
import type { CommandEffect, ConversationContext, Transition } from "./ConversationContext.ts"
import type { SessionWithModel } from "./OpenedSession.ts"

export const share = (
  { program, settings, ui }: ConversationContext,
  { session: { sessionId } }: SessionWithModel
): CommandEffect =>
  Effect.gen(function* (): Effect.gen.Return<Transition, CliFailure, SessionStore.SessionStore> {
    const store = yield* SessionStore.SessionStore
    const result = yield* ui.dialogs.withoutScreen(
      Effect.result(
        Effect.provideService(
          ShareSession.share(program, settings, { sessionId, isConfirmed: false }),
          SessionStore.SessionStore,
          store
        )
      )
    )
    if (result._tag === "Failure" && result.failure.code === exitCode.interrupted) {
      ui.note("not shared: everything stays on this machine")
      return "stay"
    }
    const url = yield* Effect.fromResult(result)
    ui.note(`shared at ${url}; delete it with: gh gist delete ${url}`)
    return "stay"
  })
