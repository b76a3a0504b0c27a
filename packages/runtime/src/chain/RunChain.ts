/**
 * Runs the links of a chain in order, each as a call of the session: decoded, assessed, subject to rules and approvals,
 * and recorded with its own receipt. After a crash the chain runs again: ended links are answered from the journal, and a
 * started link continues by its own replay class.
 */
import { type Call, Dispatcher, type Gate, type Ledger } from "@bough/dispatch"
import { type Entry, Session, ToolError } from "@bough/protocol"
import type { Chain, Invocation, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Prompt from "../journal/Prompt.ts"
import { LeaseLost, StoreFailed } from "../ports/SessionStore.ts"
import type { SessionServices } from "../session/SessionServices.ts"
import * as ToolCalls from "../session/ToolCalls.ts"
import { callerOf } from "../session/ToolRunner.ts"
import * as ChainPlan from "./ChainPlan.ts"
import * as References from "./References.ts"

interface ChainCall {
  readonly session: SessionServices
  readonly invocation: Invocation.Invocation["Service"]
}

export const run = (
  { invocation, session }: ChainCall,
  links: ReadonlyArray<Chain.Link>
): Effect.Effect<ReadonlyArray<Chain.LinkEnd>, ToolError.ToolError> =>
  Effect.gen(function* () {
    const planned = ChainPlan.plan(links, (name) => toolOf(session, name))
    if (Result.isFailure(planned)) return yield* invalid(planned.failure)
    const outputs = new Map<string, unknown>()
    const ends: Array<Chain.LinkEnd> = []
    for (const link of planned.success) {
      const outcome = yield* runLink(session, invocation, { link, outputs })
      const output = outcome._tag === "Succeeded" ? yield* outputOf(session, outcome) : Result.fail("")
      if (Result.isSuccess(output)) outputs.set(link.name, output.success)
      ends.push(endOf(link, outcome))
    }
    return ends
  }).pipe(
    Effect.catchIf(
      (error): error is LeaseLost | StoreFailed => error instanceof LeaseLost || error instanceof StoreFailed,
      (error) => Effect.fail(new ToolError.ExecutionError({ message: error.message }))
    )
  )

/**
 * Returns a tool of the agent's packs or of its servers. Tools of the session itself are refused: they must be called
 * alone.
 */
const toolOf = ({ agent, turns }: SessionServices, name: string): Result.Result<Tool.Any, string> => {
  const tool = turns.tools.calls.registry.get(name)
  if (tool === undefined) return Result.fail(`unknown tool ${JSON.stringify(name.slice(0, 100))}`)
  const isOwn = !Object.hasOwn(agent.tools.pack.tools, name) && agent.tools.live?.tools().has(name) !== true
  return isOwn || tool.capabilities.some(({ key }) => key === chainKey)
    ? Result.fail(`${name} cannot be a link; call it alone`)
    : Result.succeed(tool)
}

const chainKey = "@bough/tool/Chain"

const invalid = (issues: ReadonlyArray<ToolError.Issue>): Effect.Effect<never, ToolError.ValidationError> =>
  Effect.fail(
    new ToolError.ValidationError({
      message: issues.map(({ message, path }) => `${path}: ${message}`).join("; "),
      field: issues[0]?.path ?? "links",
      issues
    })
  )

interface Ready {
  readonly link: ChainPlan.PlannedLink
  readonly outputs: ReadonlyMap<string, unknown>
}

const runLink = (
  session: SessionServices,
  invocation: Invocation.Invocation["Service"],
  { link, outputs }: Ready
): Effect.Effect<Entry.Outcome, LeaseLost | StoreFailed> => {
  const lacking = link.references.find(({ from }) => !outputs.has(from))
  if (lacking !== undefined) return Effect.succeed(notRun(`${lacking.from} gave no output`))
  const resolved = References.resolve(link.arguments, outputs)
  if (Result.isFailure(resolved)) return Effect.succeed(notRun(resolved.failure))
  const text = JSON.stringify(resolved.success)
  if (text.length > maxArgumentsLength) {
    return Effect.succeed(notRun(`its arguments have ${text.length} characters, and may have ${maxArgumentsLength}`))
  }
  const { openCalls } = session.journal.state
  const ended = openCalls.get(invocation.toolCallId)?.links?.get(link.name)
  if (ended !== undefined) return Effect.succeed(ended)
  return dispatch(session, {
    toolCallId: Session.linkIdOf(invocation.toolCallId, link.name),
    name: link.tool,
    arguments: text,
    // The model chose the references before it had read any output. The links therefore have the labels of everything
    // that the session has read.
    labels: [...new Set([...invocation.labels, ...session.journal.state.labels])]
  })
}

/** Larger than any reply of a model; the arguments are recorded with the call. */
const maxArgumentsLength = 256 * 1024

const notRun = (reason: string): Entry.Outcome => ({ _tag: "NotRun", reason })

const dispatch = (
  { turns: { tools } }: SessionServices,
  asked: Omit<Call.RequestedCall, "prior">
): Effect.Effect<Entry.Outcome, LeaseLost | StoreFailed> => {
  const open = tools.journal.state.openCalls.get(asked.toolCallId)
  const prior = open === undefined ? null : ToolCalls.priorOf(tools, open)
  return Dispatcher.dispatch({ ...asked, prior }, callerOf(tools)).pipe(
    Effect.catchTag("NotRecorded", ToolCalls.causeOf),
    Effect.flatMap((dispatched) =>
      dispatched._tag === "Ended" ? Effect.succeed(dispatched.outcome) : withdraw(tools, dispatched)
    ),
    (effect: Effect.Effect<Entry.Outcome, LeaseLost | StoreFailed, Gate.Gate | Ledger.Ledger>) =>
      Effect.provideContext(effect, tools.ports)
  )
}

/** Withdraws the request of a link: a chain cannot wait for days, and the call can be made alone. */
const withdraw = (
  tools: SessionServices["turns"]["tools"],
  { request }: Call.PendingCall
): Effect.Effect<Entry.Outcome, LeaseLost | StoreFailed> => {
  const open = tools.journal.state.openCalls.get(request.toolCallId)
  const reason = `${request.tool} waits for an approval; call it alone, then continue`
  return open === undefined
    ? Effect.succeed(notRun(reason))
    : Effect.map(ToolCalls.callerGone(tools, open, reason), ({ outcome }) => outcome ?? notRun(reason))
}

/** Returns the full typed output; fails if it is no longer stored. */
const outputOf = (
  { tree: { blobs } }: SessionServices,
  { output, outputBlob }: Entry.SuccessOutcome
): Effect.Effect<Result.Result<unknown, unknown>, StoreFailed> =>
  outputBlob === null
    ? Effect.succeed(parseJson(output))
    : Effect.map(blobs.get(outputBlob), (bytes) =>
        bytes === null ? Result.fail("gone") : parseJson(new TextDecoder().decode(bytes))
      )

const parseJson = (text: string): Result.Result<unknown, unknown> => Result.try(() => JSON.parse(text) as unknown)

const statuses = {
  Succeeded: "succeeded",
  Failed: "failed",
  Rejected: "rejected",
  Unknown: "unknown",
  NotRun: "not run"
} as const satisfies Readonly<Record<Entry.Outcome["_tag"], Chain.LinkEnd["status"]>>

const endOf = ({ isLast, name, tool }: ChainPlan.PlannedLink, outcome: Entry.Outcome): Chain.LinkEnd => ({
  name,
  tool,
  status: statuses[outcome._tag],
  text: Prompt.describe(outcome),
  display: outcome._tag === "Succeeded" ? outcome.display : null,
  isLast
})
