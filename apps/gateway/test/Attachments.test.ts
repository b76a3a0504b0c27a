/**
 * Files of a session over HTTP: uploaded within limits, typed by their bytes, stored and never rendered, counted to
 * quotas, and private to their user.
 */
import { Limits } from "@bough/gateway-api"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { commandLine } from "../src/accounts/AuditLog.ts"
import { TenantId } from "../src/accounts/Principal.ts"
import { Quotas } from "../src/accounts/Quotas.ts"
import { disposition } from "../src/files/DownloadResponse.ts"
import { untilReplied } from "./Events.ts"
import { download, pixel, upload } from "./Files.ts"
import * as Gateway from "./Gateway.ts"

const acme = TenantId.make("acme")

const started = Effect.fnUntraced(function* (replies: ReadonlyArray<Reply.Reply> = []) {
  const scripted = yield* ScriptedModel.make(replies)
  const gateway = yield* Gateway.start({ model: () => scripted.model })
  const token = yield* Gateway.user(gateway, "acme/ada")
  const created = yield* gateway.request("/api/v1/sessions", { token, body: {} })
  const sessionId: string = created.json.id
  const workspace = join(gateway.dataDirectory, "tenants", "acme", "workspaces", created.json.workspaceId)
  return { gateway, token, sessionId, workspace, scripted, files: `/api/v1/sessions/${sessionId}/attachments` }
})

const filesBelow = (folder: string): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((one) => (one.isFile() ? [one.name] : []))
    : []

