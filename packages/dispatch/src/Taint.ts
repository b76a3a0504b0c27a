/**
 * Decides whether a call could carry private data out. An address or text that the model composed in a private session
 * may go only to hosts that a user has named or approved. Once untrusted text was read, a text for a service that the
 * operator chose, such as a search, needs one approval per tree, and a text without a host or service one each time. Text that is copied word for word from a user, the configuration or a search reveals
 * nothing. A call that reads private data itself and sends it counts as one of a private session:
 * adr/0042-egress-of-private-sessions.md, adr/0069-texts-agreed-to-with-their-host.md, adr/0085-trusted-folders.md,
 * adr/0148-texts-of-other-people.md.
 */
import { HostRule } from "@bough/policy"
import type { Session } from "@bough/protocol"
import type { Capability } from "@bough/tool"
import * as AddressText from "./AddressText.ts"
import type { DecodedCall, AssessedCall } from "./Call.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import type { Provenance } from "./Provenance.ts"

type Taint = Pick<AssessedCall, "tainted" | "newHost">

const none: Taint = { tainted: null, newHost: null }

export const taintOf = (call: DecodedCall, context: DispatchContext): Taint => {
  const { egress } = call.tool
  if (egress === null || !sendsPrivate(call) || isOwnerOnly(call, context)) return none
  const { provenance } = context
  const address = egress.address?.(call.parameters)
  const composedAddress = address !== undefined && !provenance.isGivenAddress(address)
  const text = egress.texts?.(call.parameters).find((sent) => sent !== "" && !provenance.isGivenText(sent))
  const origin = originOf(call, provenance)
  // A text for a host is approved together with the host. If a tool does not declare which arguments it sends, the
  // text may be an address.
  const hasNoHost = address === undefined && call.labels.includes("untrusted")
  const mayBeAddress = egress.isUndeclared === true && call.labels.includes("private")
  const isTextTainted = text !== undefined && (hasNoHost || mayBeAddress)
  const tainted = isTextTainted ? `this text was ${origin}: ${shorten(text)}` : null
  if (address === undefined && tainted !== null && egress.service !== undefined) {
    return toService(egress.service(), tainted, provenance)
  }
  if (address === undefined || (!composedAddress && text === undefined)) return { tainted, newHost: null }
  const taintReason = `this ${composedAddress ? "address" : "request"} was ${origin}: ${AddressText.formatAddress(address)}`
  const destination = HostRule.destinationOf(address)
  if (destination === null) return { tainted: tainted ?? taintReason, newHost: null }
  const host = HostRule.keyOf(destination)
  if (provenance.isAgreedHost(host)) return { tainted, newHost: null }
  const name = AddressText.hostShown(address, HostRule.print(destination))
  return { tainted, newHost: { host, reason: `${taintReason}; yes opens ${name} to this session and those below it` } }
}

/**
 * Decides on a text for a service. The operator chose the service, so one approval opens it for the tree, as for a
 * host.
 */
const toService = (service: string, reason: string, provenance: Provenance): Taint => {
  const host = `service:${service}`
  return provenance.isAgreedHost(host)
    ? none
    : { tainted: null, newHost: { host, reason: `${reason}; yes opens ${service} to this session and those below it` } }
}

/** True if the model composed any data that a call of a private session sends. */
export const isComposed = (call: DecodedCall, context: DispatchContext): boolean => {
  const { egress } = call.tool
  if (egress === null || !sendsPrivate(call)) return false
  const { provenance } = context
  const address = egress.address?.(call.parameters)
  if (address !== undefined && !provenance.isGivenAddress(address)) return true
  return (egress.texts?.(call.parameters) ?? []).some((sent) => sent !== "" && !provenance.isGivenText(sent))
}

/** True if what the call sends may be private: the session has read private data, or the tool reads it here itself. */
const sendsPrivate = ({ labels, tool }: DecodedCall): boolean =>
  labels.includes("private") || tool.capabilities.some(readsPrivate)

const readsPrivate = ({ labels, sends }: Capability.Any): boolean =>
  sends !== true && (labels ?? []).includes("private")

const isOwnerOnly = ({ tool }: DecodedCall, { context }: DispatchContext): boolean => {
  const sending = tool.capabilities.filter(({ sends }) => sends === true)
  return sending.length > 0 && sending.every(({ key }) => context.capabilities.get(key)?.ownerOnly === true)
}

const originOf = ({ labels, tool }: DecodedCall, provenance: Provenance): string => {
  const isPrivate = labels.includes("private")
  const read = readText(labels, provenance)
  const maker = read === "" ? "made by the model" : `made by the model after it read ${read}`
  return isPrivate ? maker : `${maker}, and ${tool.name} sends private data that it reads`
}

const kinds = [
  ["private", "private data"],
  ["untrusted", "untrusted text"]
] as const

/** Names what the session read, each kind with its sources; sources that are the same are named once. */
const readText = (labels: ReadonlyArray<Session.Label>, { sourcesOf }: Provenance): string => {
  const read = kinds.flatMap(([label, kind]) => (labels.includes(label) ? [{ kind, sources: sourcesOf(label) }] : []))
  const isShared = read.every(({ sources }) => sources === read[0].sources)
  return read
    .map(({ kind, sources }, at) =>
      sources === "" || (isShared && at < read.length - 1) ? kind : `${kind} (${sources})`
    )
    .join(" and ")
}

/** The maximum number of characters that are shown; the preview contains the full text. */
const maxShown = 300

const shorten = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text).toWellFormed()
