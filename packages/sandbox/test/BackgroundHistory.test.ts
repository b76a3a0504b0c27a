/** The registry of background commands without a sandbox: how many ended commands it remembers. */
import { Session } from "@bough/protocol"
import { SampleInvocation } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { BackgroundCommands } from "../src/index.ts"

const treeId = Session.SessionId.make("session")
const call = { ...SampleInvocation.make({ sessionId: treeId }), admit: null, mark: () => {} }
const ended = { exitCode: 0, signal: null, stdout: "", stderr: "", omittedBytes: 0, elapsedMillis: 0 }

describe("the registry of commands", () => {
  it.effect("forgets the oldest ended commands beyond 64, and never a running one", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const background = yield* BackgroundCommands.make
        const runs = background.forCall(call, ({ invoke }) =>
          invoke === "serve" ? Effect.never : Effect.succeed(ended)
        )
        const first = yield* runs.start("serve", {})
        for (let n = 0; n < 70; n++) {
          yield* runs.start("true", {})
          yield* Effect.yieldNow
        }
        const ids = background.list(treeId).map(({ commandId }) => commandId)
        assert.lengthOf(ids, 64)
        assert.include(ids, first.commandId)
        assert.include(ids, "cmd-71")
        assert.notInclude(ids, "cmd-2")
        assert.match((yield* Effect.flip(background.output(treeId, "cmd-2"))).message, /there is no command "cmd-2"/u)
      })
    )
  )
})
