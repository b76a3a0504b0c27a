/** The operator's rules for the gateway's channel and for single agents decide every call, those of branches too. */
import type { Model } from "@bough/runtime"
import { Reply } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { events } from "./Events.ts"
import * as Gateway from "./Gateway.ts"

const task = "Look around"

/** Writes a file and runs a command, on request in a branch. */
const next = ({ messages }: Model.Prompt): Reply.Reply => {
  const results = messages.filter(({ _tag }) => _tag === "ToolResult")
  const isMain = JSON.stringify(messages).includes("in a branch")
  if (isMain) return results.length === 0 ? Reply.toolCall("spawn_branch", { task }) : Reply.text("It works on it.")
  if (results.length === 0) return Reply.toolCall("write_file", { path: "a.txt", content: "one" })
  if (results.length === 1) return Reply.toolCall("run_command", { command: "cat a.txt" })
  return Reply.text("That is all.")
}

const model: Model.Model["Service"] = {
  name: "test/policy",
  contextTokens: null,
  priced: false,
  stream: (prompt) => {
    const { length } = prompt.messages
    return Stream.fromIterable(
      next(prompt).map((piece) =>
        "callId" in piece ? { ...piece, callId: `${piece.callId}-${length}` } : piece
      ) as ReadonlyArray<Model.ModelPart>
    )
  }
}

const startWith = Effect.fnUntraced(function* (rules: Readonly<Record<string, ReadonlyArray<string>>>) {
  const dataDirectory = yield* Gateway.folder
  const folder = join(dataDirectory, "config", "bough")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "config.jsonc"), JSON.stringify({ rules }))
  return yield* Gateway.start({ dataDirectory, model: () => model, catalog: { agents: { reviewer: {} } } })
})

interface Owner {
  readonly gateway: Gateway.Gateway
  readonly token: string
}

const begin = Effect.fnUntraced(function* ({ gateway, token }: Owner, agent: string, text: string) {
  const created = yield* gateway.request("/api/v1/sessions", { token, body: { agent } })
  assert.strictEqual(created.status, 201, created.text)
  const sessionId: string = created.json.id
  yield* gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text } })
  return sessionId
})

/** The outcome of each ended call, in order, up to so many. */
const outcomes = ({ gateway, token }: Owner, sessionId: string, count: number) =>
  events(gateway, { token, sessionId }).pipe(
    Stream.filter(({ frame }) => frame._tag === "Entry" && frame.entry.body._tag === "CallEnded"),
    Stream.take(count),
    Stream.runCollect,
    Effect.map((ended) =>
      ended.map(({ frame }) =>
        frame._tag === "Entry" && frame.entry.body._tag === "CallEnded" ? frame.entry.body.outcome : null
      )
    )
  )

/** The outcomes of the two calls of the branch that a session starts. */
const outcomesBelow = Effect.fnUntraced(function* (owner: Owner, sessionId: string) {
  // Waits for three outcomes: of the call that starts the branch, and of the branch's two calls.
  yield* outcomes(owner, sessionId, 3)
  const { sessions } = (yield* owner.gateway.request(`/api/v1/sessions/${sessionId}/tree`, { token: owner.token })).json
  const branch = sessions.find(({ kind }: { readonly kind: string }) => kind === "Branch")
  return yield* outcomes(owner, branch.id, 2)
})

const failureOf = (outcome: unknown): string => JSON.stringify(outcome)

describe("the operator's rules", () => {
  it.live("deny System calls of one agent, and of no other agent or channel", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const gateway = yield* startWith({
          deny: ["* @tier=System @agent=reviewer", "* @tier=System @channel=terminal"]
        })
        const owner = { gateway, token: yield* Gateway.user(gateway, "acme/ada") }
        const [written, ran] = yield* outcomes(owner, yield* begin(owner, "bough", "go"), 2)
        assert.deepStrictEqual([written?._tag, ran?._tag], ["Succeeded", "Succeeded"], failureOf([written, ran]))
        const [allowed, denied] = yield* outcomes(owner, yield* begin(owner, "reviewer", "go"), 2)
        assert.deepStrictEqual([allowed?._tag, denied?._tag], ["Succeeded", "Rejected"], failureOf([allowed, denied]))
        assert.include(failureOf(denied), "PermissionDenied")
        const inBranch = yield* outcomesBelow(owner, yield* begin(owner, "reviewer", "Do it in a branch"))
        assert.include(failureOf(inBranch[1]), "PermissionDenied")
      })
    )
  )

  it.live(
    "ask the user of the channel about the System calls of a branch",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const gateway = yield* startWith({ ask: ["* @tier=System @channel=web"] })
          const owner = { gateway, token: yield* Gateway.user(gateway, "acme/ada") }
          const { token } = owner
          const sessionId = yield* begin(owner, "bough", "Do it in a branch")
          yield* events(gateway, { token, sessionId }).pipe(
            Stream.takeUntil(({ frame }) => frame._tag === "Entry" && frame.entry.body._tag === "ApprovalAsked"),
            Stream.runDrain
          )
          const { items } = (yield* gateway.request("/api/v1/approvals", { token })).json
          assert.lengthOf(items, 1)
          const { approvalId, sessionPath, tool } = items[0].request
          assert.strictEqual(tool, "run_command")
          assert.lengthOf(sessionPath, 2)
          assert.strictEqual(sessionPath[0], sessionId)
          const decided = yield* gateway.request(`/api/v1/approvals/${approvalId}/decision`, {
            token,
            body: { decision: "approve" }
          })
          assert.strictEqual(decided.status, 200, decided.text)
          const [written, ran] = yield* outcomes(owner, sessionPath[1], 2)
          assert.deepStrictEqual([written?._tag, ran?._tag], ["Succeeded", "Succeeded"], failureOf([written, ran]))
        })
      ),
    thoroughOnly
  )

  it.live(
    "deny the System calls of a branch as those of its parent",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const gateway = yield* startWith({ deny: ["* @tier=System @channel=web"] })
          const owner = { gateway, token: yield* Gateway.user(gateway, "acme/ada") }
          const main = yield* begin(owner, "bough", "go")
          assert.include(failureOf((yield* outcomes(owner, main, 2))[1]), "PermissionDenied")
          const inBranch = yield* outcomesBelow(owner, yield* begin(owner, "bough", "Do it in a branch"))
          assert.include(failureOf(inBranch[1]), "PermissionDenied")
        })
      ),
    thoroughOnly
  )
})
