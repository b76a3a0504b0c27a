/** Creates a Main that is stored before its first message. */
import { Canonical, Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { newSessionId } from "../Identity.ts"
import * as Durability from "../journal/Durability.ts"
import { type SessionFacts, openedBody } from "../journal/SessionOpened.ts"
import { type LeaseLost, SessionStore, type StoreFailed, type TreeBusy } from "../ports/SessionStore.ts"
import { checkPrincipal, type PrincipalRefused } from "./Sender.ts"

export interface CreateOptions extends SessionFacts {
  /** A repeated key of the same user refers to the same session. Default: a new session. */
  readonly key?: string
}

/** `inserted` false: an earlier call with that key created it. */
export interface CreationResult {
  readonly sessionId: Session.SessionId
  readonly inserted: boolean
}

/** A session was created with this key before, for another agent or workspace. */
export class KeyReused extends Schema.TaggedError<KeyReused>()("KeyReused", {
  key: Schema.String,
  sessionId: Session.SessionId,
  agent: Schema.String,
  workspaceRoot: Schema.String
}) {
  override get message(): string {
    return `the key ${JSON.stringify(this.key)} is taken by session ${this.sessionId} of agent ${this.agent} in ${this.workspaceRoot}: use another key`
  }
}

/** Returns the same id for every attempt of one user with one key. */
const idOf = ({ key, user }: CreateOptions): Effect.Effect<Session.SessionId> =>
  key === undefined
    ? newSessionId
    : Effect.succeed(
        Session.SessionId.make(`ses_${Canonical.digestOf({ created: key, user }).replace("sha256:", "").slice(0, 28)}`)
      )

/** The pause between attempts while another creation with the same key is running, and their number. */
const busyMillis = 20
const maxBusy = 250

/**
 * Creates a Main without an owner, durable on return: the first process that opens it becomes its owner. It has no
 * title and is Suspended until a message comes.
 */
export const create = Effect.fnUntraced(function* (
  options: CreateOptions
): Effect.fn.Return<CreationResult, PrincipalRefused | KeyReused | TreeBusy | LeaseLost | StoreFailed, SessionStore> {
  if (options.user !== null) yield* checkPrincipal(options.user)
  const store = yield* SessionStore
  const sessionId = yield* idOf(options)
  for (let busy = 0; ; busy++) {
    if (options.key !== undefined && (yield* exists(options, sessionId))) return { sessionId, inserted: false }
    const inserted = yield* insert(store, options, sessionId).pipe(
      Effect.catchTag("TreeBusy", (error) => (busy < maxBusy ? Effect.succeed(null) : Effect.fail(error)))
    )
    if (inserted === true) return { sessionId, inserted }
    // Another attempt owns the tree during its commit, or has just created it.
    if (inserted === null) yield* Effect.sleep(busyMillis)
  }
})

/** True if the session of the key already exists; fails if it differs from the requested one. */
const exists = Effect.fnUntraced(function* (
  { key = "", name, workspaceRoot }: CreateOptions,
  sessionId: Session.SessionId
) {
  const store = yield* SessionStore
  const [first] = yield* Effect.catchTag(store.entries(sessionId, 0, 1), "JournalCorrupt", Effect.die)
  if (first === undefined || first.body._tag !== "SessionOpened") return false
  const { body } = first
  if (body.agent === name && body.workspaceRoot === workspaceRoot) return true
  return yield* new KeyReused({ key, sessionId, agent: body.agent, workspaceRoot: body.workspaceRoot })
})

/** Returns false if another attempt came first. */
const insert = (store: SessionStore["Service"], facts: SessionFacts, sessionId: Session.SessionId) =>
  Effect.acquireUseRelease(
    store.acquire(sessionId),
    ({ epoch, treeId }) =>
      Effect.flatMap(store.now, (nowMillis) =>
        store.commit({
          treeId,
          epoch,
          durability: Durability.wholeSession,
          entries: [{ sessionId, expectedSeq: 0, labels: [], body: openedBody(facts, nowMillis) }],
          projections: [{ _tag: "SessionState", sessionId, state: "Suspended" }]
        })
      ).pipe(
        Effect.as(true),
        Effect.catchTag("LeafMoved", () => Effect.succeed(false))
      ),
    (lease) => Effect.ignore(store.release(lease))
  )
