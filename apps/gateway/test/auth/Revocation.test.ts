/** A revoked credential: its open streams and its next request, when the command line of another process revokes it. */
import { ChildProcess } from "@bough/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { fileURLToPath } from "node:url"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { events } from "../Events.ts"
import * as Gateway from "../Gateway.ts"

const program = fileURLToPath(new URL("../../src/bin/bough-gateway.ts", import.meta.url))

describe("revocation", () => {
  it.live(
    "by another process ends the open streams of the credential and no others",
    () =>
      Effect.gen(function* () {
        const gateway = yield* Gateway.start()
        const [revoked, other] = [yield* Gateway.user(gateway, "acme/ann"), yield* Gateway.user(gateway, "acme/ann")]
        const session = (yield* gateway.request("/api/v1/sessions", { token: other, body: {} })).json.id as string
        const [ended, open] = yield* Effect.forEach([revoked, other], (token) =>
          Effect.forkChild(Stream.runDrain(events(gateway, { token, sessionId: session })))
        )
        const child = yield* ChildProcess.start(program, [
          "token",
          "revoke",
          revoked.split("_")[2],
          "--data",
          gateway.dataDirectory
        ])
        assert.include(
          yield* ChildProcess.lines(child),
          `revoked ${revoked.split("_")[2]}; its open streams end within a second`
        )
        yield* Fiber.join(ended)
        assert.strictEqual((yield* gateway.request("/api/v1/sessions", { token: revoked })).status, 401)
        assert.strictEqual((yield* gateway.request("/api/v1/sessions", { token: other })).status, 200)
        assert.isUndefined(open.pollUnsafe())
        yield* Fiber.interrupt(open)
      }),
    thoroughOnly
  )
})
