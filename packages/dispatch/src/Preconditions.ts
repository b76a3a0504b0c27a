/** What a call's effect relies on: what its preview read, and what the capabilities it uses are made of. */
import { type Approval, Canonical, type ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { Decoded, Weighed } from "./Call.ts"
import * as Answers from "./Answers.ts"
import type { Caller } from "./Caller.ts"
import * as AddressText from "./AddressText.ts"
import * as ToolCode from "./ToolCode.ts"

/** For the human; a tool without a preview shows its arguments. */
export const preview = (call: Decoded, caller: Caller): Effect.Effect<Approval.Preview, ToolError.ToolError> => {
  const { preview } = call.tool
  if (preview === null) return Effect.succeed(plainly(call, caller))
  const provided = providedFor(call, caller)
  return Effect.map(
    ToolCode.reader(call, caller, { name: "preview", effect: () => preview(call.parameters), read: Answers.preview }),
    ({ preconditions, render }) => ({
      render: caller.redaction.redact(render.toWellFormed()),
      preconditions: [...preconditions, ...provided]
    })
  )
}

/** A call that nothing has looked at is shown as its arguments are. */
export const shown = (call: Weighed, caller: Caller): Effect.Effect<Approval.Preview, ToolError.ToolError> =>
  call.unseen ? Effect.succeed(plainly(call, caller)) : preview(call, caller)

const plainly = (call: Decoded, caller: Caller): Approval.Preview => ({
  render: plain(call),
  preconditions: providedFor(call, caller)
})

const providedFor = ({ tool }: Decoded, { context }: Caller): ReadonlyArray<Approval.Precondition> =>
  tool.capabilities.flatMap(({ key }) => context.capabilities.get(key)?.preconditions ?? [])

const plain = ({ canonicalArguments, parameters, tool }: Decoded): string => {
  const shown = `${tool.name} ${JSON.stringify(JSON.parse(canonicalArguments), null, 2)}`
  const address = tool.egress?.address?.(parameters)
  return address === undefined ? shown : `${shown}\ngoes to ${AddressText.shown(address)}`
}

type Preconditions = ReadonlyArray<Approval.Precondition>

/** Whether the same things hold, in the same order. */
export const areSame = (a: Preconditions, b: Preconditions): boolean =>
  Canonical.stringify(a) === Canonical.stringify(b)
