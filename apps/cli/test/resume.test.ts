/** A process continues the work of another one; only one process at a time works on a session. */
import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SessionStoreSql } from "@bough/store-sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { someOf, thorough, thoroughOnly } from "../../../test/thorough.ts"
import { lines, type TestFolder, put, start, until, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { remove, say, withModel } from "./program/ModelServer.ts"
import { withScreen as withTerminal } from "./program/Screen.ts"
import { withScreen } from "./program/ScreenInProcess.ts"

const tmux = requires("tmux")

const sessionOf = (stdout: string): string => (JSON.parse(stdout) as { readonly sessionId: string }).sessionId

/** A run whose process is killed in the middle of its answer. */
const killedAfter = async (
  place: TestFolder,
  env: Readonly<Record<string, string>>,
  words: string,
  before: () => Promise<void> = () => Promise.resolve()
): Promise<void> => {
  const running = start(place, ["run", "--format", "stream-json", "tell me"], { env })
  await until(() => running.stdout().includes(words))
  await before()
  running.child.kill("SIGKILL")
  await running.ended
}

/** Stores a message as a process does that is killed before the turn begins. */
const submitted = ({ data }: TestFolder, sessionId: Session.SessionId, text: string): Promise<unknown> =>
  SessionStore.SessionStore.use((store) =>
    store.submit({
      treeId: sessionId,
      dedupeKey: "typed",
      command: { _tag: "SendMessage", sessionId, text, media: [] },
      principal: "user"
    })
  ).pipe(Effect.provide(SessionStoreSql.layer({ directory: data })), Effect.runPromise)

describe("bough run, on an existing session", () => {
  it("continues with a pending call, once a rule allows it, without a new prompt", () =>
    withTestFolder((place) =>
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

  it("continues the turn of a killed process", () =>
    withTestFolder((place) =>
      withModel([{ hangAfter: "Half an ans" }, say("a whole answer")], async ({ env, requests }) => {
        await killedAfter(place, env, "Half an ans")
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

  it("takes the input of --stdin as the prompt beside an open turn too", () =>
    withTestFolder((place) =>
      withModel([{ hangAfter: "Half an ans" }, say("seen")], async ({ env, requests }) => {
        await killedAfter(place, env, "Half an ans")
        const done = await bough(place, ["run", "--continue", "--stdin"], { env, stdin: "from a pipe" })
        assert.deepStrictEqual([done.code, done.stdout], [0, "seen\n"], done.stderr)
        assert.strictEqual(requests.at(-1)?.messages.findLast(({ role }) => role === "user")?.content, "from a pipe")
      })
    ))

  it("refuses a session that another process works on, and names it", thoroughOnly, () =>
    withTestFolder((place) =>
      withModel([say("first"), { hangAfter: "thinking" }], async ({ env }) => {
        const session = sessionOf((await bough(place, ["run", "--format", "json", "hi"], { env })).stdout)
        const running = start(place, ["run", "--session", session, "--format", "stream-json", "think"], { env })
        await until(() => running.stdout().includes("thinking"))
        const refused = await bough(place, ["run", "--session", session, "-"], { env, stdin: "me too" })
        assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
        assert.match(refused.stderr, new RegExp(`^bough: session ${session} is open in another process .* — `, "m"))
        running.child.kill("SIGTERM")
        assert.strictEqual((await running.ended).code, 143)
      })
    )
  )
})

const going = "resuming the unfinished turn"

describe("a conversation, on an existing session", () => {
  it(
    "reports that it continues the turn of a killed process, before any other output, and only then",
    thoroughOnly,
    () =>
      withTestFolder((place) =>
        withModel([{ hangAfter: "Half an ans" }, say("a whole answer"), say("and more")], async ({ env, requests }) => {
          await killedAfter(place, env, "Half an ans")
          const done = await bough(place, ["--continue"], { env, stdin: "" })
          assert.deepStrictEqual([done.code, done.stdout], [0, "a whole answer\n"], done.stderr)
          assert.strictEqual(done.stderr.split(going).length, 2)
          const again = await bough(place, ["--continue"], { env, stdin: "go on\n" })
          assert.deepStrictEqual([again.code, again.stdout], [0, "and more\n"], again.stderr)
          assert.notInclude(again.stderr, going)
          assert.lengthOf(requests, 3)
        })
      )
  )

  const shown = [
    ["on the screen", []],
    ["in plain lines", ["--screen-reader"]]
  ] as const

  it.each(someOf(shown, 1))("shows the words that a killed turn had not read %s", thorough, (_, args) =>
    withTestFolder((place) =>
      withModel([{ hangAfter: "Half an ans" }, say("a whole answer")], async ({ env, requests }) => {
        await killedAfter(place, env, "Half an ans", async () => {
          const [row] = lines((await bough(place, ["sessions"])).stdout)
          const [session] = row.split(" ")
          const sent = await bough(place, ["send", session, "look at the pear too"], { env })
          assert.strictEqual(sent.code, 0, sent.stderr)
        })
        await withScreen(place, { args: ["--continue", ...args], env }, async (screen) => {
          await screen.shows(/resuming the unfinished turn\n[\s\S]*look at the pear too\n[\s\S]*a whole answer\n/)
        })
        const userMessages = requests.map(({ messages }) => messages.findLast(({ role }) => role === "user")?.content)
        assert.deepStrictEqual(userMessages, ["tell me", "look at the pear too"])
      })
    )
  )

  it.each(someOf(shown, 1))(
    "shows the message of a turn that a kill stopped before its first entry %s",
    thorough,
    (_, args) =>
      withTestFolder((place) =>
        withModel([say("A plum"), say("A pear")], async ({ env }) => {
          const session = sessionOf((await bough(place, ["run", "--format", "json", "a fruit"], { env })).stdout)
          await submitted(place, Session.SessionId.make(session), "another fruit")
          await withScreen(place, { args: ["--continue", ...args], env }, async (screen) => {
            const text = await screen.shows(/resuming the unfinished turn\n[\s\S]*A pear\n/)
            assert.match(text, /resuming the unfinished turn\n+› another fruit\n[\s\S]*A pear/)
            assert.lengthOf(text.match(/another fruit/gu) ?? [], 1)
          })
        })
      )
  )

  it.skipIf(tmux.skip).each(someOf(shown, 1))(
    `continues a killed turn %s, and takes the next message${tmux.suffix}`,
    thorough,
    (_, args) =>
      withTestFolder((place) =>
        withModel([{ hangAfter: "Half an ans" }, say("a whole answer"), say("and more")], async ({ env, requests }) => {
          await killedAfter(place, env, "Half an ans")
          await withTerminal(place, { args: ["--continue", ...args], env }, async (screen) => {
            await screen.shows(/resuming the unfinished turn\n[\s\S]*a whole answer\n/)
            await screen.shows(/›\n?.*$/)
            screen.type("go on")
            await screen.shows("and more")
          })
          const userMessages = requests.map(({ messages }) => messages.findLast(({ role }) => role === "user")?.content)
          assert.deepStrictEqual(userMessages, ["tell me", "tell me", "go on"])
        })
      )
  )

  it.each(shown)("asks again %s about an undecided approval, and continues", (_, args) =>
    withTestFolder((place) =>
      withModel([remove("a.txt"), say("I wait"), say("gone at last")], async ({ env }) => {
        const file = put(place, "a.txt", "a\n")
        assert.strictEqual((await bough(place, ["run", "delete a.txt"], { env })).code, 3)
        await withScreen(place, { args: ["--continue", ...args], env }, async (screen) => {
          await screen.shows(/resuming the unfinished turn\n[\s\S]*Allow delete_path\?[\s\S]*details/)
          assert.isTrue(existsSync(file))
          screen.press("y")
          await screen.shows("gone at last")
        })
        assert.isFalse(existsSync(file))
      })
    )
  )
})
