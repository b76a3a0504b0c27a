/**
 * Decides whether a call could carry private data out. An address or text that the model composed in a private session
 * may go only to hosts that a user has named or approved. Once untrusted text was read, a text for a service that the
 * operator chose, such as a search, needs one approval per tree, and a text without a host or service one each time. Text that is copied word for word from a user, the configuration or a search reveals
 * nothing: adr/0042-egress-of-private-sessions.md, adr/0069-texts-agreed-to-with-their-host.md,
 * adr/0085-trusted-folders.md.
 */
import { HostRule } from "@bough/policy"
import type { Session } from "@bough/protocol"
import * as AddressText from "./AddressText.ts"
import type { DecodedCall, AssessedCall } from "./Call.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import type { Provenance } from "./Provenance.ts"

type Taint = Pick<AssessedCall, "tainted" | "newHost">

const none: Taint = { tainted: null, newHost: null }

export const taintOf = (call: DecodedCall, context: DispatchContext): Taint => {
  const { egress } = call.tool
  if (egress === null || !call.labels.includes("private") || isOwnerOnly(call, context)) return none
  const { provenance } = context
  const address = egress.address?.(call.parameters)
  const composedAddress = address !== undefined && !provenance.isGivenAddress(address)
  const text = egress.texts?.(call.parameters).find((sent) => sent !== "" && !provenance.isGivenText(sent))
  const readData = readDataOf(call, provenance)
  // A text for a host is approved together with the host. If a tool does not declare which arguments it sends, the
  // text may be an address.
  const hasNoHost = address === undefined && call.labels.includes("untrusted")
  const isTextTainted = text !== undefined && (hasNoHost || egress.isUndeclared === true)
  const tainted = isTextTainted ? `this text was made by the model after it read ${readData}: ${shorten(text)}` : null
  if (address === undefined && tainted !== null && egress.service !== undefined) {
    return toService(egress.service(), tainted, provenance)
  }
  if (address === undefined || (!composedAddress && text === undefined)) return { tainted, newHost: null }
  const why = `this ${composedAddress ? "address" : "request"} was made by the model after it read ${readData}: ${AddressText.shown(address)}`
  const destination = HostRule.destinationOf(address)
  if (destination === null) return { tainted: tainted ?? why, newHost: null }
  const host = HostRule.keyOf(destination)
  if (provenance.isAgreedHost(host)) return { tainted, newHost: null }
  const name = AddressText.hostShown(address, HostRule.print(destination))
  return { tainted, newHost: { host, reason: `${why}; yes opens ${name} to this session and those below it` } }
}

/**
 * Decides on a text for a service. The operator chose the service, so one approval opens it for the tree, as for a
 * host.
 */
const toService = (service: string, why: string, provenance: Provenance): Taint => {
  const host = `service:${service}`
  return provenance.isAgreedHost(host)
    ? none
    : { tainted: null, newHost: { host, reason: `${why}; yes opens ${service} to this session and those below it` } }
}

/** True if the model composed any data that a call of a private session sends. */
export const isComposed = (call: DecodedCall, context: DispatchContext): boolean => {
  const { egress } = call.tool
  if (egress === null || !call.labels.includes("private")) return false
  const { provenance } = context
  const address = egress.address?.(call.parameters)
  if (address !== undefined && !provenance.isGivenAddress(address)) return true
  return (egress.texts?.(call.parameters) ?? []).some((sent) => sent !== "" && !provenance.isGivenText(sent))
}

const isOwnerOnly = ({ tool }: DecodedCall, { context }: DispatchContext): boolean => {
  const sending = tool.capabilities.filter(({ sends }) => sends === true)
  return sending.length > 0 && sending.every(({ key }) => context.capabilities.get(key)?.ownerOnly === true)
}

const readDataOf = ({ labels }: DecodedCall, provenance: Provenance): string => {
  const readData = after("private data", "private", provenance)
  return labels.includes("untrusted") ? `${readData} and ${after("untrusted text", "untrusted", provenance)}` : readData
}

const after = (what: string, label: Session.Label, { sourcesOf }: Provenance): string => {
  const sources = sourcesOf(label)
  return sources === "" ? what : `${what} (${sources})`
}

/** The maximum number of characters that are shown; the preview contains the full text. */
const maxShown = 300

const shorten = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text).toWellFormed()
