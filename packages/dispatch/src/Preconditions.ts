/** The preconditions of a call's effect: the facts that its preview read, and those that its capabilities depend on. */
import { type Approval, Canonical, type ToolError } from "@bough/protocol"
import * as ArgumentText from "@bough/text/ArgumentText"
import type { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as AddressText from "./AddressText.ts"
import * as Answers from "./Answers.ts"
import type { DecodedCall, AssessedCall } from "./Call.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import * as HostFiles from "./HostFiles.ts"
import * as ToolCode from "./ToolCode.ts"

/** Returns the preview for the user; a tool without one shows its arguments. */
export const preview = (
  call: DecodedCall,
  context: DispatchContext
): Effect.Effect<Approval.Preview, ToolError.ToolError> => {
  const { preview } = call.tool
  if (preview === null) return plainly(call, context)
  return Effect.flatMap(
    ToolCode.reader(call, context, { name: "preview", effect: () => preview(call.parameters), read: Answers.preview }),
    ({ preconditions, render }) =>
      Effect.map(providedFor(call, context), (provided) => ({
        render: context.redaction.redact(render.toWellFormed()),
        preconditions: [...preconditions, ...provided]
      }))
  )
}

/**
 * Returns the preview with everything that the decision covers: the addresses that it opens, and for a command outside
 * any sandbox the files that it names. A call without a preview is shown by its arguments.
 */
export const fullPreview = (
  call: AssessedCall,
  context: DispatchContext
): Effect.Effect<Approval.Preview, ToolError.ToolError> =>
  Effect.gen(function* () {
    const seen = yield* call.unseen ? plainly(call, context) : preview(call, context)
    return {
      render: seen.render,
      preconditions: [
        ...withFacts(seen, call.facts),
        ...openedAddresses(call),
        ...(yield* HostFiles.preconditions(call, context))
      ]
    }
  })

/** Returns the preconditions of the preview, and the facts of the classification that are not among them. */
export const withFacts = ({ preconditions }: Approval.Preview, facts: ReadonlyArray<Tool.Fact>): Preconditions =>
  facts.length === 0
    ? preconditions
    : [
        ...preconditions,
        ...facts
          .filter(({ key }) => !preconditions.some((one) => one._tag === "Fact" && one.key === key))
          .map((fact) => ({ _tag: "Fact" as const, ...fact }))
      ]

const openedAddresses = ({ grants }: AssessedCall): Preconditions =>
  grants.flatMap((grant) =>
    grant._tag === "Host" && grant.addresses !== undefined && grant.addresses.length > 0
      ? [{ _tag: "Addresses", host: grant.host, port: grant.port, addresses: grant.addresses }]
      : []
  )

const plainly = (call: DecodedCall, context: DispatchContext): Effect.Effect<Approval.Preview, ToolError.ToolError> =>
  Effect.map(providedFor(call, context), (preconditions) => ({ render: plain(call), preconditions }))

/**
 * Returns the preconditions of the call's capabilities, in the order of its declaration; those that may change are read
 * now.
 */
const providedFor = (
  call: DecodedCall,
  { context }: DispatchContext
): Effect.Effect<Preconditions, ToolError.ToolError> => {
  const provided = call.tool.capabilities.flatMap(({ key }) => context.capabilities.get(key) ?? [])
  if (provided.every(({ readPreconditions }) => readPreconditions === undefined)) {
    return Effect.succeed(provided.flatMap(({ preconditions }) => preconditions))
  }
  const all = Effect.forEach(provided, ({ preconditions, readPreconditions }) =>
    readPreconditions === undefined
      ? Effect.succeed(preconditions)
      : Effect.map(ToolCode.readPreconditions(call, readPreconditions), (read) => [...preconditions, ...read])
  )
  return Effect.map(all, (facts) => facts.flat())
}

const plain = ({ canonicalArguments, parameters, tool }: DecodedCall): string => {
  const shown = [tool.name, ...ArgumentText.facts(canonicalArguments)].join("\n")
  const address = tool.egress?.address?.(parameters)
  return address === undefined ? shown : `${shown}\ngoes to ${AddressText.formatAddress(address)}`
}

type Preconditions = ReadonlyArray<Approval.Precondition>

/** True if both lists contain the same preconditions in the same order. */
export const areSame = (a: Preconditions, b: Preconditions): boolean =>
  Canonical.stringify(a) === Canonical.stringify(b)
