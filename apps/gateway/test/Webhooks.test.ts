/** Webhooks: signed messages to real receivers, retried after failures and kills, and never to internal addresses. */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { ChildProcess } from "@bough/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as WebhookEvents from "../src/webhooks/WebhookEvents.ts"
import { untilApprovalIsAsked } from "./Approving.ts"
import { untilReplied } from "./Events.ts"
import * as Gateway from "./Gateway.ts"
import * as Receiver from "./Receiver.ts"

const start = ChildProcess.startBeside(import.meta.url)

const quick = { lookMillis: 20, retryMillis: [10, 20], answerMillis: 60_000 }
const hooks = "/api/v1/webhooks"

const serving = Effect.fnUntraced(function* (
  answer: Receiver.AnswerMessage,
  replies: ReadonlyArray<Reply.Reply> = [],
  settings: { readonly answerMillis?: number } = {}
) {
  const receiver = yield* Receiver.listen(answer)
  const scripted = yield* ScriptedModel.make(replies)
  const allow = [{ host: "127.0.0.1", port: receiver.port }]
  const gateway = yield* Gateway.start({ model: () => scripted.model, webhooks: { ...quick, ...settings, allow } })
  const token = yield* Gateway.user(gateway, "acme/ada")
  const create = (events: ReadonlyArray<string>) =>
    gateway.request(hooks, { token, body: { url: receiver.url, events } })
  return { gateway, token, receiver, create }
})

const settled = (gateway: Gateway.Gateway, token: string, id: string) =>
  gateway.request(`${hooks}/${id}/deliveries`, { token }).pipe(
    Effect.map(({ json }) => json.items as ReadonlyArray<Record<string, unknown>>),
    Effect.tap(() => Effect.sleep(10)),
    Effect.repeat({ until: (items) => items.length > 0 && items.every(({ state }) => state !== "pending") })
  )

