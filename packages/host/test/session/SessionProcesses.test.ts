/** Processes of a session as servers see them. */
import { Sandbox } from "@bough/sandbox"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { tmpdir } from "node:os"
import { starter } from "../../src/session/SessionProcesses.ts"

describe("a process of a session", () => {
  it.live("is ended, with the reason, if it leaves its input unread", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<string>()
      const settings = {
        sandbox: { commands: {} },
        workspace: { root: tmpdir(), repositoryRoot: null, additionalDirectories: [] }
      }
      const start = starter(settings as never, Sandbox.make({ backend: "host" }, process.env), "language server")
      const { write } = yield* start(
        { command: "sleep", args: ["600"], env: {}, network: true, isUnconfined: true, limits: {} },
        { onOutput: () => {}, onEnd: (how) => Deferred.doneUnsafe(ended, Effect.succeed(how)) }
      )
      for (let written = 0; written <= 64; written++) write("x".repeat(1024 * 1024))
      assert.match(yield* Deferred.await(ended), /does not read its input/u)
    }).pipe(Effect.scoped)
  )
})
