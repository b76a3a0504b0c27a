/** `send`: a message to a session that another process has open. */
import * as FindSession from "@bough/host/session/FindSession"
import * as Effect from "effect/Effect"
import { usage } from "../CliFailure.ts"
import { command as declare, type CommandOptions } from "../command-line/CommandSpec.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import * as Shapes from "../command-line/flags/Shapes.ts"
import * as ReadInput from "../io/ReadInput.ts"
import type { Program } from "../Program.ts"
import * as SendToOwner from "../session/SendToOwner.ts"
import { withStore } from "../session/WithStore.ts"

const parameters = {
  id: Shapes.nameArgument("ID", "Session, by its id or a prefix"),
  text: Shapes.optionalArgument("TEXT", "Message; - reads it from stdin"),
  steer: Shapes.toggle("steer", "Join the running turn before its next step; the default"),
  queue: Shapes.toggle("queue", "Wait until the running turn ends"),
  cancel: Shapes.toggle("cancel", "Stop the running turn; takes no TEXT")
}

type SendOptions = CommandOptions<typeof parameters>

const messageOf = Effect.fnUntraced(function* (program: Program, { cancel, queue, steer, text }: SendOptions) {
  if ([cancel, queue, steer].filter(Boolean).length > 1) {
    return yield* usage("--steer, --queue and --cancel exclude each other", "use only one of them")
  }
  if (cancel) {
    return text === null
      ? ({ _tag: "Cancel" } as const)
      : yield* usage("--cancel takes no TEXT", "send the message in a separate command")
  }
  const words = text === "-" ? yield* ReadInput.all(program.stdin(), "the message") : (text ?? "")
  if (words.trim() === "") return yield* usage("the message is empty", `${program.name} send ID "…"`)
  return { _tag: queue ? "Queue" : "Steer", text: words.trim() } as const
})

const send = Effect.fnUntraced(function* (program: Program, _: Common, options: SendOptions) {
  const message = yield* messageOf(program, options)
  yield* withStore(
    program,
    Effect.gen(function* () {
      const sessionId = yield* FindSession.byId(options.id)
      yield* SendToOwner.send(program, sessionId, message)
      const outcomes = { Steer: "sent to", Queue: "queued for", Cancel: "cancellation requested in" } as const
      program.output.note(`${outcomes[message._tag]} session ${sessionId}`)
    })
  )
})

export const command = declare({
  description: "Send a message to a session that is open elsewhere. Exit codes: 0 sent, 1 not open or ended, 2 usage",
  parameters,
  run: send
})