describe("webhooks", () => {
  it.live("report approvals and ends of turns with a signature, and no earlier event", () =>
    Effect.gen(function* () {
      const { create, gateway, receiver, token } = yield* serving(Receiver.ok, [
        Reply.text("Before"),
        Reply.toolCall("write_file", { path: "AGENTS.md", content: "secret words" }),
        Reply.text("I wait")
      ])
      const old = (yield* gateway.request("/api/v1/sessions", { token, body: {} })).json.id as string
      yield* gateway.request(`/api/v1/sessions/${old}/messages`, { token, body: { text: "a" } })
      yield* untilReplied(gateway, { token, sessionId: old })
      const made = yield* create(["approval.requested", "turn.ended"])
      assert.strictEqual(made.status, 201, made.text)
      const { secret, webhook } = made.json
      const { approvalId, sessionId } = yield* untilApprovalIsAsked(gateway, token)
      const messages = yield* receiver.until(({ length }) => length >= 2)
      // Two messages of one session may overtake each other on their way.
      const [asked, ended] = messages.toSorted((a, b) => (a.json.type < b.json.type ? -1 : 1))
      assert.deepInclude(asked?.json.data, { approvalId, sessionId, tool: "write_file", tier: "Elevated" })
      assert.deepInclude(ended?.json, { type: "turn.ended" })
      assert.deepInclude(ended?.json.data, { sessionId, status: "completed", turn: 1 })
      for (const message of receiver.messages) {
        assert.strictEqual(message.headers["webhook-signature"], Receiver.signatureOf(message, secret))
        assert.notInclude(message.body, "secret words")
      }
      const log = yield* settled(gateway, token, webhook.id)
      assert.deepStrictEqual(
        log.map(({ attempts, lastStatus, state, type }) => [type, state, attempts, lastStatus].join(" ")).toSorted(),
        ["approval.requested delivered 1 204", "turn.ended delivered 1 204"]
      )
      assert.lengthOf(receiver.messages, 2)
    })
  )

  it.live("are retried with the same id after a 500, a timeout and a redirect, and then given up", () =>
    Effect.gen(function* () {
      const answer: Receiver.AnswerMessage = (response, { path }, index) => {
        if (path !== "/hook") return void response.writeHead(204).end()
        if (index === 0) return void response.writeHead(500).end("no")
        if (index === 1) return
        response.writeHead(302, { location: "/elsewhere" }).end()
      }
      const { create, gateway, receiver, token } = yield* serving(answer, [], { answerMillis: 2_000 })
      const { webhook } = (yield* create(["turn.ended"])).json
      const sent = yield* gateway.request(`${hooks}/${webhook.id}/test`, { token, body: {} })
      assert.strictEqual(sent.status, 202)
      const messages = yield* receiver.until(({ length }) => length >= 3)
      assert.deepStrictEqual(
        messages.map(({ id, path }) => [id, path]),
        Array.from({ length: 3 }, () => [sent.json.id, "/hook"])
      )
      const [delivery] = yield* settled(gateway, token, webhook.id)
      assert.deepInclude(delivery, { state: "failed", attempts: 3, lastStatus: 302, nextAttemptAtMillis: null })
    })
  )

  it.live("are delivered by the status of the answer, though its body is large or never ends", () =>
    Effect.gen(function* () {
      const { create, gateway, receiver, token } = yield* serving((response, _, index) => {
        response.writeHead(200).write("x".repeat(1_000_000))
        if (index === 0) response.end()
      })
      const { webhook } = (yield* create(["turn.ended"])).json
      for (const count of [1, 2]) {
        yield* gateway.request(`${hooks}/${webhook.id}/test`, { token, body: {} })
        yield* receiver.until(({ length }) => length >= count)
      }
      const log = yield* settled(gateway, token, webhook.id)
      assert.deepStrictEqual(
        log.map(({ attempts, lastStatus, state }) => [state, attempts, lastStatus].join(" ")),
        ["delivered 1 200", "delivered 1 200"]
      )
    })
  )

  it.live("of one slow receiver delay no other, and a removed one gets no more", () =>
    Effect.gen(function* () {
      const slow = yield* Receiver.listen(() => {})
      const gone = yield* Receiver.listen((response) => void response.writeHead(410).end())
      const { gateway, receiver, token } = yield* serving(Receiver.ok)
      const allow = [slow, gone, receiver].map(({ port }) => ({ host: "127.0.0.1", port }))
      const second = yield* Gateway.start({ webhooks: { ...quick, allow } })
      const ada = yield* Gateway.user(second, "acme/ada")
      const test = Effect.fnUntraced(function* (url: string) {
        const { json } = yield* second.request(hooks, { token: ada, body: { url, events: ["turn.ended"] } })
        yield* second.request(`${hooks}/${json.webhook.id}/test`, { token: ada, body: {} })
        return json.webhook.id as string
      })
      yield* test(slow.url)
      yield* slow.until(({ length }) => length === 1)
      yield* test(receiver.url)
      yield* receiver.until(({ length }) => length === 1)
      const ended = yield* test(gone.url)
      const [delivery] = yield* settled(second, ada, ended)
      assert.deepInclude(delivery, { state: "failed", attempts: 1, lastStatus: 410 })
      assert.isNumber((yield* second.request(`${hooks}/${ended}`, { token: ada })).json.disabledAtMillis)
      assert.strictEqual((yield* gateway.request(`${hooks}/${ended}`, { token })).status, 404)
    })
  )

  it.live("are created for no internal address, over https alone, and signed with both secrets after a rotation", () =>
    Effect.gen(function* () {
      const { create, gateway, receiver, token } = yield* serving(Receiver.ok)
      for (const url of [
        "https://127.0.0.1/x",
        "https://127.0.0.1:8443/x",
        "https://[::1]/x",
        "https://localhost/x",
        "https://169.254.169.254/latest/meta-data",
        "https://metadata.google.internal/x",
        "https://10.0.0.1/x",
        "https://192.168.0.1/x",
        "https://[::ffff:127.0.0.1]/x",
        "https://0x7f000001/x",
        "https://user:pass@example.org/x",
        "http://93.184.216.34/x",
        "https://93.184.216.34:22/x",
        `http://127.0.0.1:${receiver.port + 1}/x`,
        "file:///etc/passwd",
        "ftp://example.org/x",
        "x"
      ]) {
        const refused = yield* gateway.request(hooks, { token, body: { url, events: ["turn.ended"] } })
        assert.deepStrictEqual([refused.status, refused.json.code], [422, "webhook_url_refused"], url)
      }
      const { secret, webhook } = (yield* create(["session.ended"])).json
      const rotated = yield* gateway.request(`${hooks}/${webhook.id}/secret`, { token, body: {} })
      assert.notStrictEqual(rotated.json.secret, secret)
      yield* gateway.request(`${hooks}/${webhook.id}/test`, { token, body: {} })
      const [message] = yield* receiver.until(({ length }) => length === 1)
      const signatures = String(message?.headers["webhook-signature"]).split(" ")
      const expected =
        message === undefined ? [] : [rotated.json.secret, secret].map((one) => Receiver.signatureOf(message, one))
      assert.deepStrictEqual(signatures, expected)
      assert.notInclude((yield* gateway.request(hooks, { token })).text, "whsec_")
      assert.strictEqual((yield* gateway.request(`${hooks}/${webhook.id}`, { method: "DELETE", token })).status, 204)
      assert.deepStrictEqual((yield* gateway.request(hooks, { token })).json.items, [])
    })
  )

  it.live("are neither created for a name that is an internal address, nor sent once a name has become one", () =>
    Effect.gen(function* () {
      const names = new Map([
        ["127.0.0.1.names.test", "127.0.0.1"],
        ["10-0-0-1.names.test", "10.0.0.1"],
        ["metadata.names.test", "169.254.169.254"],
        ["mapped.names.test", "::ffff:127.0.0.1"],
        ["moving.names.test", "93.184.216.34"]
      ])
      const lookup = (host: string) => Effect.succeed([names.get(host) ?? "93.184.216.34"])
      // The name of an allowed address is not an allowed receiver.
      const allow = [{ host: "127.0.0.1", port: 443 }]
      const gateway = yield* Gateway.start({ webhooks: { ...quick, allow, lookup } })
      const token = yield* Gateway.user(gateway, "acme/ada")
      const create = (url: string) => gateway.request(hooks, { token, body: { url, events: ["turn.ended"] } })
      for (const host of [...names.keys()].filter((name) => name !== "moving.names.test")) {
        const refused = yield* create(`https://${host}/x`)
        assert.deepStrictEqual([refused.status, refused.json.code], [422, "webhook_url_refused"], host)
      }
      const { webhook } = (yield* create("https://moving.names.test/x")).json
      for (const address of ["127.0.0.1", "192.168.1.1", "169.254.169.254", "::1"]) {
        names.set("moving.names.test", address)
        const sent = (yield* gateway.request(`${hooks}/${webhook.id}/test`, { token, body: {} })).json.id
        const delivery = (yield* settled(gateway, token, webhook.id)).find(({ id }) => id === sent)
        assert.deepInclude(delivery, { state: "failed", lastStatus: null })
        assert.include(String(delivery?.["lastError"]), `moving.names.test is ${address}`)
      }
    })
  )

  it("report the ended turn of a Main, not calls, compactions and children", () => {
    const reply = (parts: ReadonlyArray<unknown>) =>
      ({ body: { _tag: "ModelReplied", turn: 2, completion: "complete", parts } }) as never
    const text = reply([{ _tag: "Text", text: "x" }])
    const idle = { isCompacting: false }
    const typeOf = (entry: never, kind: "Main" | "Branch", state = idle) =>
      WebhookEvents.fromEntry(entry, { kind }, state).event?.type ?? null
    assert.strictEqual(typeOf(text, "Main"), "turn.ended")
    assert.isNull(typeOf(text, "Branch"))
    assert.isNull(typeOf(reply([{ _tag: "ToolCall" }]), "Main"))
    assert.isNull(typeOf(text, "Main", { isCompacting: true }))
  })

  it.live(
    "are sent after a kill for every commit, each with one id",
    () =>
      Effect.gen(function* () {
        const directory = yield* Gateway.folder
        // The first answer never comes: the process is killed while it waits for it.
        const receiver = yield* Receiver.listen((response, _, index) => {
          if (index > 0) response.writeHead(204).end()
        })
        const allow = [{ host: "127.0.0.1", port: receiver.port }]
        const running = Effect.fnUntraced(function* (webhooks: object) {
          const child = yield* start("serve", [directory, JSON.stringify({ ...quick, ...webhooks, allow })])
          const line = yield* child.line
          assert.isNotNull(line, child.complaints())
          const [url = "", token = ""] = (line ?? "").split(" ")
          const post = (path: string, body: unknown) =>
            Effect.promise(() =>
              fetch(`${url}${path}`, {
                method: "POST",
                headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
                body: JSON.stringify(body)
              }).then(async (response) => (await response.json()) as { readonly id: string })
            )
          const turn = Effect.fnUntraced(function* (sessionId: string, text: string) {
            yield* post(`/api/v1/sessions/${sessionId}/messages`, { text })
          })
          return { child, gateway: { url } as Gateway.Gateway, token, post, turn }
        })
        // This process never reads the journals: the next one reports its commits.
        const first = yield* running({ lookMillis: 3_600_000 })
        yield* first.post(hooks, { url: receiver.url, events: ["turn.ended"] })
        const sessions: Array<string> = []
        for (const text of ["a", "b", "c"]) {
          const { id } = yield* first.post("/api/v1/sessions", {})
          sessions.push(id)
          yield* first.turn(id, text)
          yield* untilReplied(first.gateway, { token: first.token, sessionId: id })
        }
        yield* first.child.kill
        assert.lengthOf(receiver.messages, 0)
        // The message is free for the next process after twice this time.
        const second = yield* running({ answerMillis: 2_000 })
        yield* receiver.until(({ length }) => length === 1)
        yield* second.child.kill
        yield* running({})
        const messages = yield* receiver.until((all) => new Set(all.map(({ id }) => id)).size === 3 && all.length >= 4)
        // The message in flight comes again with its id, every other one once.
        assert.lengthOf(messages, 4)
        assert.lengthOf(
          messages.filter(({ id }) => id === messages[0]?.id),
          2
        )
        assert.deepStrictEqual(
          [...new Set(messages.map(({ json }) => String(json.data["sessionId"])))].toSorted(),
          sessions.toSorted()
        )
      }),
    thoroughOnly
  )
})
