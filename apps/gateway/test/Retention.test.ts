/** Retention: archived sessions are deleted after their tenant's retention period, with all their data. */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Retention from "../src/operations/Retention.ts"
import { untilReplied } from "./Events.ts"
import { upload } from "./Files.ts"
import * as Gateway from "./Gateway.ts"

/** Shorter than the time between two steps of a test. */
const noTime = 1e-9

const filesBelow = (folder: string): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((one) => (one.isFile() ? [one.name] : []))
    : []

describe("retention", () => {
  it.live("deletes archived sessions with their attachments, workspace, snapshots and messages, and no others", () =>
    Effect.gen(function* () {
      const replies = (text: string) => [
        Reply.toolCall("write_file", { path: "a.txt", content: "a" }),
        Reply.text(text)
      ]
      const scripted = yield* ScriptedModel.make([...replies("The zebra sleeps"), ...replies("A zebra eats grass")])
      const gateway = yield* Gateway.start({ model: () => scripted.model })
      const tenant = join(gateway.dataDirectory, "tenants", "acme")
      const token = yield* Gateway.user(gateway, "acme/ada")
      const make = Effect.fnUntraced(function* () {
        const sessionId = (yield* gateway.request("/api/v1/sessions", { token, body: {} })).json.id as string
        yield* upload(gateway, `/api/v1/sessions/${sessionId}/attachments?name=a`, { token, body: "a" })
        yield* gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text: "Tell me" } })
        yield* untilReplied(gateway, { token, sessionId })
        return sessionId
      })
      const [kept, archived] = [yield* make(), yield* make()]
      const search = Effect.map(
        gateway.request("/api/v1/sessions/search?text=zebra", { token }),
        ({ json }) => json.items.map(({ sessionId }: { sessionId: string }) => sessionId).toSorted() as Array<string>
      )
      assert.deepStrictEqual(yield* search, [kept, archived].toSorted())
      yield* gateway.request(`/api/v1/sessions/${archived}`, { method: "PATCH", token, body: { archived: true } })
      const run = (settings: Retention.RetentionSettings) =>
        Effect.provideContext(Retention.run(settings), gateway.context)
      const status = Effect.map(gateway.request(`/api/v1/sessions/${archived}`, { token }), ({ status }) => status)
      yield* run({ days: 1 })
      yield* run({ days: noTime, tenants: { acme: null } })
      yield* run({ tenants: { other: noTime } })
      assert.strictEqual(yield* status, 200)
      const snapshots = join(tenant, "users", "ada", "data", "snapshots")
      const databases = () => filesBelow(snapshots).filter((name) => name.endsWith(".db"))
      assert.lengthOf(databases(), 2)
      yield* run({ tenants: { acme: noTime } })
      assert.strictEqual(yield* status, 404)
      assert.deepStrictEqual(yield* search, [kept])
      assert.strictEqual((yield* gateway.request(`/api/v1/sessions/${kept}`, { token })).status, 200)
      assert.lengthOf(databases(), 1)
      assert.lengthOf(readdirSync(join(tenant, "workspaces")), 1)
      assert.deepStrictEqual(readdirSync(join(tenant, "attachments")), [kept])
    })
  )

  it("counts from the last change or the archival, and deletes only archived or ended sessions", () => {
    const day = 24 * 60 * 60 * 1000
    const at = (session: Partial<Parameters<typeof Retention.isExpired>[0]>) =>
      Retention.isExpired(
        { user: "acme/ada", state: "Suspended", updatedAtMillis: 0, ...session },
        { days: 2, tenants: { kept: null, short: 1 } },
        1.5 * day
      )
    assert.isFalse(at({ state: "Completed" }))
    assert.isTrue(at({ state: "Completed", user: "short/ada" }))
    assert.isFalse(at({ user: "short/ada" }))
    assert.isTrue(at({ user: "short/ada", archivedAtMillis: 0 }))
    assert.isFalse(at({ user: "short/ada", archivedAtMillis: day }))
    assert.isFalse(at({ user: "kept/ada", state: "Failed" }))
    assert.isFalse(at({ user: null, state: "Failed" }))
  })

  it.live("removes uploads that were never finished, once they are old", () =>
    Effect.gen(function* () {
      const folder = yield* Gateway.folder
      const uploads = join(folder, "acme", "uploads")
      mkdirSync(join(uploads, "old.d"), { recursive: true })
      for (const name of ["new", "old", "old.d/x"]) writeFileSync(join(uploads, name), "x")
      for (const name of ["old", "old.d"]) utimesSync(join(uploads, name), 0, 0)
      yield* Retention.sweepUploads(folder)
      assert.deepStrictEqual(readdirSync(uploads), ["new"])
    })
  )
})
