/**
 * Whether a call would carry private things out at the word of untrusted ones: the session was told both, and the model
 * put together what leaves. What a person, a configuration or a search gave, word for word, tells nobody anything.
 */
import type { Session } from "@bough/protocol"
import type { Decoded } from "./Call.ts"
import type { Caller } from "./Caller.ts"
import type { Provenance } from "./Provenance.ts"

/** In words for the person who decides; null: it would not. */
export const of = (call: Decoded, caller: Caller): string | null => {
  const { egress } = call.tool
  if (egress === null || !call.labels.includes("private") || !call.labels.includes("untrusted")) return null
  if (staysWithOwner(call, caller)) return null
  const { provenance } = caller
  const address = egress.address?.(call.parameters)
  if (address !== undefined && !provenance.isGivenAddress(address)) return reason("address", address, provenance)
  const text = egress.texts?.(call.parameters).find((sent) => sent !== "" && !provenance.isGivenText(sent))
  return text === undefined ? null : reason("text", text, provenance)
}

const staysWithOwner = ({ tool }: Decoded, { context }: Caller): boolean => {
  const sending = tool.capabilities.filter(({ sends }) => sends === true)
  return sending.length > 0 && sending.every(({ key }) => context.capabilities.get(key)?.staysWithOwner === true)
}

/** The whole of it is in the preview. */
const maxShown = 300

const reason = (what: string, sent: string, provenance: Provenance): string => {
  const shown = sent.length > maxShown ? `${sent.slice(0, maxShown)}…` : sent
  const told = `${after("private data", "private", provenance)} and ${after("untrusted text", "untrusted", provenance)}`
  return `this ${what} was made by the model after it read ${told}: ${shown.toWellFormed()}`
}

const after = (what: string, label: Session.Label, { sourcesOf }: Provenance): string => {
  const sources = sourcesOf(label)
  return sources === "" ? what : `${what} (${sources})`
}
