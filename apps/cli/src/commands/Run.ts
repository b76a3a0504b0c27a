/** `run`: one prompt, one answer, an exit code. */
import type { Settings } from "@bough/host/config/Settings"
import * as FindSession from "@bough/host/session/FindSession"
import * as OpenSession from "@bough/host/session/OpenSession"
import type { SessionWithMemory } from "@bough/host/session/SessionWithMemory"
import { type Session, SessionStore, type Turn } from "@bough/runtime"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Cause from "effect/Cause"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { exitCode, exitSilently, CliFailure } from "../CliFailure.ts"
import { command as declare, type CommandOptions } from "../command-line/CommandSpec.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import * as SessionFlags from "../command-line/flags/SessionFlags.ts"
import * as Shapes from "../command-line/flags/Shapes.ts"
import { toCliFailure } from "../Failures.ts"
import * as IndexText from "../format/IndexText.ts"
import * as LiveText from "../format/LiveText.ts"
import * as ReadInput from "../io/ReadInput.ts"
import * as SmallHeap from "../io/SmallHeap.ts"
import type { Program } from "../Program.ts"
import * as ContinuedSettings from "../session/ContinuedSettings.ts"
import * as CustomCommandCall from "../session/CustomCommandCall.ts"
import * as IdleReflection from "../session/IdleReflection.ts"
import * as Models from "../session/Models.ts"
import * as RunView from "../session/RunView.ts"
import * as TerminalChannel from "../session/TerminalChannel.ts"
import * as ReflectionText from "../terminal/ReflectionText.ts"

const parameters = {
  prompt: Shapes.optionalArgument(
    "PROMPT",
    "Prompt; - reads it from stdin; default: continue the open turn, else read stdin"
  ),
  stdin: Shapes.toggle("stdin", "Append stdin, such as the output of git diff, to the prompt"),
  format: Flag.Literals("format", ["text", "json", "stream-json"]).pipe(
    Flag.withDescription(
      "text: the answer; json: one object with sessionId, status, text, usage and more; stream-json: one event per line"
    ),
    Flag.withDefault("text" as const)
  ),
  ...SessionFlags.turns
}

type RunOptions = CommandOptions<typeof parameters>

const run = Effect.fnUntraced(function* (program: Program, common: Common, options: RunOptions) {
  const loaded = yield* ContinuedSettings.load(program, { ...options, cwd: common.cwd }, null)
  for (const notice of loaded.notices) program.output.note(notice)
  const invoked = CustomCommandCall.read(loaded, options.prompt)
  const settings = {
    ...loaded,
    model: { ...loaded.model, name: options.model ?? invoked?.command.model ?? loaded.model.name }
  }
  const model = yield* Models.choose(program, settings)
  yield* inSession(program, settings, { options, invoked, model }).pipe(
    Effect.scoped,
    Effect.provide(program.adapters.store(settings.dataDirectory)),
    Effect.mapError(toCliFailure)
  )
})

interface RunContext {
  readonly options: RunOptions
  /** The user-defined command that the prompt names; null: the prompt is plain text. */
  readonly invoked: CustomCommandCall.CommandInvocation | null
  readonly model: Models.Model
}

const inSession = Effect.fnUntraced(function* (
  program: Program,
  settings: Settings,
  { invoked, model, options }: RunContext
) {
  const view = RunView.make(options.format, program.output)
  if (invoked === null && (yield* sentElsewhere(program, settings, options))) return
  const noteEvent = SmallHeap.preferSmallHeapAfterCall()
  const channel = yield* TerminalChannel.terminal(program, settings, {
    ...view,
    show: (event) => {
      noteEvent(event)
      view.show(event)
    }
  })
  const session = yield* OpenSession.open(program, settings, {
    which: options,
    kind: "Main",
    model,
    channel,
    elicit: channel.elicit,
    isLeaving: program.signals.isLeaving,
    onNotice: program.output.note,
    reflects: options.reflect ?? false,
    ...(options.format === "text" && program.output.stderrIsTerminal
      ? { onIndexing: IndexText.bars(program.output.note) }
      : {})
  })
  program.output.onClosed(() => program.signals.interrupt("SIGINT"))
  const result = yield* turn(program, session, { ...options, invoked }).pipe(
    Effect.onExit((exit) =>
      Effect.sync(() => {
        const ending = Exit.isFailure(exit) ? endingOf(exit.cause) : null
        if (ending !== null) view.end(session.sessionId, ending)
      })
    ),
    Effect.mapError(toCliFailure)
  )
  // Reflects before the end is reported, because the report includes the total cost.
  const reflected =
    result.status === "completed"
      ? yield* IdleReflection.now(session, (lines) => lines.forEach((line) => program.output.note(line)))
      : null
  const approvals = result.pending.map(({ approvalId }) => approvalId)
  const reflection = reflected === null ? null : ReflectionText.json(session.reflectsWith ?? "", reflected)
  view.end(session.sessionId, { ...result, approvals, liveSessions: result.live, reflection })
  // The answer already contains the reason.
  if (result.status === "completed" && Models.isDeclined(model, result.text))
    return yield* exitSilently(exitCode.failed)
  yield* exitWith(program, session, result)
})

/**
 * Sends the prompt to the process that has the session open. False: no other process has it open, `--session` or the
 * prompt is absent, the prompt is blank, part of it comes from stdin, or the session belongs to another workspace.
 */
