/**
 * Requests of a real server for input of the user: shown as data, answered, declined without a user or a running call.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Elicitation from "../../src/client/Elicitation.ts"
import type { Ports } from "../../src/client/Ports.ts"
import * as Servers from "../../src/client/Servers.ts"
import * as Form from "../../src/Form.ts"
import { calling, until } from "../calling.ts"
import { ports, server, stdio } from "../World.ts"

const open = Effect.fnUntraced(function* (more: Partial<Ports>) {
  const world = ports(new Map(), more)
  const servers = yield* Servers.make({
    servers: [server("Sample", stdio("stdio.ts"))],
    workspaceRoot: "/",
    ports: world
  })
  yield* servers.settled
  const call = calling(servers)
  const ask = (kind: string) =>
    Effect.map(call("sample__ask", { kind }), ({ output }): unknown => JSON.parse(output.text))
  return { ask, call, world }
})

const accepting = (values: Readonly<Record<string, Form.Value>>, shown: Array<Form.Request> = []) => ({
  elicit: (request: Form.Request) =>
    Effect.sync((): Form.Reply => {
      shown.push(request)
      return { _tag: "Accepted", values }
    })
})

describe("elicitation", () => {
  it.live("shows the fields of a request with the server's name, and sends the values", () =>
    Effect.gen(function* () {
      const shown: Array<Form.Request> = []
      const { ask } = yield* open(accepting({ dish: "cake", count: 2 }, shown))
      assert.deepStrictEqual(yield* ask("order"), { action: "accept", content: { dish: "cake", count: 2 } })
      const [request] = shown
      assert.deepInclude(request, { _tag: "Form", server: "Sample", message: "What will it be?[2J", asksSecret: false })
      assert.deepStrictEqual(
        request?._tag === "Form" && request.fields.map(({ _tag, isRequired, title }) => [_tag, title, isRequired]),
        [
          ["One", "Dish[31m", true],
          ["Number", "count", true],
          ["Boolean", "hot", false],
          ["Text", "note", false]
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.live("fills in defaults of empty fields", () =>
    Effect.gen(function* () {
      const { ask } = yield* open(accepting({}))
      assert.deepStrictEqual(yield* ask("name"), { action: "accept", content: { name: "Ada" } })
    }).pipe(Effect.scoped)
  )

  it.live("marks likely secrets, and accepts only pages of the web", () =>
    Effect.gen(function* () {
      const shown: Array<Form.Request> = []
      const { ask, world } = yield* open(accepting({ api_key: "x" }, shown))
      yield* ask("secret")
      assert.deepInclude(shown[0], { asksSecret: true })
      assert.deepStrictEqual(yield* ask("page"), { action: "accept" })
      assert.deepInclude(shown[1], { _tag: "Page", url: "https://example.com/sign-in?x=1" })
      assert.deepStrictEqual(yield* ask("script"), { action: "decline" })
      assert.lengthOf(shown, 2)
      assert.match(world.notices.at(-1) ?? "", /not an http or https address/u)
    }).pipe(Effect.scoped)
  )

  it.live("is declined at once without a user, while another is open, and when no call runs", () =>
    Effect.gen(function* () {
      const headless = yield* open({})
      assert.deepStrictEqual(yield* headless.ask("name"), { action: "decline" })
      assert.match(headless.world.notices[0] ?? "", /Sample asked for input, which was declined: no user/u)

      const opened = yield* Deferred.make<void>()
      const answered = yield* Deferred.make<Form.Reply>()
      const elicit = () => Effect.andThen(Deferred.succeed(opened, undefined), Deferred.await(answered))
      const { ask, call, world } = yield* open({ elicit })
      const first = yield* Effect.forkChild(ask("name"))
      yield* Deferred.await(opened)
      assert.deepStrictEqual(yield* ask("name"), { action: "decline" })
      yield* Deferred.succeed(answered, { _tag: "Cancelled" })
      assert.deepStrictEqual(yield* Fiber.join(first), { action: "cancel" })
      yield* call("sample__ask_later", {})
      yield* until(() => world.notices.some((notice) => notice.includes("no call of it runs")))
    }).pipe(Effect.scoped)
  )

  it("truncates a request that is too long to show", () => {
    const read = (properties: Readonly<Record<string, unknown>>) =>
      Elicitation.read("s", {
        mode: "form",
        message: "m",
        requestedSchema: { type: "object", properties: properties as never }
      })
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, { type: "string" }]))
    assert.match(JSON.stringify(read(many)), /21 fields/u)
    assert.match(JSON.stringify(read({ deep: { type: "object", properties: {} } })), /cannot be shown/u)
    const options = { type: "string", enum: Array.from({ length: 101 }, (_, index) => `${index}`) }
    assert.match(JSON.stringify(read({ options })), /cannot be shown/u)
  })

  it("accepts valid values, and reports invalid ones", () => {
    const request = Elicitation.read("s", {
      mode: "form",
      message: "m",
      requestedSchema: {
        type: "object",
        properties: {
          mail: { type: "string", format: "email", minLength: 3 },
          share: { type: "number", minimum: 0, maximum: 1 },
          sure: { type: "boolean" },
          tags: {
            type: "array",
            items: {
              anyOf: [
                { const: "a", title: "Alpha" },
                { const: "b", title: "Beta" }
              ]
            },
            maxItems: 1
          }
        } as never,
        required: ["mail"]
      }
    })
    const fields = typeof request === "object" && request._tag === "Form" ? request.fields : []
    const parse = (name: string, text: string): unknown => {
      const field = fields.find((one) => one.name === name)
      const parsed = field === undefined ? null : Form.parse(field, text)
      return parsed?._tag === "Value" ? parsed.value : parsed?._tag === "Fault" ? parsed.fault : null
    }
    assert.deepStrictEqual(
      [parse("mail", "a@b.c"), parse("share", "0.5"), parse("sure", "no"), parse("tags", "Beta"), parse("share", "")],
      ["a@b.c", 0.5, false, ["b"], null]
    )
    assert.deepStrictEqual(
      [parse("mail", "a b"), parse("mail", ""), parse("share", "2"), parse("sure", "maybe"), parse("tags", "1,2")],
      ["that is not a valid email", "mail is needed", "at most 1", "write yes or no", "choose at most 1"]
    )
  })
})
