/** Servers that misbehave: in their lists, in their answers, and in how they end. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { thoroughOnly } from "../../../../test/thorough.ts"
import * as Servers from "../../src/client/Servers.ts"
import type * as Form from "../../src/Form.ts"
import type { ServerConfig } from "../../src/ServerConfig.ts"
import { calling } from "../calling.ts"
import { endless } from "../servers/http.ts"
import { ports, type Remembering, server, stdio } from "../World.ts"

const hostile = (how: string, ...more: ReadonlyArray<string>): ServerConfig =>
  server(how, stdio("hostile.mjs", how, ...more))

const open = (config: ServerConfig, world: Remembering = ports()) =>
  Effect.tap(Servers.make({ servers: [config], workspaceRoot: "/", ports: world }), ({ settled }) => settled)

describe("hostile servers", () => {
  it.live("gets valid and unique names for its tools", () =>
    Effect.gen(function* () {
      const world = ports()
      const names = [...(yield* open(hostile("names"), world)).tools().keys()]
      assert.strictEqual(names.length, 6)
      assert.strictEqual(new Set(names).size, 6)
      for (const name of names) assert.match(name, /^names__[a-z0-9_]{1,57}$/u)
      // Three of its tools would be read_file in our letters: all of them get longer names.
      assert.deepStrictEqual(
        names.filter((name) => name.startsWith("names__read_file")).map((name) => name.length),
        [23, 23, 23]
      )
      assert.strictEqual(world.notices.length, 1)
      assert.match(world.notices[0] ?? "", /"Read File", "read\.file", "read-file" would have the same name/u)
    }).pipe(Effect.scoped)
  )

  it.live("cannot make a schema large, deep, endless, or refer elsewhere", () =>
    Effect.gen(function* () {
      const servers = yield* open(hostile("schemas"))
      const { schemaOf, tool } = calling(servers)
      for (const name of servers.tools().keys()) {
        const text = JSON.stringify(schemaOf(name))
        assert.isBelow(text.length, 300_000, name)
        assert.notInclude(text, "169.254")
        assert.notInclude(text, "dynamicRef")
      }
      assert.include(JSON.stringify(schemaOf("schemas__recursive")), "#/$defs/node")
      assert.include(tool("schemas__large").description, "is larger than 65536 bytes and is left out")
      assert.include(tool("schemas__deep").description, "is nested too deep")
    }).pipe(Effect.scoped)
  )

  it.live("lose the entries that are not tools, and keep the others", () =>
    Effect.gen(function* () {
      const servers = yield* open(hostile("entries"))
      assert.deepStrictEqual([...servers.tools().keys()], ["entries__bare", "entries__text", "entries__booleans"])
      const call = calling(servers)
      yield* call("entries__booleans", { any: [1] })
      assert.strictEqual((call.schemaOf("entries__text") as { readonly type?: unknown }).type, "object")
    }).pipe(Effect.scoped)
  )

  it.live("get a thousand tools offered, and the user hears that there are more", () =>
    Effect.gen(function* () {
      const world = ports()
      const servers = yield* open(hostile("many"), world)
      assert.strictEqual(servers.tools().size, 1000)
      assert.deepStrictEqual(world.notices, [
        "MCP server many lists more than 1000 tools: only the first 1000 are offered"
      ])
    }).pipe(Effect.scoped)
  )

  it.live("that change their list with every list are listed with pauses, and noticed once", () =>
    Effect.gen(function* () {
      const world = ports()
      const servers = yield* open(hostile("storm"), world)
      const before = servers.revision()
      yield* Effect.sleep(1500)
      // Without a pause there would be thousands.
      assert.isBelow(servers.revision() - before, 20)
      assert.lengthOf(world.notices, 1)
    }).pipe(Effect.scoped)
  )

  it.live("that list the same again change nothing", () =>
    Effect.gen(function* () {
      const memory = new Map<string, string>()
      yield* Effect.scoped(open(hostile("unknown"), ports(memory)))
      const servers = yield* open(hostile("unknown"), ports(memory))
      assert.strictEqual(servers.revision(), 1)
    }).pipe(Effect.scoped)
  )

  it.live("whose names are alike keep their own tools", () =>
    Effect.gen(function* () {
      const names = ["my.server", "my-server", "other"]
      const servers = yield* Servers.make({
        servers: names.map((name) => server(name, stdio("hostile.mjs", "unknown"))),
        workspaceRoot: "/",
        ports: ports()
      })
      yield* servers.settled
      const tools = [...servers.tools().keys()]
      assert.deepStrictEqual(new Set(tools).size, 3)
      assert.include(tools, "other__echo")
      assert.lengthOf(
        tools.filter((name) => /^my_server_[0-9a-f]{6}__echo$/u.test(name)),
        2
      )
      for (const name of tools) yield* calling(servers)(name, { text: "x" })
    }).pipe(Effect.scoped)
  )

  it.live("end a call at once with an answer that is malformed", () =>
    Effect.gen(function* () {
      const call = calling(yield* open(hostile("malformed")))
      for (const text of ["nothing", "error", "text"]) {
        const { message } = yield* Effect.flip(call("malformed__echo", { text }))
        assert.match(message, /its answer does not follow the protocol/u, text)
        assert.isBelow(message.length, 300)
      }
    }).pipe(Effect.scoped)
  )

  it.live("may answer several messages in a line", () =>
    Effect.gen(function* () {
      const { output } = yield* calling(yield* open(hostile("batch")))("batch__echo", { text: "x" })
      assert.strictEqual(output.text, "batched")
    }).pipe(Effect.scoped)
  )

  it.live("of another version of the protocol are reported as that", () =>
    Effect.gen(function* () {
      const world = ports()
      yield* open(hostile("ancient"), world)
      assert.match(world.notices[0] ?? "", /protocol version is not supported: 1999-01-01/u)
    }).pipe(Effect.scoped)
  )

  it.live("cannot control a terminal by a description, nor fill the prompt with it", () =>
    Effect.gen(function* () {
      const servers = yield* open(hostile("description"))
      const { description } = calling(servers).tool("description__weather")
      assert.isTrue(description.startsWith("MCP server description: Before anything else"))
      assert.isBelow(description.length, 2200)
      assert.notMatch(description, /[\p{Cc}\p{Cf}]/u)
    }).pipe(Effect.scoped)
  )

  it.live("need a new approval once a definition differs from the approved one", () =>
    Effect.acquireUseRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-mcp-"))),
      (directory) =>
        Effect.gen(function* () {
          const path = join(directory, "description")
          const texts = new Map<string, string>()
          const session = (use: (call: ReturnType<typeof calling>) => Effect.Effect<unknown, unknown>) =>
            Effect.scoped(
              Effect.flatMap(open(hostile("changing", path), ports(texts)), (servers) => use(calling(servers)))
            )
          const callError = (call: ReturnType<typeof calling>) =>
            Effect.map(call.classify("changing__pay"), ({ everyTime }) => everyTime !== undefined)
          const pay = { text: "now" }
          yield* session((call) =>
            Effect.gen(function* () {
              assert.isFalse(yield* callError(call))
              yield* call("changing__pay", pay)
              assert.isFalse(yield* callError(call))
            })
          )
          const first = yield* Effect.scoped(
            Effect.map(
              open(hostile("changing", path), ports(texts)),
              (servers) => calling(servers).tool("changing__pay").version
            )
          )
          writeFileSync(path, "Pays all to me")
          // The session has the former definition until the server is connected.
          yield* Effect.scoped(
            Effect.gen(function* () {
              const changing = hostile("changing", path)
              const servers = yield* Servers.make({ servers: [changing], workspaceRoot: "/", ports: ports(texts) })
              const call = calling(servers)
              assert.strictEqual(call.tool("changing__pay").version, first)
              const { message } = yield* Effect.flip(call("changing__pay", pay))
              assert.include(message, "is not the one by which this call was decided, so it was not run")
            })
          )
          yield* session((call) =>
            Effect.gen(function* () {
              assert.isTrue(yield* callError(call))
              // An approval of the former definition has another version, and lapses.
              assert.notStrictEqual(call.tool("changing__pay").version, first)
              yield* call("changing__pay", pay)
              assert.isFalse(yield* callError(call))
            })
          )
        }),
      (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
    )
  )

  it.live("can answer a request once, and no request of another", () =>
    Effect.gen(function* () {
      const call = calling(yield* open(hostile("unknown")))
      assert.strictEqual((yield* call("unknown__echo", { text: "a" })).output.text, "first")
      assert.strictEqual((yield* call("unknown__echo", { text: "a" })).output.text, "first")
    }).pipe(Effect.scoped)
  )

  it.live(
    "that send an endless message are ended, with the reason",
    () =>
      Effect.gen(function* () {
        const call = calling(yield* open(hostile("flood")))
        const { message } = yield* Effect.flip(call("flood__flood", {}))
        assert.include(message, "it sent a message of more than 33554432 characters")
      }).pipe(Effect.scoped),
    thoroughOnly
  )

  it.live("that report progress without pause are heard a few times, the last time included", () =>
    Effect.gen(function* () {
      const call = calling(yield* open(hostile("progress")))
      yield* call("progress__echo", { text: "x" })
      assert.strictEqual(call.progress.at(-1), "5000 step")
      // The write arrives in parts, each of which may take a while; without a bound there would be thousands.
      assert.isBelow(call.progress.length, 100)
    }).pipe(Effect.scoped)
  )

  it.live("that ask for input again and again are declined, until their next call", () =>
    Effect.gen(function* () {
      let shown = 0
      const elicit = () => Effect.sync((): Form.Reply => ((shown += 1), { _tag: "Declined" }))
      const world = ports(new Map(), { elicit })
      const call = calling(yield* open(hostile("forms"), world))
      const { output } = yield* call("forms__ask", {})
      assert.strictEqual(output.text, Array.from({ length: 50 }, () => "decline").join(","))
      assert.strictEqual(shown, 20)
      assert.lengthOf(world.notices, 1)
      assert.match(world.notices[0] ?? "", /asked for input, which was declined: it asked too often/u)
      yield* call("forms__ask", {})
      assert.strictEqual(shown, 40)
    }).pipe(Effect.scoped)
  )

  it.live.each([["text/event-stream"], ["application/json"]])(
    "that send an endless message by HTTP are ended (%s)",
    ([type]) =>
      Effect.gen(function* () {
        const remote = yield* Effect.acquireRelease(
          Effect.promise(() => endless(type)),
          (running) => Effect.promise(() => running.close())
        )
        const http = { _tag: "Http", url: remote.url, headers: {}, protocol: "Streamable" } as const
        const call = calling(yield* open(server("Remote", http)))
        const { message } = yield* Effect.flip(call("remote__add", { a: 1, b: 2 }))
        assert.match(message, /it sent a message of more than 33554432 bytes|Connection closed/u)
      }).pipe(Effect.scoped)
  )

  it.live("that never answer block nothing", () =>
    Effect.gen(function* () {
      const servers = yield* Servers.make({ servers: [hostile("mute")], workspaceRoot: "/", ports: ports() })
      assert.deepStrictEqual([servers.states()[0]?.status, servers.tools().size], ["connecting", 0])
    }).pipe(Effect.scoped)
  )

  it.live(
    "with a result of a million characters are truncated to the requested size",
    () =>
      Effect.gen(function* () {
        const servers = yield* Effect.tap(
          Servers.make({ servers: [server("sample", stdio("stdio.ts"))], workspaceRoot: "/", ports: ports() }),
          ({ settled }) => settled
        )
        const { output } = yield* calling(servers)("sample__huge", {})
        assert.strictEqual(output.text.length, 1_000_000)
        assert.strictEqual(calling(servers).tool("sample__huge").maxModelBytes, 16 * 1024)
      }).pipe(Effect.scoped),
    thoroughOnly
  )
})
