/** Entries and batches to fill a journal with, for specs of stores and tests of their readers. */
import { Approval, Batch, Entry, Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as SessionStore from "../ports/SessionStore.ts"

let counter = 0

/** Makes ids that no other test of this process uses. */
export const freshId = (prefix: string): Session.SessionId =>
  Session.SessionId.make(`${prefix}-${process.pid}-${++counter}`)

export const opened = (options?: {
  readonly kind?: Session.Kind
  readonly parentId?: Session.SessionId
  readonly workspaceRoot?: string
  readonly user?: string | null
  readonly agent?: string
}): Entry.BodyOf<"SessionOpened"> => ({
  _tag: "SessionOpened",
  v: Entry.currentVersion,
  kind: options?.kind ?? "Main",
  origin:
    options?.parentId === undefined
      ? { _tag: "Main", forkedFrom: null }
      : { _tag: "Branch", parentId: options.parentId, forkedAt: null },
  agent: options?.agent ?? "bough",
  user: options?.user ?? null,
  workspaceRoot: options?.workspaceRoot ?? "/workspace",
  channel: "terminal",
  openedAtMillis: 0
})

export const message = (text: string): Entry.BodyOf<"UserMessage"> => ({
  _tag: "UserMessage",
  text,
  media: [],
  principal: "user",
  messageId: `message ${text.slice(0, 20)}`
})

export const request = (treeId: Session.SessionId, expiresAtMillis: number): Approval.Request => ({
  approvalId: Session.ApprovalId.make(freshId("approval")),
  sessionPath: [treeId],
  toolCallId: Session.ToolCallId.make("call-1"),
  tool: "run_command",
  version: 1,
  tier: "Elevated",
  arguments: "{}",
  argumentsDigest: "sha256:0",
  preview: { render: "$ make", preconditions: [] },
  reason: "it may do anything",
  askedAtMillis: 0,
  expiresAtMillis
})

export const append = (sessionId: Session.SessionId, expectedSeq: number, body: Entry.Body): Batch.Append => ({
  sessionId,
  expectedSeq,
  labels: [],
  body
})

/** Makes a batch of one tree, `Full` and without projections unless the options change this. */
export const batch = (
  lease: SessionStore.Lease,
  entries: ReadonlyArray<Batch.Append>,
  rest?: Partial<Pick<Batch.Batch, "durability" | "projections">>
): Batch.Batch => ({
  treeId: lease.treeId,
  epoch: lease.epoch,
  durability: rest?.durability ?? "Full",
  entries,
  projections: rest?.projections ?? []
})

/** Makes a new tree of one Main session with `messages` user messages after its first entry, owned by this process. */
export const openTree = Effect.fnUntraced(function* (messages: number, workspaceRoot?: string) {
  const store = yield* SessionStore.SessionStore
  const lease = yield* store.acquire(freshId("tree"))
  const bodies = [
    opened(workspaceRoot === undefined ? {} : { workspaceRoot }),
    ...Array.from({ length: messages }, (_, index) => message(`message ${index}`))
  ]
  yield* store.commit(
    batch(
      lease,
      bodies.map((body, seq) => append(lease.treeId, seq, body))
    )
  )
  return lease
})
