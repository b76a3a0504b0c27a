/**
 * The origin of the words of a session, as a fold over its entries: text of users and trusted instructions, results of
 * searches, hosts that users approved, tools that returned text. The fold only stores texts; addresses are extracted
 * when a call is about to send something: adr/0017-taint.md, adr/0042-egress-of-private-sessions.md.
 */
import type { Provenance } from "@bough/dispatch"
import { HostRule } from "@bough/policy"
import { Entry, Principal, type Session } from "@bough/protocol"
import * as ContextSource from "./ContextSource.ts"
import { addressesIn, canonicalAddress, namedAddressesIn } from "./UrlText.ts"

/** The calls of one tool. */
interface Source {
  calls: number
  /** The sentence for users from the tool's newest result. */
  display: string
  /** Labels that a result of the tool first brought into the session. */
  readonly brought: Set<Session.Label>
}

/** Starts and ends of calls, by the tool's name. */
export type CallCounts = Map<string, number>

/** The provenance of a session; only `Provenance` changes it. */
export interface ProvenanceState {
  /** The user of the session; null: not known. */
  user: string | null
  /** Messages of the user, and instructions that the user trusted. */
  readonly said: Array<string>
  readonly found: Array<string>
  /** Messages of the user alone: the hosts in them count as approved. */
  readonly spoken: Array<string>
  /** Hosts that users approved when a call asked. */
  readonly approvedHosts: Set<string>
  /** The undecided requests with the hosts that each would open. */
  readonly asked: Map<Session.ApprovalId, string>
  readonly sources: Map<string, Source>
  /** Counts, per tool, calls that started or that ended after a handler may have run. */
  readonly ran: CallCounts
  /** The labels of the entries so far. */
  readonly labels: Set<Session.Label>
  /** The addresses found so far in `said` and `found`. */
  readonly addresses: Set<string>
  /** The hosts found so far in `spoken`. */
  readonly named: Set<string>
  indexedSaid: number
  indexedFound: number
  indexedSpoken: number
}

export const empty = (): ProvenanceState => ({
  user: null,
  said: [],
  found: [],
  spoken: [],
  approvedHosts: new Set(),
  asked: new Map(),
  sources: new Map(),
  ran: new Map(),
  labels: new Set(),
  addresses: new Set(),
  named: new Set(),
  indexedSaid: 0,
  indexedFound: 0,
  indexedSpoken: 0
})

/** Folds one entry in. */
export const append = (state: ProvenanceState, { body, labels }: Pick<Entry.Entry, "body" | "labels">): void => {
  take(state, body, labels)
  for (const label of labels) state.labels.add(label)
}

const take = (state: ProvenanceState, body: Entry.Body, labels: ReadonlyArray<Session.Label>): void => {
  switch (body._tag) {
    case "SessionOpened":
      state.user = body.user
      return
    case "UserMessage":
      // A model wrote the child's task and the messages between sessions. Other people do not speak for the user.
      if (!Principal.isPerson(body.principal) || Principal.isAnotherPerson(body.principal, state.user)) return
      state.said.push(body.text)
      state.spoken.push(body.text)
      return
    case "ContextAdded":
      if (!ContextSource.isData(body)) state.said.push(body.text)
      return
    case "ApprovalAsked":
      if (body.request.opensHost !== undefined) state.asked.set(body.request.approvalId, body.request.opensHost)
      return
    case "ApprovalDecided":
      return decide(state, body)
    case "CallStarted":
      return count(state, body.tool)
    case "CallEnded":
      if (mayHaveRun(body)) count(state, body.tool)
      if (body.outcome._tag !== "Succeeded") return
      appendResult(state, body, body.outcome)
      for (const label of labels) if (!state.labels.has(label)) state.sources.get(body.tool)?.brought.add(label)
      return
    case "StepStarted":
    case "ModelReplied":
    case "CallDeferred":
    case "ChildSpawned":
    case "ChildEnded":
    case "RuleGiven":
    case "RuleRevoked":
    case "CommandEnded":
    case "Compacted":
    case "SamplingStarted":
    case "SamplingEnded":
    case "StateChanged":
    case "SessionEnded":
      return
    default:
      return Entry.assertHandled(body)
  }
}

const count = ({ ran }: ProvenanceState, tool: string): void => void ran.set(tool, (ran.get(tool) ?? 0) + 1)

const mayHaveRun = ({ outcome, receipt }: Entry.BodyOf<"CallEnded">): boolean =>
  receipt !== null || outcome._tag === "Unknown"

