/** `/ag-ui`: a hosted agent behind the front ends of AG-UI. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { ApprovalLinks } from "../ApprovalLinks.ts"
import * as CompatibilityRoute from "../CompatibilityRoute.ts"
import { HostedTurns } from "../HostedTurns.ts"
import * as RefusedResponse from "../RefusedResponse.ts"
import * as RequestBody from "../RequestBody.ts"
import * as Sse from "../ServerSentEvents.ts"
import type { TurnRefused } from "../TurnRefused.ts"
import { respond, TurnStreams } from "../TurnStreams.ts"
import * as AgUiEvents from "./AgUiEvents.ts"
import * as RunInput from "./RunInput.ts"

/** A run that fails before it has begun. */
const failureResponse = (code: string, message: string) =>
  respond(Stream.succeed(Sse.data({ type: "RUN_ERROR", code, message })))

const toResponse = (error: RequestBody.RequestRefused | TurnRefused) =>
  RefusedResponse.fromRefusal(error) ?? Effect.succeed(failureResponse(error.reason, error.message))

const runAgent = Effect.gen(function* () {
  const principal = yield* RequestBody.authenticate("chat")
  const read = RunInput.read(yield* RequestBody.json)
  if (Result.isFailure(read)) return failureResponse("invalid_input", read.failure)
  const { calls, input, runId, state, threadId, tools } = read.success
  const turns = yield* HostedTurns
  const streams = yield* TurnStreams
  yield* streams.take(principal)
  const link = yield* ApprovalLinks
  const sessionId = yield* turns.create(principal, RunInput.conversationKey(threadId))
  const openedTurn = yield* turns.begin(principal, sessionId, input)
  const encoder = AgUiEvents.make({ mainId: sessionId, threadId, runId, state, known: calls, link })
  const unused = tools.length === 0 ? [] : [{ type: "CUSTOM", name: "bough.unused_tools", value: { tools } }]
  const events = Stream.concat(
    Stream.fromIterable([...encoder.start(), ...unused]),
    Stream.flatMap(yield* streams.responseEvents(principal, openedTurn), (event) =>
      Stream.fromIterable(encoder.take(event))
    )
  )
  return respond(Stream.map(events, Sse.data))
})

export const layer = CompatibilityRoute.make("POST", "/ag-ui", runAgent.pipe(Effect.catch(toResponse)))
