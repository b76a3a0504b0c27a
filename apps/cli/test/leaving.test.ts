/** A closed terminal or a shutdown loses nothing: the next process that opens the session continues it. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { bough, lines, put, start, until, withTestFolder } from "./program/Bough.ts"
import { remove, say, withModel } from "./program/ModelServer.ts"
import { withScreen } from "./program/Screen.ts"

const call = (name: string, args: unknown) => ({ name, arguments: args })
const sessionIn = (streamed: string): string => /"sessionId":"(ses_\w+)"/.exec(streamed)?.[1] ?? ""

describe("SIGTERM", () => {
  it("leaves the turn open: it continues later, and no text is repeated", thoroughOnly, () =>
    withTestFolder((place) =>
      withModel([{ hangAfter: "thinking" }, say("done")], async ({ env, requests }) => {
        const running = start(place, ["run", "--format", "stream-json", "think it over"], { env })
        await until(() => running.stdout().includes("thinking"))
        running.child.kill("SIGTERM")
        assert.strictEqual((await running.ended).code, 143)
        const ended = await bough(place, ["run", "--session", sessionIn(running.stdout()), "--continue"], { env })
        assert.deepStrictEqual([ended.code, ended.stdout], [0, "done\n"], ended.stderr)
        const userMessages = requests[1].messages.filter(({ role }) => role === "user").map(({ content }) => content)
        assert.deepStrictEqual(userMessages, ["think it over"])
      })
    )
  )
})

const bubblewrap = requires("bubblewrap")

describe.skipIf(bubblewrap.skip)(`SIGTERM while a command runs${bubblewrap.suffix}`, () => {
  it("ends the command, and tells the model that it was stopped", () =>
    withTestFolder((place) =>
      withModel(
        [{ text: "", calls: [call("run_command", { command: "touch began; sleep 1000" })] }, say("then not")],
        async ({ env, requests }) => {
          const running = start(place, ["run", "--format", "stream-json", "wait"], { env })
          await until(() => existsSync(join(place.workspace, "began")))
          running.child.kill("SIGTERM")
          assert.strictEqual((await running.ended).code, 143)
          const ended = await bough(place, ["run", "--session", sessionIn(running.stdout()), "--continue"], { env })
          assert.deepStrictEqual([ended.code, ended.stdout], [0, "then not\n"], ended.stderr)
          assert.include(
            JSON.stringify(requests[1].messages),
            "outcome unknown: run_command was stopped before it finished (interrupted)"
          )
        }
      )
    ))
})

const tmux = requires("tmux")

describe.skipIf(tmux.skip)(`A terminal that is closed${tmux.suffix}`, () => {
  it("leaves its approval pending for the next one", () =>
    withTestFolder((place) =>
      withModel([remove("a.txt"), say("gone")], async ({ env, requests }) => {
        const file = put(place, "a.txt", "precious\n")
        await withScreen(place, { env }, async (screen) => {
          await screen.shows(/workspace.*$/)
          screen.type("delete a.txt")
          await screen.shows("Allow delete_path?")
          process.kill(screen.pid(), "SIGHUP")
          await screen.shows("EXIT 130")
        })
        await withScreen(place, { args: ["--continue"], env }, async (screen) => {
          await screen.shows(/Allow delete_path\?[\s\S]*└ y allow/)
          screen.press("y")
          await screen.shows("gone")
        })
        assert.deepStrictEqual([existsSync(file), requests.length], [false, 2])
      })
    ))

  it(
    "leaves a Branch's approval pending: another terminal decides it, and the tree continues from there",
    thoroughOnly,
    () =>
      withTestFolder((place) =>
        withModel(
          [
            { text: "", calls: [call("spawn_branch", { task: "delete a.txt" }), call("wait_for_sessions", {})] },
            { text: "", calls: [call("delete_path", { path: "a.txt" })] },
            say("deleted"),
            say("all done")
          ],
          async ({ env, requests }) => {
            const file = put(place, "a.txt", "precious\n")
            await withScreen(place, { env }, async (screen) => {
              await screen.shows(/workspace.*$/)
              screen.type("go")
              await screen.shows("Allow delete_path?")
              process.kill(screen.pid(), "SIGHUP")
              await screen.shows("EXIT 130")
            })
            const [waiting, ...others] = lines((await bough(place, ["approvals"])).stdout)
            assert.include(waiting, "“go” › branch “delete a.txt”")
            assert.isEmpty(others)
            await withScreen(place, { args: ["approvals", "approve", waiting.split(" ")[0]] }, async (screen) => {
              await screen.shows("y allow it")
              screen.press("y")
              await screen.shows("EXIT 0")
            })
            assert.isTrue(existsSync(file))
            const ended = await bough(place, ["run", "--continue"], { env })
            assert.deepStrictEqual([ended.code, ended.stdout], [0, "all done\n"], ended.stderr)
            assert.isFalse(existsSync(file))
            assert.lengthOf(requests, 4)
          }
        )
      )
  )
})
