/** Workspaces from uploaded archives: complete and inside of their folder, or refused and removed. */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { commandLine } from "../src/accounts/AuditLog.ts"
import { TenantId } from "../src/accounts/Principal.ts"
import { Quotas } from "../src/accounts/Quotas.ts"
import { tar, zip } from "./archives.ts"
import { upload } from "./Files.ts"
import * as Gateway from "./Gateway.ts"

const started = Effect.gen(function* () {
  const gateway = yield* Gateway.start()
  const token = yield* Gateway.user(gateway, "acme/ada")
  const tenant = join(gateway.dataDirectory, "tenants", "acme")
  const send = (body: Uint8Array, headers = {}) => upload(gateway, "/api/v1/workspaces", { token, body, headers })
  return { gateway, token, tenant, send }
})

const listed = (folder: string): ReadonlyArray<string> => (existsSync(folder) ? readdirSync(folder) : [])

const nothingLeft = (tenant: string): void => {
  assert.deepStrictEqual([...listed(join(tenant, "uploads")), ...listed(join(tenant, "workspaces"))], [])
}

describe("a workspace", () => {
  for (const [kind, archive] of [
    ["tar", tar],
    ["tar.gz", (entries: Parameters<typeof tar>[0]) => gzipSync(tar(entries))],
    [
      "zip",
      (entries: Parameters<typeof tar>[0]) =>
        zip(entries.map(({ mode = "644", ...entry }) => ({ ...entry, mode: 0o100000 | Number.parseInt(mode, 8) })))
    ]
  ] as const) {
    it.live(`is made from a ${kind} archive, and a session works in it`, () =>
      Effect.gen(function* () {
        const { gateway, send, tenant, token } = yield* started
        const archive_ = archive([
          { name: "./src/a.ts", content: "export {}" },
          { name: "run.sh", content: "#!/bin/sh\n", mode: "0000755" },
          { name: "src/ä b.txt", content: "x".repeat(100_000) }
        ])
        const headers = { "idempotency-key": "one" }
        const made = yield* send(archive_, headers)
        assert.strictEqual(made.status, 201, JSON.stringify(made.json))
        assert.strictEqual(made.json.uploadedBytes, 9 + 10 + 100_000)
        assert.strictEqual((yield* send(archive_, headers)).json.id, made.json.id)
        const reused = yield* send(archive([{ name: "b" }]), headers)
        assert.deepStrictEqual([reused.status, reused.json.code], [409, "idempotency_key_reused"])
        const root = join(tenant, "workspaces", made.json.id)
        assert.strictEqual(readFileSync(join(root, "src", "a.ts"), "utf8"), "export {}")
        assert.strictEqual(statSync(join(root, "src", "ä b.txt")).size, 100_000)
        assert.notStrictEqual(statSync(join(root, "run.sh")).mode & 0o100, 0)
        assert.strictEqual(statSync(join(root, "src", "a.ts")).mode & 0o111, 0)
        const body = { workspaceId: made.json.id }
        const session = yield* gateway.request("/api/v1/sessions", { token, body })
        assert.deepStrictEqual([session.status, session.json.workspaceId], [201, made.json.id])
        const used = yield* gateway.request(`/api/v1/workspaces/${made.json.id}`, { method: "DELETE", token })
        assert.deepStrictEqual([used.status, used.json.code], [409, "workspace_in_use"])
        const all = yield* gateway.request("/api/v1/workspaces", { token })
        assert.deepStrictEqual(all.json.items, [made.json])
        // The workspace is removed with the last of its sessions, and its bytes are released.
        yield* gateway.request(`/api/v1/sessions/${session.json.id}`, { method: "DELETE", token })
        nothingLeft(tenant)
        const usage = yield* Context.get(gateway.context, Quotas).usage(TenantId.make("acme"))
        assert.strictEqual(usage.find(({ resource }) => resource === "storage")?.used, 0)
      })
    )
  }

  it.live("is not made from an archive that leads out of it, and no files are left", () =>
    Effect.gen(function* () {
      const { send, tenant } = yield* started
      for (const archive of [
        tar([{ name: "ok" }, { name: "../../b", content: "x" }]),
        zip([{ name: "l", content: "/etc/passwd", mode: 0o120777 }]),
        Buffer.from("hello")
      ]) {
        const refused = yield* send(archive)
        assert.deepStrictEqual(
          [refused.status, refused.json.code],
          [422, "invalid_archive"],
          JSON.stringify(refused.json)
        )
        nothingLeft(tenant)
      }
    })
  )

  it.live("counts to the tenant's storage", () =>
    Effect.gen(function* () {
      const { gateway, send, tenant, token } = yield* started
      const limits = { storage: 100 }
      yield* Context.get(gateway.context, Quotas).setLimits(TenantId.make("acme"), limits, commandLine)
      const over = yield* send(tar([{ name: "a", content: "x".repeat(101) }]))
      assert.deepStrictEqual([over.status, over.json.quota], [429, "storage"])
      nothingLeft(tenant)
      const made = yield* send(tar([{ name: "a", content: "x".repeat(60) }]))
      assert.strictEqual(made.headers.get("ratelimit"), '"storage";r=40')
      const path = `/api/v1/workspaces/${made.json.id}`
      const removed = yield* gateway.request(path, { method: "DELETE", token })
      assert.deepStrictEqual([removed.status, removed.headers.get("ratelimit")], [204, '"storage";r=100'])
      assert.strictEqual((yield* gateway.request(path, { token })).status, 404)
      nothingLeft(tenant)
    })
  )
})
