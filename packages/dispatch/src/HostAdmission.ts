/**
 * Decides whether the command of a running call may reach a host. Rules about hosts decide; if none covers the host,
 * the user is asked while the command waits, once for each host of the call, one request at a time:
 * adr/0061-network-of-commands.md.
 */
import { HostRule, Policy } from "@bough/policy"
import { Capability, PausableTimeout, type ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { AssessedCall } from "./Call.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import type { Gate } from "./Gate.ts"
import * as RuleFields from "./RuleFields.ts"

export interface Admission {
  /** Null: no approval can be requested while a call runs. */
  readonly gate: Gate["Service"] | null
  /** The pauses of the call's time limit while the user decides. */
  readonly pauses: PausableTimeout.Pauses
  /** True if the call has ended while its command still runs: from then on only rules decide. */
  readonly isOver: () => boolean
}

/** Makes the function that admits hosts; undefined: the session sends nothing, so its commands reach no host. */
export const admitHost = (
  call: AssessedCall,
  context: DispatchContext,
  { gate, isOver, pauses }: Admission
): ToolContext.AdmitHost | undefined => {
  if (!context.context.capabilities.has(Capability.NetworkWrite.key)) return undefined
  const oneAtATime = Semaphore.makeUnsafe(1)
  return Effect.fnUntraced(function* ({ host, port, scheme }) {
    const url = urlOf(host, port, scheme)
    const destination = HostRule.destinationOf(url)
    if (destination === null) return `${url} is not an http or https address`
    const subject = { ...RuleFields.subjectOfCall(call, context), destination }
    const isGranted = call.grants.some(({ _tag }) => _tag === "Network")
    const decision = Policy.evaluateHost(context.policy, subject, isGranted)
    if (decision._tag === "Allow") return null
    if (decision._tag === "Deny") return decision.reason
    const beforehand = `a rule can open it in advance: ${call.tool.name} host=${HostRule.print(destination)}`
    if (isOver()) return `${decision.reason}; ${ended}; ${beforehand}`
    if (gate?.askHost === undefined) return `${decision.reason}; ${noApprover}; ${beforehand}`
    const question = gate.askHost(call, {
      url,
      preview: { render: previewText(call, url), preconditions: [] },
      reason: decision.reason,
      everyTime: decision.everyTime
    })
    const verdict = yield* oneAtATime.withPermit(PausableTimeout.pauseDuring(pauses, question)).pipe(
      // This process no longer owns the session, so it ends the call.
      Effect.catch(() => Effect.succeed({ _tag: "Unasked", reason: "the question could not be recorded" } as const))
    )
    switch (verdict._tag) {
      case "Approved":
        return null
      case "Denied":
        return verdict.decision._tag === "Denied" ? "the user denied it" : "no decision in time"
      case "Parked":
      case "Unasked":
        return `${decision.reason}; ${verdict._tag === "Parked" ? noApprover : verdict.reason}; ${beforehand}`
    }
  })
}

const ended = "the call that could have asked has ended"
const noApprover = "no approver is available while the command runs"

const urlOf = (host: string, port: number, scheme: "http" | "https"): string => {
  const name = host.includes(":") ? `[${host}]` : host
  return URL.parse(`${scheme}://${name}:${port}/`)?.href ?? `${scheme}://${name}:${port}/`
}

/** Shows the destination before the command, so that no line of the command can be mistaken for it. */
const previewText = ({ canonicalArguments, tool }: AssessedCall, url: string): string => {
  const parameters = JSON.parse(canonicalArguments) as { readonly command?: unknown; readonly argv?: unknown }
  const command =
    typeof parameters.command === "string" ? parameters.command : JSON.stringify(parameters.argv ?? parameters)
  const lines = command.split("\n").map((line) => `  ${line}`)
  return `Let this running command reach ${url}\n(${tool.name}, with whatever it sends):\n${lines.join("\n")}`
}
