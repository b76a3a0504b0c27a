/** What one process leaves, another goes on with; and while one works on a session, another does not. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { bough, lines, put, start, until, withPlace } from "./program/Bough.ts"
import { remove, say, withModel } from "./program/ModelServer.ts"

const sessionOf = (stdout: string): string => (JSON.parse(stdout) as { readonly sessionId: string }).sessionId

describe("bough run, on a session that is there", { timeout: 90_000 }, () => {
  it("goes on with a call that waits, once a rule allows it, without a new prompt", () =>
    withPlace((place) =>
      withModel([remove("a.txt"), say("waiting"), say("now it is gone")], async ({ env, requests }) => {
        put(place, "a.txt", "a\n")
        const parked = await bough(place, ["run", "--format", "json", "delete a.txt"], { env })
        const session = sessionOf(parked.stdout)
        const again = await bough(place, ["run", "--session", session], { env })
        assert.deepStrictEqual([parked.code, again.code, existsSync(join(place.workspace, "a.txt"))], [3, 3, true])
        const allowed = ["run", "--session", session, "--allow", "delete_path path=a.txt"]
        const done = await bough(place, allowed, { env })
        assert.deepStrictEqual([done.code, done.stdout], [0, "now it is gone\n"])
        assert.isFalse(existsSync(join(place.workspace, "a.txt")))
        assert.lengthOf(requests, 3)
      })
    ))

  it("goes on where a killed process was", () =>
    withPlace((place) =>
      withModel([{ hangAfter: "Half an ans" }, say("a whole answer")], async ({ env, requests }) => {
        const running = start(place, ["run", "--format", "stream-json", "tell me"], { env })
        await until(() => running.stdout().includes("Half an ans"))
        running.child.kill("SIGKILL")
        await running.ended
        const [row] = lines((await bough(place, ["sessions"])).stdout)
        const [session] = row.split(" ")
        const done = await bough(place, ["run", "--session", session], { env })
        assert.deepStrictEqual([done.code, done.stdout], [0, "a whole answer\n"])
        assert.deepStrictEqual(
          requests.map(({ messages }) => messages.findLast(({ role }) => role === "user")?.content),
          ["tell me", "tell me"]
        )
      })
    ))

  it("refuses a session that another process works on, and names it", () =>
    withPlace((place) =>
      withModel([say("first"), { hangAfter: "thinking" }], async ({ env }) => {
        const session = sessionOf((await bough(place, ["run", "--format", "json", "hi"], { env })).stdout)
        const running = start(place, ["run", "--session", session, "--format", "stream-json", "think"], { env })
        await until(() => running.stdout().includes("thinking"))
        const refused = await bough(place, ["run", "--session", session, "me too"], { env })
        assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
        assert.match(refused.stderr, new RegExp(`^bough: session ${session} is open in another process .* — `, "m"))
        running.child.kill("SIGTERM")
        assert.strictEqual((await running.ended).code, 143)
      })
    ))
})
