/** `/tasks`: lists the background commands of this conversation, shows their output, and stops one. */
import type { ToolError } from "@bough/protocol"
import type { Session } from "@bough/runtime"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type CliFailure, usage } from "../../CliFailure.ts"
import * as TaskText from "../../format/TaskText.ts"
import type { ConversationContext, Transition } from "./ConversationContext.ts"

interface Tasks {
  readonly session: Pick<Session.Session, "commands">
}

export const tasks = (
  { ui }: ConversationContext,
  { session }: Tasks,
  argument: string
): Effect.Effect<Transition, CliFailure> =>
  Effect.gen(function* (): Effect.gen.Return<Transition, CliFailure> {
    const [first = "", second, ...more] = argument.split(/\s+/u).filter((word) => word !== "")
    const { commands } = session
    if (more.length > 0 || (second !== undefined && first !== "stop") || (first === "stop" && second === undefined)) {
      return yield* usage("expected /tasks, /tasks ID or /tasks stop ID", "/tasks lists the ids")
    }
    if (first === "") {
      const nowMillis = yield* Clock.currentTimeMillis
      const rows = (yield* commands.list).map((command) => TaskText.row(command, nowMillis))
      if (rows.length === 0) ui.note("no background commands")
      else ui.list([...rows, ["", "/tasks ID shows the output of one, /tasks stop ID ends it"]])
      return "stay"
    }
    if (second === undefined) {
      const { ended, text } = yield* Effect.mapError(commands.output(first), refusal)
      ui.list(TaskText.tail(text).map((line) => ["", line]))
      if (ended === null) ui.note(`${first} is running`)
      return "stay"
    }
    yield* Effect.mapError(commands.stop(second), refusal)
    return "stay"
  })

const refusal = ({ message }: ToolError.ValidationError): CliFailure => usage(message, "/tasks lists them")
