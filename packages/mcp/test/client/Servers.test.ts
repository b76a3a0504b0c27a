/** Real servers in processes of their own: connected, listed, called, interrupted, lost and found again. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { thoroughOnly } from "../../../../test/thorough.ts"
import * as Servers from "../../src/client/Servers.ts"
import type { ServerConfig } from "../../src/ServerConfig.ts"
import { calling, until } from "../calling.ts"
import { ports, type Remembering, server, stdio } from "../World.ts"

const open = (world: Remembering, ...servers: ReadonlyArray<ServerConfig>) =>
  Effect.tap(Servers.make({ servers, workspaceRoot: process.cwd(), ports: world }), ({ settled }) => settled)

const sample = server("Sample-Server", stdio("stdio.ts"))

describe("Servers", () => {
  it.live("calls the tools of a process, and keeps their schemas", () =>
    Effect.gen(function* () {
      const world = ports()
      const servers = yield* open(world, sample)
      const [state] = servers.states()
      assert.deepStrictEqual([state?.status, state?.detail], ["connected", "sample 1.2.3"])
      assert.include([...servers.tools().keys()], "sample_server__add")
      const call = calling(servers)
      const added = yield* call("sample_server__add", { a: 2, b: 40 })
      assert.deepStrictEqual(added.output, { text: "42", structured: { sum: 42 } })
      assert.deepStrictEqual(call.schemaOf("sample_server__add")["properties"], {
        a: { type: "number" },
        b: { type: "number" }
      })
      assert.deepStrictEqual(call.tool("sample_server__add").tier, "System")
      assert.deepStrictEqual(world.notices, [])
    }).pipe(Effect.scoped)
  )

  it.live(
    "returns images as media, and names the parts that it drops",
    () =>
      Effect.gen(function* () {
        const servers = yield* open(ports(), sample)
        const { display, media, output } = yield* calling(servers)("sample_server__picture", {})
        assert.match(display, /^picture: \d+ characters, 1 image$/)
        assert.deepStrictEqual(
          media?.map(({ mediaType }) => mediaType),
          ["image/png"]
        )
        assert.strictEqual(output.text, "here it is\n[audio/wav, 3 bytes, is left out]\n[resource note://1]\nthe note")
      }).pipe(Effect.scoped),
    thoroughOnly
  )

  it.live(
    "lists and reads the resources of a server by two more tools",
    () =>
      Effect.gen(function* () {
        const servers = yield* open(ports(), sample)
        const call = calling(servers)
        const listed = yield* call("sample_server__list_resources", {})
        assert.strictEqual(listed.output.text, "poem://moon  poem  About the moon")
        const read = yield* call("sample_server__read_resource", { uri: "poem://moon" })
        assert.strictEqual(read.output.text, "[resource poem://moon]\nThe moon")
        const failure = yield* Effect.flip(call("sample_server__read_resource", { uri: "poem://sun" }))
        assert.match(failure.message, /not found/u)
      }).pipe(Effect.scoped),
    thoroughOnly
  )

  it.live("fails a call that the server fails, with the server's message", () =>
    Effect.gen(function* () {
      const servers = yield* open(ports(), sample)
      const failure = yield* Effect.flip(calling(servers)("sample_server__fail", {}))
      assert.deepStrictEqual([failure._tag, failure.message], ["ExecutionError", "no such issue"])
    }).pipe(Effect.scoped)
  )

  it.live("shows progress, and cancels the request of an interrupted call", () =>
    Effect.gen(function* () {
      const servers = yield* open(ports(), sample)
      const call = calling(servers)
      const running = yield* Effect.forkChild(call("sample_server__slow", {}))
      yield* until(() => call.progress.includes("25 a quarter"))
      yield* Fiber.interrupt(running)
      const result = yield* call("sample_server__cancelled", {})
      assert.strictEqual(result.output.text, "slow")
    }).pipe(Effect.scoped)
  )

  it.live(
    "adds the tools that a server adds",
    () =>
      Effect.gen(function* () {
        const servers = yield* open(ports(), sample)
        const call = calling(servers)
        const before = servers.revision()
        assert.isFalse(servers.tools().has("sample_server__late"))
        yield* call("sample_server__show_late", {})
        yield* until(() => servers.tools().has("sample_server__late"))
        assert.notStrictEqual(servers.revision(), before)
        assert.strictEqual((yield* call("sample_server__late", {})).output.text, "late")
      }).pipe(Effect.scoped),
    thoroughOnly
  )

  it.live("reports that a server ended in the middle of a call, and calls it again once it is back", () =>
    Effect.gen(function* () {
      const world = ports()
      const servers = yield* open(world, sample)
      const call = calling(servers)
      const failure = yield* Effect.flip(call("sample_server__die", {}))
      assert.include(failure.message, "exit code 7; whether the call had an effect is not known")
      assert.strictEqual((yield* call("sample_server__add", { a: 1, b: 1 })).output.text, "2")
    }).pipe(Effect.scoped)
  )

  it.live(
    "reports a dead server once, and nothing that blocks the others",
    () =>
      Effect.gen(function* () {
        const world = ports()
        const missing = server("missing", { ...stdio("stdio.ts"), command: "/no/such/program", args: [] })
        const servers = yield* open(world, server("dead", stdio("hostile.mjs", "dead")), missing, sample)
        assert.deepStrictEqual(
          servers.states().map(({ status }) => status),
          ["failed", "failed", "connected"]
        )
        assert.deepStrictEqual(
          world.notices.toSorted((one, other) => (one < other ? -1 : 1)),
          [
            "MCP server dead is unavailable and will be retried: its process ended with exit code 3: cannot find my key",
            "MCP server missing is unavailable and will be retried: spawn /no/such/program ENOENT"
          ]
        )
      }).pipe(Effect.scoped),
    thoroughOnly
  )

  it.live(
    "knows the cached tools of a server before it is connected",
    () =>
      Effect.gen(function* () {
        const texts = new Map<string, string>()
        yield* Effect.scoped(open(ports(texts), sample))
        const servers = yield* Servers.make({ servers: [sample], workspaceRoot: "/", ports: ports(texts) })
        assert.isTrue(servers.tools().has("sample_server__add"))
        assert.strictEqual(servers.states()[0]?.status, "connecting")
        // A call waits for the connection.
        assert.strictEqual((yield* calling(servers)("sample_server__add", { a: 3, b: 4 })).output.text, "7")
      }).pipe(Effect.scoped),
    thoroughOnly
  )

  it.effect("lets a first message wait for each server as long as its start may take", () =>
    Effect.gen(function* () {
      const stuck = ports(new Map(), { start: () => Effect.never })
      const quick = server("quick", stdio("stdio.ts"), { startMillis: null })
      const slow = server("slow", stdio("stdio.ts"), { startMillis: 60_000 })
      for (const [servers, seconds] of [
        [[quick], 5],
        [[quick, slow], 60]
      ] as const) {
        const { known } = yield* Servers.make({ servers, workspaceRoot: "/", ports: stuck })
        const waiting = yield* Effect.forkChild(known, { startImmediately: true })
        yield* TestClock.adjust((seconds - 1) * 1000)
        assert.isUndefined(waiting.pollUnsafe())
        yield* TestClock.adjust(1000)
        yield* Fiber.join(waiting)
      }
    }).pipe(Effect.scoped)
  )

  it.live("reports that a server did not start in its own time", () =>
    Effect.gen(function* () {
      const world = ports()
      const mute = server("mute", stdio("hostile.mjs", "mute"), { startMillis: 50 })
      const patient = server("patient", stdio("hostile.mjs", "mute"))
      const servers = yield* Servers.make({ servers: [mute, patient], workspaceRoot: "/", ports: world })
      yield* until(() => servers.states()[0]?.status === "failed")
      // With one limit for all, the other one would fail by then too.
      yield* Effect.sleep(500)
      assert.strictEqual(servers.states()[1]?.status, "connecting")
      assert.match(world.notices[0] ?? "", /^MCP server mute is unavailable and will be retried: .*timed out/iu)
      // A call of their tools has the reason; the name of no server has none.
      yield* servers.listed("mute__write")
      assert.match(servers.missing("mute__write") ?? "", /^the MCP server mute is unavailable: .*timed out/iu)
      assert.strictEqual(
        servers.missing("patient__write"),
        "the MCP server patient is unavailable: it is still being started"
      )
      assert.isNull(servers.missing("mut__write"))
    }).pipe(Effect.scoped)
  )

  it.live("ends its processes with the scope", () =>
    Effect.gen(function* () {
      const world = ports()
      yield* Effect.scoped(
        Effect.andThen(
          open(world, sample),
          Effect.sync(() => assert.strictEqual(world.running.size, 1))
        )
      )
      yield* until(() => world.running.size === 0)
    })
  )

  it.live("checks the top level of the arguments before a server sees them", () =>
    Effect.gen(function* () {
      const servers = yield* open(ports(), sample)
      const call = calling(servers)
      const wrong = yield* Effect.exit(call.decode("sample_server__add", { a: "two" }))
      assert.isTrue(Exit.isFailure(wrong))
      assert.match(String(wrong), /b/u)
    }).pipe(Effect.scoped)
  )
})
