/** The requests that reach a program's `approve`, and the verdicts that its answers become. */
import type { Call } from "@bough/dispatch"
import { type Approval, Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as CallbackGate from "../src/CallbackGate.ts"
import type { Approve } from "../src/Options.ts"

const sessionPath = [Session.SessionId.make("session-1")]
const preview: Approval.Preview = { render: "reach http://a.test/", preconditions: [] }
const url = "http://a.test/x"

/** The parts of a call of which requests are made. */
const call = {
  toolCallId: Session.ToolCallId.make("call-1"),
  tool: { name: "run_command", version: 1 },
  tier: "Elevated",
  canonicalArguments: "{}",
  argumentsDigest: "sha256:0",
  newHost: null
} as unknown as Call.AssessedCall

/** Asks about a host; records the requests. */
const ask = (approve: Approve | undefined) =>
  Effect.gen(function* () {
    const approvalRequests: Array<Approval.Request> = []
    const recorded: Approve | undefined = approve && ((request) => (approvalRequests.push(request), approve(request)))
    const gate = CallbackGate.make(recorded, sessionPath)
    const question = { preview, reason: "no rule lets commands reach it", url, everyTime: false }
    const verdict = yield* gate.askHost?.(call, question) ?? Effect.die("no askHost")
    return { asked: approvalRequests, verdict }
  })

describe("CallbackGate", () => {
  it.effect("asks about a host that a running command tries to reach, and returns the answer", () =>
    Effect.gen(function* () {
      const { asked, verdict } = yield* ask(() => true)
      assert.strictEqual(verdict._tag, "Approved")
      assert.deepStrictEqual(
        asked.map(({ preview: shown, reaches, reason, tool }) => [shown, reaches, reason, tool]),
        [[preview, url, "no rule lets commands reach it", "run_command"]]
      )
      assert.strictEqual(asked[0].expiresAtMillis - asked[0].askedAtMillis, 7 * 24 * 3_600_000)
      for (const answer of [false, { denied: "not today" }]) {
        const { verdict: denied } = yield* ask(() => answer)
        assert.deepStrictEqual(denied._tag === "Denied" && denied.decision, {
          _tag: "Denied",
          words: answer === false ? null : "not today"
        })
      }
    })
  )

  it.effect("does not approve a host without an approver, or by any other answer", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* ask(undefined)).verdict, {
        _tag: "Unasked",
        reason: "no approver is configured: pass approve to open or to the call"
      })
      const broken: ReadonlyArray<Approve> = [
        () => "yes" as never,
        () => 1 as never,
        () => null as never,
        () => ({ approved: true }) as never,
        () => Promise.reject(new Error("the window was closed"))
      ]
      for (const approve of broken) {
        const { verdict } = yield* ask(approve)
        assert.strictEqual(verdict._tag === "Denied" && verdict.decision._tag, "Withdrawn")
      }
    })
  )
})
