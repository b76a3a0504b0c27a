/** What a call's effect relies on: what its preview read, and what the capabilities it uses are made of. */
import { type Approval, Canonical, type ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { Decoded } from "./Call.ts"
import type { Caller } from "./Caller.ts"
import * as ToolCode from "./ToolCode.ts"

/** For the human; a tool without a preview shows its arguments. */
export const preview = (call: Decoded, caller: Caller): Effect.Effect<Approval.Preview, ToolError.ToolError> => {
  const { preview } = call.tool
  const provided = call.tool.capabilities.flatMap(
    ({ key }) => caller.context.capabilities.get(key)?.preconditions ?? []
  )
  if (preview === null) return Effect.succeed({ render: plain(call), preconditions: provided })
  return Effect.map(
    ToolCode.reader(call, caller, () => preview(call.parameters)),
    ({ preconditions, render }) => ({
      render: caller.redaction.redact(render),
      preconditions: [...preconditions, ...provided]
    })
  )
}

const plain = ({ canonicalArguments, tool }: Decoded): string =>
  `${tool.name} ${JSON.stringify(JSON.parse(canonicalArguments), null, 2)}`

type Preconditions = ReadonlyArray<Approval.Precondition>

/** Whether the same things hold, in the same order. */
export const areSame = (a: Preconditions, b: Preconditions): boolean =>
  Canonical.stringify(a) === Canonical.stringify(b)