describe("attachments", () => {
  it.live("have the type of their bytes, and are downloaded as files that no browser runs", () =>
    Effect.gen(function* () {
      const { files, gateway, token } = yield* started()
      const html = "<!doctype html><script>alert(1)</script>"
      const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
      for (const [name, body, mediaType] of [
        ["page.png", html, "text/plain; charset=utf-8"],
        ["picture.svg", svg, "application/octet-stream"],
        ["notes.html", pixel, "image/png"],
        ["empty", "", "text/plain; charset=utf-8"],
        ['ä "quoted".txt', "text", "text/plain; charset=utf-8"],
        ["bytes.txt", Buffer.from([1, 0, 255]), "application/octet-stream"]
      ] as const) {
        const sent = yield* upload(gateway, `${files}?name=${encodeURIComponent(name)}`, {
          token,
          body,
          headers: { "content-type": "application/octet-stream" }
        })
        assert.strictEqual(sent.status, 201, JSON.stringify(sent.json))
        assert.deepInclude(sent.json, { name, mediaType, bytes: Buffer.from(body).length })
        const got = yield* download(gateway, `${files}/${sent.json.id}/content`, token)
        assert.deepStrictEqual(got.bytes, Buffer.from(body))
        assert.strictEqual(got.headers.get("content-type"), mediaType)
        assert.strictEqual(got.headers.get("x-content-type-options"), "nosniff")
        assert.match(got.headers.get("content-security-policy") ?? "", /default-src 'none'; sandbox/u)
        assert.match(got.headers.get("content-disposition") ?? "", /^attachment; filename="/u)
      }
      const listed = yield* gateway.request(`${files}?limit=4`, { token })
      assert.lengthOf(listed.json.items, 4)
      const rest = yield* gateway.request(`${files}?limit=4&cursor=${listed.json.next}`, { token })
      assert.lengthOf(rest.json.items, 2)
      assert.isNull(rest.json.next)
    })
  )

  it("are named in a header without characters that would end it", () => {
    assert.strictEqual(
      disposition('a/b"; x\r\n.html'),
      "attachment; filename=\"b__ x__.html\"; filename*=UTF-8''b%22%3B%20x%0D%0A.html"
    )
    assert.include(disposition("ä'.txt"), "filename*=UTF-8''%C3%A4%27.txt")
  })

  it.live(
    "are refused by name, type and size, leave nothing behind, and are stored once per key",
    () =>
      Effect.gen(function* () {
        const { files, gateway, token } = yield* started()
        for (const name of [
          "",
          "..",
          "a/b",
          "a\\b",
          "a\nb",
          "\u202Egnp.exe",
          "a\u2066b",
          "x".repeat(Limits.limits.fileNameLength + 1)
        ]) {
          const refused = yield* upload(gateway, `${files}?name=${encodeURIComponent(name)}`, { token, body: "x" })
          assert.deepStrictEqual([refused.status, refused.json.code], [400, "invalid_request"], name)
        }
        const typed = yield* upload(gateway, `${files}?name=a`, {
          token,
          body: "x",
          headers: { "content-type": "application/json" }
        })
        assert.strictEqual(typed.status, 415)
        const large = new Uint8Array(Limits.limits.uploadBytes + 1)
        const announced = yield* upload(gateway, `${files}?name=a`, { token, body: large })
        assert.deepStrictEqual([announced.status, announced.json.code], [413, "payload_too_large"])
        // Without a Content-Length, the bytes themselves are counted.
        const unannounced = yield* upload(gateway, `${files}?name=a`, { token, body: new Blob([large]).stream() })
        assert.deepStrictEqual([unannounced.status, unannounced.json.code], [413, "payload_too_large"])
        assert.deepStrictEqual(filesBelow(join(gateway.dataDirectory, "tenants", "acme", "uploads")), [])
        const headers = { "idempotency-key": "one" }
        const first = yield* upload(gateway, `${files}?name=a`, { token, body: "same", headers })
        const again = yield* upload(gateway, `${files}?name=a`, { token, body: "same", headers })
        assert.deepStrictEqual([first.status, again.status, again.json], [201, 201, first.json])
        const other = yield* upload(gateway, `${files}?name=a`, { token, body: "other", headers })
        assert.deepStrictEqual([other.status, other.json.code], [409, "idempotency_key_reused"])
        assert.lengthOf(filesBelow(join(gateway.dataDirectory, "tenants", "acme", "attachments")), 1)
      }),
    thoroughOnly
  )

  it.live("count to the tenant's quotas, and release them with the file and with the session", () =>
    Effect.gen(function* () {
      const { files, gateway, sessionId, token } = yield* started()
      const quotas = Context.get(gateway.context, Quotas)
      yield* quotas.setLimits(acme, { attachments: 2, storage: 10 }, commandLine)
      const first = yield* upload(gateway, `${files}?name=a`, { token, body: "123456" })
      assert.strictEqual(first.headers.get("ratelimit"), '"storage";r=4, "attachments";r=1')
      const over = yield* upload(gateway, `${files}?name=b`, { token, body: "12345" })
      assert.deepStrictEqual([over.status, over.json.code, over.json.quota], [429, "quota_exceeded", "storage"])
      assert.strictEqual((yield* upload(gateway, `${files}?name=b`, { token, body: "1" })).status, 201)
      const third = yield* upload(gateway, `${files}?name=c`, { token, body: "1" })
      assert.deepStrictEqual([third.status, third.json.quota], [429, "attachments"])
      const removed = yield* gateway.request(`${files}/${first.json.id}`, { method: "DELETE", token })
      assert.strictEqual(removed.headers.get("ratelimit"), '"storage";r=9, "attachments";r=1')
      assert.strictEqual((yield* gateway.request(`${files}/${first.json.id}`, { token })).status, 404)
      yield* gateway.request(`/api/v1/sessions/${sessionId}`, { method: "DELETE", token })
      const used = (yield* quotas.usage(acme)).filter(
        ({ resource }) => resource === "storage" || resource === "attachments"
      )
      assert.deepStrictEqual(
        used.map(({ used }) => used),
        [0, 0]
      )
      assert.deepStrictEqual(filesBelow(join(gateway.dataDirectory, "tenants", "acme", "attachments")), [])
    })
  )

  it.live("reach the model: images as images, other files in the workspace, even if links are in the way", () =>
    Effect.gen(function* () {
      const { files, gateway, scripted, sessionId, token, workspace } = yield* started([
        Reply.text("Seen"),
        Reply.text("Again")
      ])
      const image = yield* upload(gateway, `${files}?name=cat.png`, { token, body: pixel })
      const table = yield* upload(gateway, `${files}?name=${encodeURIComponent("../my table.csv".slice(3))}`, {
        token,
        body: "a,b\n1,2\n"
      })
      const send = (body: unknown) => gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body })
      const sent = yield* send({ text: "Look", attachments: [image.json.id, table.json.id] })
      assert.strictEqual(sent.status, 202, sent.text)
      yield* untilReplied(gateway, { token, sessionId })
      const [asked] = yield* scripted.script.prompts
      const text = JSON.stringify(asked)
      assert.include(text, pixel.toString("base64"))
      const path = `attachments/${table.json.id.slice(-8)}-my_table.csv`
      assert.include(text, path)
      assert.strictEqual(readFileSync(join(workspace, path), "utf8"), "a,b\n1,2\n")
      const missing = yield* send({ text: "Look", attachments: ["att_none"] })
      assert.strictEqual(missing.status, 404)
      const fake = yield* send({ text: "Look", media: [{ mediaType: "image/png", data: "PHNjcmlwdD4=" }] })
      assert.deepStrictEqual([fake.status, fake.json.code], [422, "invalid_media"])
    })
  )

  it.live("do not leave the workspace by a link that a command made there", () =>
    Effect.gen(function* () {
      const { files, gateway, sessionId, token, workspace } = yield* started()
      const outside = join(gateway.dataDirectory, "outside")
      mkdirSync(outside)
      symlinkSync(outside, join(workspace, "attachments"))
      const table = yield* upload(gateway, `${files}?name=a.csv`, { token, body: "a" })
      const refused = yield* gateway.request(`/api/v1/sessions/${sessionId}/messages`, {
        token,
        body: { text: "Look", attachments: [table.json.id] }
      })
      assert.deepStrictEqual([refused.status, refused.json.code], [422, "attachment_refused"])
      assert.deepStrictEqual(readdirSync(outside), [])
    })
  )
})

