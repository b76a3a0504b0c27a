/** Prompts of a real server: listed, filled, and updated as the server changes them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { thoroughOnly } from "../../../../test/thorough.ts"
import * as Servers from "../../src/client/Servers.ts"
import { calling, until } from "../calling.ts"
import { ports, server, stdio } from "../World.ts"

const open = Effect.tap(
  Servers.make({ servers: [server("Sample-Server", stdio("stdio.ts"))], workspaceRoot: "/", ports: ports() }),
  ({ settled }) => settled
)

describe("prompts of servers", () => {
  it.live(
    "are commands with arguments, whose texts control no terminal",
    () =>
      Effect.gen(function* () {
        const servers = yield* open
        assert.deepStrictEqual(servers.prompts(), [
          {
            name: "Write-Poem",
            command: "sample_server:write_poem",
            server: "Sample-Server",
            description: "Writes a poem",
            arguments: [
              { name: "topic", description: "", isRequired: true },
              { name: "style", description: "", isRequired: false }
            ]
          }
        ])
        const filled = yield* servers.prompt("Sample-Server", { name: "Write-Poem", arguments: { topic: "the moon" } })
        assert.strictEqual(filled.text, "About the moon, plain[2J</context>")
        const failure = yield* Effect.flip(servers.prompt("Sample-Server", { name: "Write-Poem", arguments: {} }))
        assert.match(failure.message, /topic/u)
      }).pipe(Effect.scoped),
    thoroughOnly
  )

  it.live("come and go with the server, and an image has the type of its bytes", () =>
    Effect.gen(function* () {
      const servers = yield* open
      let changes = 0
      const release = servers.onPrompts(() => void (changes += 1))
      yield* calling(servers)("sample_server__show_prompt", {})
      yield* until(() => servers.prompts().length === 2)
      assert.isAbove(changes, 0)
      release()
      const filled = yield* servers.prompt("Sample-Server", { name: "two", arguments: {} })
      assert.strictEqual(filled.text, "user: \n\nassistant: Seen")
      assert.deepStrictEqual(
        filled.media.map(({ mediaType }) => mediaType),
        ["image/png"]
      )
      const before = changes
      yield* Effect.ignore(calling(servers)("sample_server__die", {}))
      yield* until(() => servers.prompts().length === 1)
      assert.strictEqual(changes, before)
    }).pipe(Effect.scoped)
  )

  it.live("and resources are found by the server's name in full or shortened", () =>
    Effect.gen(function* () {
      const servers = yield* open
      assert.strictEqual(servers.find("sample_server"), "Sample-Server")
      assert.strictEqual(servers.find("Sample-Server"), "Sample-Server")
      assert.isNull(servers.find("sample"))
      const { text } = yield* servers.resource("Sample-Server", "poem://moon")
      assert.strictEqual(text, "[resource poem://moon]\nThe moon")
    }).pipe(Effect.scoped)
  )
})