const sentElsewhere = Effect.fnUntraced(function* (
  program: Program,
  settings: Settings,
  { format, prompt, session, stdin }: RunOptions
) {
  if (session === null || prompt === null || prompt === "-" || prompt.trim() === "" || stdin) return false
  const store = yield* SessionStore.SessionStore
  const sessionId = yield* FindSession.byId(session)
  const { treeId, workspaceRoot } = yield* store.session(sessionId)
  if (workspaceRoot !== settings.workspace.root || (yield* store.ownedElsewhere(treeId)) === null) return false
  const SendToOwner = yield* Effect.promise(() => import("../session/SendToOwner.ts"))
  yield* SendToOwner.send(program, sessionId, { _tag: "Queue", text: prompt })
  program.output.note(`session ${sessionId} is open in another process; the answer appears there`)
  if (format !== "text") program.output.json({ sessionId, status: "sent" })
  return true
})

/** Runs the prompt. A missing prompt continues an open turn; if there is none, the prompt is read from stdin. */
const turn = Effect.fnUntraced(function* (
  program: Program,
  session: SessionWithMemory,
  { invoked, prompt, stdin }: Pick<RunOptions, "prompt" | "stdin"> & Pick<RunContext, "invoked">
) {
  if (prompt === null && !stdin && (yield* session.hasOpenTurn)) {
    const resumed = yield* session.resume
    if (resumed !== null) return resumed
  }
  const filled = invoked === null ? yield* serverText(session, prompt) : null
  const written =
    invoked === null ? (filled?.text ?? prompt) : yield* CustomCommandCall.prepare(program, session, invoked)
  const message = written === "-" ? null : written
  const piped =
    message === null || stdin
      ? yield* ReadInput.all(program.stdin(), message === null ? "the prompt" : "the input for --stdin")
      : ""
  const text = [message ?? "", piped].filter((part) => part.trim() !== "").join("\n\n")
  if (text.trim() === "") {
    return yield* new CliFailure({
      code: exitCode.usage,
      message: "the prompt is empty",
      hint: `give a prompt: ${program.name} run "…"`,
      details: ""
    })
  }
  return yield* session.run({ text, media: filled?.media ?? [] })
})

/** The message for a prompt that names a prompt or resources of an MCP server; null: the prompt is plain text. */
const serverText = Effect.fnUntraced(function* (session: SessionWithMemory, prompt: string | null) {
  if (session.servers === null || prompt === null || !/[/@]/u.test(prompt)) return null
  const ServerTexts = yield* Effect.promise(() => import("../session/ServerTexts.ts"))
  const invoked = ServerTexts.read(prompt)
  if (invoked !== null) return yield* ServerTexts.fillPrompt(session, invoked)
  return { text: prompt, media: yield* ServerTexts.attach(session, prompt) }
})

/** Describes the end of a failed or interrupted run; null: the failure came before the run. */
const endingOf = (cause: Cause.Cause<CliFailure | Session.TurnFailure>): RunView.RunEnd | null => {
  if (Cause.hasInterruptsOnly(cause))
    return { status: "interrupted", text: "", reason: "", approvals: [], liveSessions: 0 }
  const error = Cause.squash(cause)
  if (error instanceof CliFailure) return null
  return {
    status: "failed",
    text: "",
    approvals: [],
    liveSessions: 0,
    reason: error instanceof Error ? error.message : String(error)
  }
}

/** Names the command that continues a stopped Main. Its children stay open unless the user interrupted it. */
const continuationHint = (command: string, live: number): string =>
  live === 0 ? `continue with: ${command} "…"` : LiveText.openChildrenText(live, `${command} --continue`)

const exitWith = (
  program: Program,
  session: Session.Session,
  { live, pending, reason, status }: Turn.TurnResult
): Effect.Effect<void, CliFailure> => {
  const stop = (code: CliFailure["code"], hint: string) => new CliFailure({ code, message: reason, hint, details: "" })
  switch (status) {
    case "completed":
      return Effect.void
    case "spent":
      return Effect.fail(stop(exitCode.budgetSpent, "raise --max-cost, or limits in the configuration"))
    case "stopped":
      return Effect.fail(
        stop(exitCode.failed, continuationHint(`${program.name} run --session ${session.sessionId}`, live))
      )
    case "suspended": {
      const { name, output } = program
      for (const { approvalId, arguments: callArguments, reason: approvalReason, tier, tool } of pending) {
        output.noteEscaped(
          text`  pending approval: ${Escape.line(`${tool} ${callArguments} (${tier}: ${approvalReason})`)}`
        )
        output.note(
          `    run "${name} approvals approve ${approvalId}", or "${name} approvals deny ${approvalId} --words REASON"`
        )
      }
      const onward = `${name} run --session ${session.sessionId} --continue`
      const hint = `after the approvals are decided, run "${onward}"; "${name} --session ${session.sessionId}" asks for approval in a terminal`
      return Effect.fail(stop(exitCode.needsApproval, hint))
    }
  }
}

export const command = declare({
  description:
    "Run one prompt and print the answer. Exit codes: 0 done, 1 failed, 2 usage error, 3 an approval is needed and no terminal can ask for it, 4 budget spent, 130 interrupted",
  parameters,
  run
})
