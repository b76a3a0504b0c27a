/** The async functions of an opened pack: each call goes to the dispatcher and comes back as an envelope. */
import { type Call, type Caller, Dispatcher, Envelope, type Gate, type Ledger } from "@bough/dispatch"
import { type Envelope as Wire, Session } from "@bough/protocol"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import type { CallOptions } from "./Opened.ts"
import type { Spilled } from "./Spilled.ts"

export interface Program {
  readonly caller: Caller.Caller
  readonly ports: Context.Context<Gate.Gate | Ledger.Ledger>
  /** Rejected when the program is closed, or the signal aborts, before it ends. */
  readonly run: <A, E>(effect: Effect.Effect<A, E>, options: CallOptions) => Promise<A>
  readonly spilled: Spilled
}

type AnyCall = (given?: unknown, options?: CallOptions) => Promise<Wire.Envelope>

/** One function for each tool, by name. */
export const callsOf = (program: Program): Readonly<Record<string, AnyCall>> =>
  Object.fromEntries(
    Array.from(program.caller.registry.keys(), (name): readonly [string, AnyCall] => [
      name,
      (given = {}, options = {}) => program.run(call(program, name, given), options)
    ])
  )

const call = Effect.fnUntraced(function* (program: Program, name: string, given: unknown) {
  const toolCallId = Session.ToolCallId.make(randomUUID())
  const asked = { toolCallId, name, arguments: JSON.stringify(given), labels: [], prior: null }
  const dispatched = yield* Effect.provideContext(Dispatcher.dispatch(asked, program.caller), program.ports)
  return Envelope.of(toolCallId, dispatched, whole(dispatched, program.spilled))
})

/** The output as it was before it was cut for a model. */
const whole = (dispatched: Call.Dispatched, spilled: Spilled): string | undefined => {
  if (dispatched._tag === "Parked" || dispatched.outcome._tag !== "Succeeded") return undefined
  const { outputBlob } = dispatched.outcome
  const bytes = outputBlob === null ? undefined : spilled.get(outputBlob)
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
}
