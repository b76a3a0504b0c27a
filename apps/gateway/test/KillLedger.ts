/**
 * Checks the acknowledgements that a load generator got from a gateway that is killed repeatedly against the gateway's
 * store.
 */
import type { Entry } from "@bough/protocol"
import { assert } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { entriesOf, type ReceivedFrame } from "./Events.ts"

export type DecidedApproval = "approve" | "deny"

/** One session as its user knows it. */
export interface SessionLedger {
  readonly key: string
  sessionId: string
  workspaceId: string
  /** Texts of messages that were acknowledged. */
  readonly acknowledged: Array<string>
  /** Decisions that were acknowledged, by approval. */
  readonly decided: Map<string, DecidedApproval>
  /** Frames of entries, from one connection after another. */
  readonly frames: Array<ReceivedFrame>
}

export const make = (key: string): SessionLedger => ({
  key,
  sessionId: "",
  workspaceId: "",
  acknowledged: [],
  decided: new Map(),
  frames: []
})

/** The file that the model writes for a message with this text; the write needs an approval. */
export const fileOf = (text: string): string => `${text.replace("write ", "")}/AGENTS.md`

const bodies = <Tag extends Entry.Body["_tag"]>(
  { frames }: Pick<SessionLedger, "frames">,
  tag: Tag
): ReadonlyArray<Extract<Entry.Body, { readonly _tag: Tag }>> =>
  entriesOf(frames).flatMap(({ body }) =>
    body._tag === tag ? [body as Extract<Entry.Body, { readonly _tag: Tag }>] : []
  )

export const userTexts = (ledger: Pick<SessionLedger, "frames">): ReadonlyArray<string> =>
  bodies(ledger, "UserMessage").map(({ text }) => text)

/** True once the session has no work left: each request is decided, and each call has ended. */
export const isDone = (ledger: Pick<SessionLedger, "frames">): boolean => {
  const ended = new Set(bodies(ledger, "CallEnded").map(({ toolCallId }) => toolCallId))
  const closed = new Set(bodies(ledger, "ApprovalDecided").map(({ approvalId }) => approvalId))
  return (
    bodies(ledger, "ApprovalAsked").every(({ request }) => closed.has(request.approvalId)) &&
    bodies(ledger, "CallStarted").every(({ toolCallId }) => ended.has(toolCallId)) &&
    bodies(ledger, "CallDeferred").every(({ toolCallId }) => ended.has(toolCallId))
  )
}

/** A call is given up after this number of starts without an end. */
const maxStarts = 3

const once = (values: ReadonlyArray<string>, what: string): void =>
  assert.deepStrictEqual(
    values.filter((value, index) => values.indexOf(value) !== index),
    [],
    `${what} twice`
  )

/** Fails if an acknowledged or received entry is missing or stored twice. `whole`: read from the beginning. */
export const check = (ledger: SessionLedger, whole: ReadonlyArray<ReceivedFrame>, workspaces: string): void => {
  const { acknowledged, decided, frames, workspaceId } = ledger
  assert.deepStrictEqual(
    frames.map(({ id }) => id),
    whole.map(({ id }) => id)
  )
  assert.deepStrictEqual(entriesOf(frames), entriesOf(whole))
  once(userTexts(ledger), "a message")
  assert.includeMembers([...userTexts(ledger)], acknowledged)
  const recorded = bodies(ledger, "ApprovalDecided")
  once(
    recorded.map(({ approvalId }) => approvalId),
    "a decision"
  )
  for (const [approvalId, decision] of decided) {
    const found = recorded.find((one) => one.approvalId === approvalId)
    assert.strictEqual(
      found?.decision._tag,
      decision === "approve" ? "Approved" : "Denied",
      `decision of ${approvalId}`
    )
  }
  once(
    bodies(ledger, "CallEnded").map(({ toolCallId }) => toolCallId),
    "the end of a call"
  )
  // A successful call has written its file, and a denied one has not. A call that the kill interrupted may have: its
  // outcome is unknown, and it is asked about again before it runs again. The same applies to a call that timed out on
  // a busy machine, and to a call that the kills interrupted so often that it is given up.
  const ended = new Map(bodies(ledger, "CallEnded").map(({ outcome, toolCallId }) => [toolCallId, outcome]))
  const starts = new Map<string, number>()
  for (const { toolCallId } of bodies(ledger, "CallStarted")) starts.set(toolCallId, (starts.get(toolCallId) ?? 0) + 1)
  for (const { request } of bodies(ledger, "ApprovalAsked")) {
    const text = userTexts(ledger).find(
      (one) => one.startsWith("write ") && JSON.stringify(request).includes(fileOf(one))
    )
    if (text === undefined) assert.fail(`no message asked for ${JSON.stringify(request)}`)
    const file = join(workspaces, workspaceId, fileOf(text))
    const written = existsSync(file) ? readFileSync(file, "utf8") : null
    const outcome = ended.get(request.toolCallId)
    const isGivenUp = (starts.get(request.toolCallId) ?? 0) >= maxStarts
    const isUndetermined = outcome?._tag === "Failed" && (outcome.error._tag === "Timeout" || isGivenUp)
    if (outcome?._tag === "Unknown" || isUndetermined) continue
    assert.include(["Succeeded", "Rejected"], outcome?._tag, JSON.stringify(outcome))
    assert.strictEqual(written, outcome?._tag === "Succeeded" ? text : null, file)
  }
}
