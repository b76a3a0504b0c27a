/**
 * A hosted agent as a tool for clients of the Model Context Protocol. Each task is a turn of one of the user's sessions;
 * an approval is requested from the client by elicitation, and waits on the page if the client cannot elicit.
 */
import { Authorization } from "@bough/gateway-api"
import type { ServerOffer, OfferedCall, OfferedResult } from "@bough/mcp/server"
import * as AgentTool from "@bough/mcp/server/AgentTool"
import type { Approval } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { AgentCatalog, defaultAgent } from "../../sessions/AgentCatalog.ts"
import { version } from "../../Version.ts"
import { ApprovalLinks } from "../ApprovalLinks.ts"
import { HostedTurns } from "../HostedTurns.ts"
import type { EventOf } from "../TurnEvent.ts"
import type { TurnInput } from "../TurnInput.ts"
import { TurnStreams } from "../TurnStreams.ts"

export type Services = AgentCatalog | ApprovalLinks | HostedTurns | TurnStreams

const Arguments = Schema.Struct({
  prompt: Schema.NonEmptyString,
  session: Schema.optionalKey(Schema.NonEmptyString),
  agent: Schema.optionalKey(Schema.NonEmptyString)
})

const decode = Schema.decodeUnknownOption(Arguments, { onExcessProperty: "error" })

const runAgent = AgentTool.declaration({
  agent: "a hosted agent that works in a separate workspace with its own tools",
  parameters: { agent: { type: "string", description: "The agent of a new session; default: bough" } }
})

const failure = (text: string): OfferedResult => ({ isError: true, text, structured: null, media: [] })

/** Returns the offer for a connection; its calls have the scopes of the credential that opened the connection. */
export const make =
  (principal: Authorization.Principal) =>
  (provide: <A>(effect: Effect.Effect<A, never, Services>) => Effect.Effect<A>): ServerOffer => ({
    name: "bough-gateway",
    version,
    tools: [runAgent],
    call: (call) =>
      provide(
        Effect.scoped(run(principal, call)).pipe(
          Effect.catchTag("TurnRefused", ({ message }) => Effect.succeed(failure(message)))
        )
      )
  })

const run = Effect.fnUntraced(function* (principal: Authorization.Principal, call: OfferedCall) {
  const turns = yield* HostedTurns
  yield* (yield* TurnStreams).take(principal)
  const parameters = Option.getOrNull(decode(call.arguments))
  if (parameters === null) return failure("the arguments are prompt, and session or agent if they are needed")
  const { agent = defaultAgent, prompt, session } = parameters
  if (session === undefined) {
    const agents = yield* (yield* AgentCatalog).agents(Authorization.userKey(principal), null)
    const names = agents.map(({ name }) => name)
    if (!names.includes(agent)) {
      return failure(`there is no agent ${JSON.stringify(agent)}; the agents are ${names.join(", ")}`)
    }
  }
  const sessionId =
    session === undefined
      ? yield* turns.create(principal, `mcp:${randomUUID()}`, agent)
      : (yield* turns.find(principal, session)).sessionId
  const canAsk = call.ask !== null && principal.scopes.has("approve")
  let input: TurnInput = {
    message: { key: `mcp:${randomUUID()}`, text: prompt, media: [] },
    answers: [],
    positions: null
  }
  while (true) {
    const { ended, text } = yield* follow(principal, { call, input, sessionId })
    const answers = ended.status === "suspended" && canAsk ? yield* askAll(call, ended.pending) : []
    if (answers.length === 0) return yield* resultOf(ended, text)
    input = { message: null, answers, positions: ended.positions }
  }
})

interface Task {
  readonly call: OfferedCall
  readonly input: TurnInput
  readonly sessionId: EventOf<"Ended">["sessionId"]
}

/** Follows the task until it ends or waits. A client that cancels its request stops the turn. */
const follow = Effect.fnUntraced(function* (principal: Authorization.Principal, { call, input, sessionId }: Task) {
  const turns = yield* HostedTurns
  const streams = yield* TurnStreams
  const openedTurn = yield* turns.begin(principal, sessionId, input)
  let text = ""
  const ends: Array<EventOf<"Ended">> = []
  yield* streams.events(principal, openedTurn).pipe(
    Stream.runForEach((event) =>
      Effect.sync(() => {
        const isMain = event.sessionId === sessionId
        if (event._tag === "StepStarted" && isMain) text = ""
        if (event._tag === "Text" && isMain) text += event.text
        if (event._tag === "CallStarted") call.onProgress(`runs ${event.tool}`)
        if (event._tag === "CallProgressed") call.onProgress(event.message)
        if (event._tag === "Ended") ends.push(event)
      })
    ),
    Effect.onInterrupt(() => Effect.ignore(turns.cancel(principal, sessionId)))
  )
  const [ended] = ends
  return ended === undefined ? yield* Effect.die(new Error("the stream of a turn has no end")) : { ended, text }
})

const questionOf = ({ preview, reason, tier, tool }: Approval.Request): string =>
  `${tool} (${tier}) asks for your approval: ${reason}\n\n${preview.render}`

/** Asks about one approval after the other; a request without an answer stays pending. */
const askAll = Effect.fnUntraced(function* ({ ask }: OfferedCall, pending: ReadonlyArray<Approval.Request>) {
  const answers: Array<TurnInput["answers"][number]> = []
  for (const request of pending) {
    const answer = ask === null ? "unanswered" : yield* ask(questionOf(request))
    if (answer !== "unanswered") {
      answers.push({ approvalId: request.approvalId, approved: answer === "approved", reason: null })
    }
  }
  return answers
})

const resultOf = Effect.fnUntraced(function* ({ pending, reason, sessionId, status }: EventOf<"Ended">, text: string) {
  const link = yield* ApprovalLinks
  const waiting = pending.map(({ approvalId, tool }) => `${tool} waits for an approval: ${link(approvalId)}`)
  const next =
    status === "suspended"
      ? [`After the decision the session continues; call run_agent with session ${sessionId} for the result.`]
      : []
  const isError = status === "failed" || status === "stopped"
  const answer = [text === "" ? reason : text, ...waiting, ...next].filter((line) => line !== "").join("\n\n")
  return {
    isError,
    text: isError ? `${status}: ${reason === "" ? answer : reason}` : answer,
    structured: isError ? null : { sessionId, status, text: answer },
    media: []
  } satisfies OfferedResult
})
