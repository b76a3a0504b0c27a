/**
 * `!command`: runs a command that the user types, as the user and outside of the sandbox; the model reads the output with
 * the next message. Typing the command is the approval of exactly this call, which the journal records.
 */
import type { Settings } from "@bough/host/config/Settings"
import { rolesOf } from "@bough/host/session/KindTools"
import type { Approval } from "@bough/protocol"
import type { Channel } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import { failure } from "../../CliFailure.ts"
import { toCliFailure } from "../../Failures.ts"
import type { ConversationContext } from "./ConversationContext.ts"
import type { SessionWithModel } from "./OpenedSession.ts"
import * as TaskCommands from "./TaskCommands.ts"
import * as Turns from "./Turns.ts"

/** The sandboxes that such a command may leave. */
const confining: ReadonlySet<Settings["sandbox"]["backend"]> = new Set(["bubblewrap", "session", "seatbelt"])

/** The call by which an agent would run the command outside of the sandbox. */
interface TypedCall {
  readonly command: string
  readonly escalate?: { readonly to: "host"; readonly reason: string }
}

const callOf = (
  { policy: { approve }, sandbox: { backend: sandbox } }: Settings,
  canAsk: boolean,
  command: string
): TypedCall =>
  canAsk && approve !== "deny" && confining.has(sandbox)
    ? { command, escalate: { to: "host", reason: "the user typed it" } }
    : { command }

export const run = Effect.fnUntraced(function* (
  context: ConversationContext,
  { session }: SessionWithModel,
  command: string
) {
  const { ui, program, settings } = context
  const [runTool] = [...rolesOf(program.packs)].flatMap(([name, role]) => (role === "Command" ? [name] : []))
  if (runTool === undefined) return ui.fail(failure("cannot run it: this session has no tool for commands", ""))
  ui.progress.runs(command)
  context.typed = { tool: runTool, command }
  const call = callOf(settings, ui.channel.ask !== null, command)
  const exit = yield* Turns.attempt(context, session.call(runTool, JSON.stringify(call)), {
    leave: session.commands.leave,
    tasks: (argument) => TaskCommands.tasks(context, { session }, argument)
  })
  context.typed = null
  ui.progress.runs(null)
  if (Exit.isFailure(exit) || exit.value._tag === "Parked") return
  yield* session
    .recordCommand({ title: `$ ${command}`, outcome: exit.value.outcome })
    .pipe(Effect.catch((error) => Effect.sync(() => ui.fail(toCliFailure(error)))))
})

/** Approves, once, the request of the command that the user has just typed; every other request reaches the user. */
export const approvingTypedCall = (
  context: ConversationContext,
  channel: Channel.Channel["Service"]
): Channel.Channel["Service"] => {
  const { ask } = channel
  if (ask === null) return channel
  const principal = context.settings.environment.user ?? "terminal"
  return {
    ...channel,
    ask: (request) =>
      Effect.suspend(() => {
        if (!isTyped(request, context.typed)) return ask(request)
        context.typed = null
        return Effect.succeed({ decision: { _tag: "Approved", rule: null }, principal })
      })
  }
}

/** Hosts that the running command contacts, and calls of other sessions, are approved separately. */
export const isTyped = (request: Approval.Request, typed: ConversationContext["typed"]): boolean => {
  if (typed === null || request.tool !== typed.tool) return false
  if (request.sessionPath.length !== 1 || request.reaches !== undefined) return false
  const parameters = Result.getOrNull(Result.try(() => JSON.parse(request.arguments) as TypedCall))
  return parameters?.command === typed.command
}
