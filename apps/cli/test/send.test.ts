/** `bough send` and `bough run` into a conversation that is open elsewhere, once in processes of their own. */
import { assert, describe, it } from "@effect/vitest"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { bough, type TestFolder, withTestFolder } from "./program/Bough.ts"
import * as InProcess from "./program/InProcess.ts"
import { say, withModel } from "./program/ModelServer.ts"
import { withScreen } from "./program/Screen.ts"
import * as ScreenInProcess from "./program/ScreenInProcess.ts"

const tmux = requires("tmux")

const onlySession = async (place: TestFolder): Promise<string> => {
  const [{ sessionId }] = JSON.parse((await InProcess.bough(place, ["sessions", "--format", "json"])).stdout)
  return sessionId
}

describe("bough send", () => {
  it.skipIf(tmux.skip)(
    `is answered by a conversation at its prompt, joins or stops its turn, and reports a closed session${tmux.suffix}`,
    thoroughOnly,
    () =>
      withTestFolder((place) => {
        const script = [say("One."), say("Two."), say("Three."), { hangAfter: "Four" }]
        return withModel(script, async ({ env, requests }) => {
          const send = (...args: ReadonlyArray<string>) => bough(place, ["send", ...args], { env })
          const id = await withScreen(place, { env }, async (screen) => {
            await screen.shows(/›\n.* workspace/)
            screen.type("first")
            await screen.shows("One.")
            const id = await onlySession(place)
            const sent = await send(id.slice(0, 20), "from elsewhere")
            assert.deepStrictEqual([sent.code, sent.stdout], [0, ""], sent.stderr)
            assert.include(sent.stderr, `sent to session ${id}`)
            await screen.shows(/from elsewhere[\s\S]*Two\./)
            const ran = await bough(place, ["run", "--session", id, "by run"], { env })
            assert.deepStrictEqual([ran.code, ran.stdout], [0, ""], ran.stderr)
            assert.include(ran.stderr, `session ${id} is open in another process; the answer appears there`)
            await screen.shows(/by run[\s\S]*Three\./)
            assert.strictEqual(requests[2].messages.at(-1)?.content, "by run")
            assert.strictEqual((await send(id, "--queue", "the last")).code, 0)
            await screen.shows("Four")
            const stopped = await send(id, "--cancel")
            assert.strictEqual(stopped.code, 0, stopped.stderr)
            await screen.shows("cancelled")
            return id
          })
          const table = [
            [[id, "hi"], 1, /is not open in another process — "bough run --session/],
            [["ses_none", "hi"], 2, /"bough sessions" lists them/],
            [[id, "--queue", "--cancel"], 2, /exclude each other/],
            [[id, " "], 2, /the message is empty/]
          ] as const
          for (const [args, code, said] of table) {
            const ended = await send(...args)
            assert.strictEqual(ended.code, code, ended.stderr)
            assert.match(ended.stderr, said)
          }
          const agents = await bough(place, ["send", id, "hi"], { env: { ...env, BOUGH_COMMAND: "1" } })
          assert.strictEqual(agents.code, 3, agents.stderr)
        })
      })
  )

  it("is answered at once by a prompt in plain lines, which keeps the draft", () =>
    withTestFolder((place) =>
      withModel([say("One."), say("Two."), say("Three.")], async ({ env, requests }) => {
        await ScreenInProcess.withScreen(place, { env, args: ["--screen-reader"] }, async (screen) => {
          await screen.shows(/\n›$/)
          screen.type("first")
          await screen.shows(/One\.\n[\s\S]*\n›$/)
          screen.send("half a ")
          await screen.shows(/› half a$/)
          const sent = await InProcess.bough(place, ["send", await onlySession(place), "from elsewhere"], { env })
          assert.strictEqual(sent.code, 0, sent.stderr)
          await screen.shows(/› from elsewhere\nTwo\.\n[\s\S]*\n› half a$/)
          screen.type("sentence")
          await screen.shows(/half a sentence\nThree\./)
        })
        assert.deepStrictEqual(
          requests.map(({ messages }) => messages.at(-1)?.content),
          ["first", "from elsewhere", "half a sentence"]
        )
      })
    ))
})
