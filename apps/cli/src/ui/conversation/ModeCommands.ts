/** `/mode` and `/accept`: change what the agent may do without approval, and end a plan. */
import * as SessionMode from "@bough/host/session/SessionMode"
import * as Effect from "effect/Effect"
import { type CliFailure, usage } from "../../CliFailure.ts"
import type { CommandEffect, ConversationContext, Transition } from "./ConversationContext.ts"
import type { SessionWithModel } from "./OpenedSession.ts"
import * as Turns from "./Turns.ts"

type CommandResult = Effect.gen.Return<Transition, CliFailure>

export const mode = (context: ConversationContext, _: SessionWithModel, argument: string): CommandEffect =>
  Effect.gen(function* (): CommandResult {
    const name = argument === "" ? yield* choose(context) : argument
    if (name === null) return "stay"
    if (!SessionMode.isMode(name)) {
      return yield* usage(`unknown mode ${JSON.stringify(name)}`, `choose one of ${SessionMode.modes.join(", ")}`)
    }
    context.mode.set(name)
    context.ui.note(SessionMode.describe(name))
    return "stay"
  })

const choose = ({ mode, ui }: ConversationContext): Effect.Effect<string | null> =>
  ui.dialogs.choose({
    command: "mode",
    now: mode.now(),
    options: SessionMode.modes.map((name) => [name, SessionMode.descriptions[name]]),
    shownFirst: "name",
    hint: "/mode NAME changes it"
  })

/** Ends plan mode and has the agent execute its plan. */
export const accept = (context: ConversationContext, { session }: SessionWithModel, argument: string): CommandEffect =>
  Effect.gen(function* (): CommandResult {
    if (context.mode.now() !== "plan") {
      return yield* usage("there is no plan to accept", "/mode plan has the agent propose one")
    }
    context.mode.set("auto")
    const more = argument === "" ? "" : ` ${argument}`
    const text = `The plan is accepted: carry it out.${more}`
    yield* Turns.say(context, session, { _tag: "Say", text, media: [], waits: false })
    return "stay"
  })
