/**
 * The small tools in a run: variables that last through a session's steps, without secrets, and the plan that is shown.
 */
import { assert, describe, it } from "@effect/vitest"
import { thoroughOnly } from "../../../test/thorough.ts"
import { withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { type Answer, withModel } from "./program/ModelServer.ts"

const call = (name: string, args: unknown): Answer => ({ text: "", calls: [{ name, arguments: args }] })

describe("data tools", () => {
  it("a session reads a variable in a later step, and its commands see it", () =>
    withTestFolder((place) =>
      withModel(
        [
          call("set_env", { name: "STAGE", value: "rehearsal" }),
          call("get_env", { name: "STAGE" }),
          call("get_env", { name: "LANG" }),
          call("run_command", { command: "echo stage=${STAGE:-unset}" }),
          { text: "done" }
        ],
        async ({ env, requests }) => {
          const ended = await bough(place, ["run", "--approve", "allow", "go"], { env })
          assert.strictEqual(ended.code, 0, ended.stderr)
          const results = requests.map(({ messages }) => JSON.stringify(messages.at(-1)))
          assert.include(results[2], '"content":"rehearsal"')
          assert.include(results[3], '"content":"C.UTF-8"')
          assert.include(results[4], "stage=rehearsal")
        }
      )
    ))

  it("no secret of the process is read, by its name or under another", () =>
    withTestFolder(async (place) => {
      const env = { GITHUB_TOKEN: "ghp-very-secret-1234", LC_MESSAGES: "ghp-very-secret-1234", MAIL: "/var/mail" }
      const named = await bough(place, ["call", "get_env", '{"name":"GITHUB_TOKEN"}'], { env })
      assert.deepStrictEqual([named.code, /named like a secret/.test(named.stdout)], [1, true])
      for (const name of ["LC_MESSAGES", "MAIL"]) {
        const { code, stdout } = await bough(place, ["call", "get_env", JSON.stringify({ name })], { env })
        assert.strictEqual(code, 0)
        assert.match(stdout, /"value": ?null/, name)
      }
    }))

  it("a plan is shown with its progress", thoroughOnly, () =>
    withTestFolder((place) =>
      withModel(
        [
          call("update_plan", {
            items: [
              { text: "look around", status: "done" },
              { text: "write the tests", status: "active" },
              { text: "tidy up", status: "pending" }
            ]
          }),
          { text: "done" }
        ],
        async ({ env }) => {
          const { code, stderr } = await bough(place, ["run", "go"], { env })
          assert.deepStrictEqual([code, /✓ Plan 1\/3: write the tests/.test(stderr)], [0, true], stderr)
        }
      )
    )
  )
})