const decide = (state: ProvenanceState, { approvalId, decision }: Entry.BodyOf<"ApprovalDecided">): void => {
  const host = state.asked.get(approvalId)
  state.asked.delete(approvalId)
  if (host !== undefined && decision._tag === "Approved") state.approvedHosts.add(host)
}

const appendResult = (
  state: ProvenanceState,
  { tool }: Entry.BodyOf<"CallEnded">,
  { display, found }: Extract<Entry.Outcome, { readonly _tag: "Succeeded" }>
): void => {
  const source = state.sources.get(tool)
  if (source === undefined) state.sources.set(tool, { calls: 1, display, brought: new Set() })
  else {
    source.calls += 1
    source.display = display
  }
  if (found !== undefined) state.found.push(...found)
}

/** The other sources of addresses and of the labels of a tool's results. */
export interface TreeSources {
  /** The provenance of the session that gave the task, whose addresses it may pass on. Null: a user gave the task. */
  readonly above: Provenance.Provenance | null
  /** Hosts that users approved for sessions of the same tree. */
  readonly hosts: ReadonlySet<string>
  /** Addresses in the operator's configuration. */
  readonly addresses: ReadonlyArray<string>
  readonly labelsOf: (tool: string) => ReadonlyArray<Session.Label>
}

/** Returns the provenance at the time of the call. */
export const provenanceOf = (
  state: ProvenanceState,
  { above, addresses, hosts, labelsOf }: TreeSources
): Provenance.Provenance => ({
  isGivenAddress: (url) => {
    const address = canonicalAddress(url)
    if (address === null) return false
    indexUnread(state)
    return (
      state.addresses.has(address) ||
      addresses.some((configured) => canonicalAddress(configured) === address) ||
      (above?.isGivenAddress(url) ?? false)
    )
  },
  isAgreedHost: (host) => {
    indexUnreadSpoken(state)
    const isOpen = spellingsOf(host).some(
      (key) => state.approvedHosts.has(key) || hosts.has(key) || state.named.has(key)
    )
    return isOpen || (above?.isAgreedHost(host) ?? false)
  },
  isGivenText: (text) => state.said.some((said) => holdsWords(said, text)) || (above?.isGivenText(text) ?? false),
  sourcesOf: (label) => {
    const labelledTools = [...state.sources]
      .filter(([tool, { brought }]) => brought.has(label) || labelsOf(tool).includes(label))
      .map(([tool, { calls, display }]) => `${tool}${calls === 1 ? "" : `, the last of ${calls} calls`}: ${display}`)
    const sourcesAbove = above?.sourcesOf(label) ?? ""
    return [...labelledTools, ...(sourcesAbove === "" ? [] : [sourcesAbove])].join("; ")
  }
})

/** An approval of a host over http includes the same host over https. */
const spellingsOf = (host: string): ReadonlyArray<string> =>
  host.endsWith(":443") ? [host, host.replace(/:443$/u, ":80")] : [host]

const hostOf = (address: string): string | null => {
  const destination = HostRule.destinationOf(address)
  return destination === null ? null : HostRule.keyOf(destination)
}

const indexUnreadSpoken = (state: ProvenanceState): void => {
  for (; state.indexedSpoken < state.spoken.length; state.indexedSpoken++) {
    for (const address of namedAddressesIn(state.spoken[state.indexedSpoken])) {
      const host = hostOf(address)
      if (host !== null) state.named.add(host)
    }
  }
}

const indexUnread = (state: ProvenanceState): void => {
  for (; state.indexedSaid < state.said.length; state.indexedSaid++) {
    for (const address of addressesIn(state.said[state.indexedSaid])) state.addresses.add(address)
  }
  for (; state.indexedFound < state.found.length; state.indexedFound++) {
    const address = canonicalAddress(state.found[state.indexedFound])
    if (address !== null) state.addresses.add(address)
  }
}

const inWord = (): RegExp => /[\p{L}\p{N}_]/u

/** True if the text contains these words. Only whole words count, because single letters could spell any text. */
const holdsWords = (said: string, text: string): boolean => {
  for (let at = said.indexOf(text); at !== -1; at = said.indexOf(text, at + 1)) {
    if (!parts(said, at) && !parts(said, at + text.length)) return true
  }
  return false
}

/** True if a word continues across this position. */
const parts = (text: string, at: number): boolean =>
  at > 0 && at < text.length && inWord().test(text.charAt(at - 1)) && inWord().test(text.charAt(at))
