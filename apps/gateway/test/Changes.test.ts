/** Changed files over HTTP: the changes of the session's calls, page by page, without secrets. */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { untilReplied, untilSaid } from "./Events.ts"
import * as Gateway from "./Gateway.ts"

const secret = "sk-ant-api03-0123456789abcdefghij"

describe("changed files", () => {
  it.live("are those of the session's calls, with differences, in consistent pages", () =>
    Effect.gen(function* () {
      const scripted = yield* ScriptedModel.make([
        Reply.toolCall("write_file", { path: "b.txt", content: "one\ntwo\n" }),
        Reply.toolCall("write_file", { path: "a/new.txt", content: "new\n" }),
        Reply.text("First"),
        Reply.toolCall("edit_file", { path: "b.txt", edits: [{ old: "two", new: "three" }] }),
        Reply.toolCall("edit_file", { path: "key.txt", edits: [{ old: "x", new: "y" }] }),
        Reply.text("Second")
      ])
      const gateway = yield* Gateway.start({
        model: () => scripted.model,
        variables: { ANTHROPIC_API_KEY: secret }
      })
      const token = yield* Gateway.user(gateway, "acme/ada")
      const { id: sessionId, workspaceId } = (yield* gateway.request("/api/v1/sessions", { token, body: {} })).json
      const workspaces = join(gateway.dataDirectory, "tenants", "acme", "workspaces")
      // A repository around a workspace is not the user's.
      mkdirSync(join(workspaces, ".git"))
      const changes = `/api/v1/sessions/${sessionId}/changes`
      assert.deepStrictEqual((yield* gateway.request(changes, { token })).json, { items: [], next: null })
      const say = (text: string) => gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text } })
      yield* say("first")
      yield* untilReplied(gateway, { token, sessionId })
      // The user's own file, which no call changed.
      const workspace = join(workspaces, workspaceId)
      writeFileSync(join(workspace, "own.txt"), "mine")
      const first = yield* gateway.request(`${changes}?limit=1`, { token })
      assert.lengthOf(first.json.items, 1, first.text)
      assert.deepInclude(first.json.items[0], { path: "a/new.txt", change: "added", bytesBefore: null, bytesAfter: 4 })
      assert.include(first.json.items[0].diff, "\n+new")
      const rest = yield* gateway.request(`${changes}?limit=1&cursor=${first.json.next}`, { token })
      assert.deepInclude(rest.json.items[0], { path: "b.txt", change: "added" })
      assert.isNull(rest.json.next)
      writeFileSync(join(workspace, "key.txt"), `key = ${secret}\nx\n`)
      yield* say("second")
      yield* untilSaid(gateway, { token, sessionId }, "Second")
      const second = yield* gateway.request(`${changes}?turn=2`, { token })
      assert.deepStrictEqual(
        second.json.items.map(({ change, path }: { change: string; path: string }) => [path, change]),
        [
          ["b.txt", "modified"],
          ["key.txt", "modified"]
        ]
      )
      assert.include(second.json.items[0].diff, "\n-two\n+three")
      assert.include(second.json.items[1].diff, "\n-x\n+y")
      assert.notInclude(second.text, secret)
      const all = yield* gateway.request(changes, { token })
      assert.strictEqual(all.json.items.length, 3)
      // Later pages of a listing do not change.
      const old = yield* gateway.request(`${changes}?limit=9&cursor=${first.json.next}`, { token })
      assert.deepStrictEqual(old.json, rest.json)
      assert.strictEqual((yield* gateway.request(`${changes}?cursor=x`, { token })).status, 400)
      assert.strictEqual((yield* gateway.request(`${changes}?limit=21`, { token })).status, 400)
    })
  )
})