describe("artifacts", () => {
  it.live(
    "of a session's calls are listed and downloaded unchanged",
    () =>
      Effect.gen(function* () {
        const { gateway, sessionId, token, workspace } = yield* started([
          Reply.toolCall("write_file", { path: "out/report.html", content: "<h1>Done</h1>" }),
          Reply.toolCall("run_command", { command: "seq 1 40000" }),
          Reply.text("Written")
        ])
        yield* gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text: "Write" } })
        yield* untilReplied(gateway, { token, sessionId })
        const artifacts = `/api/v1/sessions/${sessionId}/artifacts`
        const { json } = yield* gateway.request(artifacts, { token })
        const [file, ...others] = json.items
        assert.deepInclude(file, { kind: "file", name: "out/report.html", tool: "write_file", bytes: 13 })
        const got = yield* download(gateway, `${artifacts}/${file.id}`, token)
        assert.strictEqual(got.bytes.toString(), "<h1>Done</h1>")
        assert.strictEqual(got.headers.get("content-type"), "text/plain; charset=utf-8")
        assert.match(got.headers.get("content-disposition") ?? "", /^attachment; filename="report\.html"/u)
        for (const { id, kind } of others) {
          assert.include(["text", "output"], kind)
          const long = yield* download(gateway, `${artifacts}/${id}`, token)
          assert.strictEqual(long.status, 200)
          assert.include(long.bytes.toString(), "39999")
        }
        assert.isAbove(others.length, 0)
        const paged = yield* gateway.request(`${artifacts}?limit=1`, { token })
        assert.lengthOf(paged.json.items, 1)
        const second = yield* gateway.request(`${artifacts}?limit=1&fromSeq=${paged.json.nextSeq}`, { token })
        assert.strictEqual(second.json.items[0]?.id, others[0]?.id)
        symlinkSync("/etc/passwd", join(workspace, "link"))
        for (const id of [`${file.sequence}-file-9`, "0-output", "999999-text", "x"]) {
          assert.include([400, 404], (yield* gateway.request(`${artifacts}/${id}`, { token })).status, id)
        }
        writeFileSync(join(workspace, "out", "report.html"), "changed")
        assert.strictEqual((yield* gateway.request(`${artifacts}/${file.id}`, { token })).status, 404)
      }),
    thoroughOnly
  )
})
