/** A user of the gateway never acts as the server: not by an approval, not through the server's own variables. */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { select } from "../src/sessions/AgentVariables.ts"
import { untilApprovalIsAsked } from "./Approving.ts"
import { events } from "./Events.ts"
import * as Gateway from "./Gateway.ts"

describe("confinement", () => {
  it.live("an approved command does not run outside of the sandbox", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const directory = yield* Gateway.folder
        const proof = join(directory, "proof")
        const escalate = { to: "host", reason: "to see whether it can" }
        const scripted = yield* ScriptedModel.make([
          Reply.toolCall("run_command", { command: `echo out > ${proof}`, escalate }),
          Reply.text("I wait"),
          Reply.text("Over")
        ])
        const gateway = yield* Gateway.start({ model: () => scripted.model, dataDirectory: join(directory, "data") })
        const token = yield* Gateway.user(gateway, "acme/ada")
        const { approvalId, sessionId } = yield* untilApprovalIsAsked(gateway, token)
        const decided = yield* gateway.request(`/api/v1/approvals/${approvalId}/decision`, {
          token,
          body: { decision: "approve" }
        })
        assert.strictEqual(decided.status, 200, decided.text)
        const ended = yield* events(gateway, { token, sessionId }).pipe(
          Stream.filter(({ frame }) => frame._tag === "Entry" && frame.entry.body._tag === "CallEnded"),
          Stream.take(1),
          Stream.runCollect
        )
        assert.include(JSON.stringify(ended), "commands run in the sandbox alone here")
        assert.isFalse(existsSync(proof))
      })
    )
  )

  for (const config of [{ sandbox: "host" }, { approve: "commands" }]) {
    it.live(`the gateway does not start with ${JSON.stringify(config)}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const dataDirectory = yield* Gateway.folder
          mkdirSync(join(dataDirectory, "config", "bough"), { recursive: true })
          writeFileSync(join(dataDirectory, "config", "bough", "config.jsonc"), JSON.stringify(config))
          const exit = yield* Effect.exit(Gateway.start({ dataDirectory }))
          assert.isTrue(Exit.isFailure(exit))
          assert.include(String(exit), "would give every user the rights of the server")
        })
      )
    )
  }

  it("agents get the keys of models and the path, and no other variable of the server", () => {
    const input = {
      PATH: "/usr/bin",
      ANTHROPIC_API_KEY: "k",
      OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:1",
      DATABASE_URL: "postgres://secret",
      GITHUB_TOKEN: "t",
      BOUGH_GATEWAY_DATA: "/srv",
      MY_OPENAI_API_KEY: "x"
    }
    assert.deepStrictEqual(Object.keys(select(input)), ["PATH", "ANTHROPIC_API_KEY", "OPENAI_COMPATIBLE_BASE_URL"])
  })
})
