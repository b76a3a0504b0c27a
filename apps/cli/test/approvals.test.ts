/** `approvals`: a user decides a pending approval once, at any terminal, whether its session is open or not. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { bough as process, type Ended, lines, type TestFolder, put, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { type Answer, type ModelServer, remove, say, withModel } from "./program/ModelServer.ts"
import { type Options, type Screen, withScreen as withTerminal } from "./program/Screen.ts"
import { withScreen } from "./program/ScreenInProcess.ts"

const asksTwice = [remove("a.txt"), say("I wait"), remove("a.txt"), say("I wait")]

const tmux = requires("tmux")

interface Parked {
  readonly place: TestFolder
  readonly server: ModelServer
  readonly sessionId: string
  readonly approvalId: string
}

interface Printed {
  readonly sessionId: string
  readonly approvals: ReadonlyArray<string>
}

/** A closed session whose call is pending approval. `variables`: environment of the process that asked. */
const parked = (
  script: ReadonlyArray<Answer>,
  use: (parked: Parked) => Promise<void>,
  variables: Readonly<Record<string, string>> = {}
): Promise<void> =>
  withTestFolder((place) =>
    withModel([remove("a.txt"), say("I wait"), ...script], async (server) => {
      put(place, "a.txt", "precious\n")
      // Only a separate process can have another clock.
      const run = "NODE_OPTIONS" in variables ? process : bough
      const ended = await run(place, ["run", "--format", "json", "delete a.txt"], {
        env: { ...server.env, ...variables }
      })
      assert.strictEqual(ended.code, 3, ended.stderr)
      const { approvals, sessionId } = JSON.parse(ended.stdout) as Printed
      // Within one boot the store ignores a jump of the clock until a user confirms it.
      if ("NODE_OPTIONS" in variables) await bough(place, ["doctor", "--accept-clock"])
      await use({ place, server, sessionId, approvalId: approvals[0] })
    })
  )

/** Runs the process with a clock that many days ago. */
const daysAgo = (days: number): Readonly<Record<string, string>> => {
  const shift = `const { now } = Date; Date.now = () => now() - ${days * 24 * 3600 * 1000}`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift)}` }
}

const goOn = ({ place, server, sessionId }: Parked): Promise<Ended> =>
  bough(place, ["run", "--session", sessionId, "--continue"], { env: server.env })

const isThere = ({ workspace }: TestFolder): boolean => existsSync(join(workspace, "a.txt"))

describe("bough approvals", () => {
  it("lists pending approvals in any folder, and shows one in full, also by a prefix of its id", () =>
    parked([], async ({ approvalId, place, sessionId }) => {
      const listed = await bough(place, ["approvals"], { cwd: place.home })
      assert.match(
        lines(listed.stdout)[0],
        new RegExp(`^${approvalId}  pending  delete_path .*a\\.txt.*“delete a\\.txt”$`)
      )
      const [one] = JSON.parse((await bough(place, ["approvals", "list", "--format", "json"])).stdout)
      assert.deepInclude(one, { answered: null, expired: false })
      assert.deepInclude(one.request, { approvalId, tool: "delete_path", tier: "Elevated", sessionPath: [sessionId] })
      assert.deepInclude(one.askedBy[0], { title: "delete a.txt", workspaceRoot: place.workspace })
      const shown = await bough(place, ["approvals", "show", approvalId.slice(0, 9)])
      assert.match(shown.stdout, /arguments digest: sha256:/)
      assert.include(shown.stdout, `approval: ${approvalId}`)
    }))

  it("is decided only by a user at a terminal", () =>
    parked([], async (waiting) => {
      const { approvalId, place } = waiting
      for (const args of [
        ["approve", approvalId],
        ["deny", approvalId, "--words", "no"]
      ]) {
        const ended = await bough(place, ["approvals", ...args], { stdin: "y\ny\n" })
        assert.strictEqual(ended.code, 3)
        assert.include(ended.stderr, "decided at a terminal")
      }
      assert.strictEqual((await goOn(waiting)).code, 3)
      assert.isTrue(isThere(place))
    }))

  it("stays pending for six days and more", thoroughOnly, () =>
    parked(
      [],
      async ({ place }) => {
        assert.match((await bough(place, ["approvals"])).stdout, /^\S+  pending  delete_path/)
      },
      daysAgo(6.9)
    )
  )

  it("has expired after seven, and the agent continues without it", thoroughOnly, () =>
    parked(
      [say("then not")],
      async (waiting) => {
        const { place, server } = waiting
        assert.match((await bough(place, ["approvals"])).stdout, /^\S+  expired  delete_path/)
        const ended = await goOn(waiting)
        assert.deepStrictEqual([ended.code, ended.stdout, isThere(place)], [0, "then not\n", true], ended.stderr)
        assert.include(JSON.stringify(server.requests.at(-1)?.messages), "no decision in time")
        assert.strictEqual((await bough(place, ["approvals", "--format", "json"])).stdout, "[]\n")
      },
      daysAgo(7.1)
    )
  )

  it("reports an unknown approval", () =>
    parked([], async ({ place }) => {
      const ended = await bough(place, ["approvals", "show", "apr_none"])
      assert.deepStrictEqual([ended.code, ended.stdout], [2, ""])
      assert.include(ended.stderr, "no approval apr_none")
    }))

  it("lists nothing for a manual call whose caller has gone", () =>
    withTestFolder(async (place) => {
      put(place, "a.txt", "precious\n")
      assert.strictEqual((await bough(place, ["call", "delete_path", '{"path":"a.txt"}'])).code, 3)
      assert.strictEqual((await bough(place, ["approvals", "--format", "json"])).stdout, "[]\n")
    }))
})

describe("deciding in a terminal", () => {
  it("approves a call of a closed session, and the next owner runs it once", () =>
    parked([say("gone")], async (waiting) => {
      const { approvalId, place } = waiting
      await withScreen(place, { args: ["approvals", "approve", approvalId] }, async (screen) => {
        const screenText = await screen.shows(/└ y allow it · n leave it pending · \? details$/)
        assert.match(screenText, /┌ Allow delete_path\? \(outside the safe tier\)\n│ .*a\.txt/)
        screen.type("yes")
        await screen.pressUntil("y", "EXIT 0")
      })
      assert.isTrue(isThere(place))
      assert.match((await bough(place, ["approvals"])).stdout, /approved by \S+, not used yet/)
      const ended = await goOn(waiting)
      assert.deepStrictEqual([ended.code, ended.stdout, isThere(place)], [0, "gone\n", false])
      assert.strictEqual((await bough(place, ["approvals", "--format", "json"])).stdout, "[]\n")
      await withScreen(place, { args: ["approvals", "deny", approvalId] }, async (screen) => {
        await screen.shows(/already decided by \S+:\s+approved[\s\S]*EXIT 1/)
      })
    }))

  it("denies with a reason that the agent reads", () =>
    parked([say("I see")], async (waiting) => {
      const { approvalId, place, server } = waiting
      const args = ["approvals", "deny", approvalId, "--words", "it is the only copy"]
      await withScreen(place, { args }, async (screen) => {
        await screen.shows("y deny it")
        screen.press("y")
        await screen.shows("EXIT 0")
      })
      const ended = await goOn(waiting)
      assert.deepStrictEqual([ended.code, ended.stdout, isThere(place)], [0, "I see\n", true])
      assert.include(JSON.stringify(server.requests.at(-1)?.messages), "it is the only copy")
    }))

  it(
    "saves a rule for the folder with the decision, in the user's own file, and for no other folder",
    thoroughOnly,
    () =>
      parked([say("gone"), remove("a.txt"), say("gone again"), ...asksTwice], async (waiting) => {
        const { approvalId, place, server } = waiting
        const args = ["approvals", "approve", approvalId, "--always", "project"]
        await withScreen(place, { args }, async (screen) => {
          const screenText = await screen.shows("y allow it, and always in this folder")
          assert.include(screenText, "│ always would allow: delete_path path=a.txt")
          screen.press("y")
          await screen.shows("EXIT 0")
        })
        assert.strictEqual((await goOn(waiting)).code, 0)
        const inFolder = async (cwd: string) => {
          put(place, "a.txt", "new\n")
          put(place, "other/a.txt", "new\n")
          return (await bough(place, ["run", "again", "--cwd", cwd], { env: server.env })).code
        }
        assert.deepStrictEqual([await inFolder("."), isThere(place)], [0, false])
        assert.strictEqual(await inFolder("other"), 3)
        assert.deepStrictEqual(readdirSync(place.workspace).toSorted(), ["a.txt", "other"])
        const [rule] = JSON.parse((await bough(place, ["policy", "--format", "json"])).stdout)
        assert.deepInclude(rule, { scope: "project", rule: "delete_path path=a.txt", origin: place.workspace })
        const [checked] = JSON.parse((await bough(place, ["policy", "check", "--format", "json"])).stdout)
        assert.deepInclude(checked, { rule: "allow delete_path path=a.txt", examples: 1, problem: null })
        assert.strictEqual((await bough(place, ["policy", "revoke", rule.id])).code, 0)
        assert.deepStrictEqual([await inFolder("."), isThere(place)], [3, true])
        assert.strictEqual((await bough(place, ["policy", "revoke", rule.id])).code, 2)
      })
  )

  it("adds a rule for the session, which is listed and can be removed", () =>
    parked([say("gone"), remove("a.txt"), say("I wait")], async (waiting) => {
      const { approvalId, place, server, sessionId } = waiting
      await withScreen(place, { args: ["approvals", "approve", approvalId, "--always", "session"] }, async (screen) => {
        await screen.shows("y allow it, and always in this session")
        screen.press("y")
        await screen.shows("EXIT 0")
      })
      assert.strictEqual((await goOn(waiting)).code, 0)
      const [line] = lines((await bough(place, ["policy"])).stdout)
      assert.match(line, /^rul_\w+  session  delete_path path=a\.txt  \(“delete a\.txt”, given by \S+\)$/)
      assert.strictEqual((await bough(place, ["policy", "revoke", line.split(" ")[0]])).code, 0)
      assert.strictEqual((await bough(place, ["policy"])).stdout, "")
      put(place, "a.txt", "new\n")
      const again = await bough(place, ["run", "--session", sessionId, "again"], { env: server.env })
      assert.deepStrictEqual([again.code, isThere(place)], [3, true])
    }))

  it("approves nothing whose deadline has passed", thoroughOnly, () =>
    parked(
      [say("then not")],
      async (waiting) => {
        const { approvalId, place } = waiting
        await withScreen(place, { args: ["approvals", "approve", approvalId, "--always", "user"] }, async (screen) => {
          const screenText = await screen.shows(/EXIT \d/)
          assert.match(screenText, /approval \S+ has expired[\s\S]*EXIT 1/)
        })
        assert.strictEqual((await bough(place, ["policy", "--format", "json"])).stdout, "[]\n")
        assert.deepStrictEqual([(await goOn(waiting)).code, isThere(place)], [0, true])
      },
      daysAgo(7.1)
    )
  )

  it("leaves the approval pending if the user decides nothing", () =>
    parked([], async (waiting) => {
      const { approvalId, place } = waiting
      await withScreen(place, { args: ["approvals", "approve", approvalId] }, async (screen) => {
        await screen.shows("y allow it")
        screen.press("n")
        await screen.shows("EXIT 3")
      })
      assert.strictEqual((await goOn(waiting)).code, 3)
    }))

  /** The same approval on two terminals: in the conversation, and in another one. */
  const onTwo = (
    { args = [], withConversation = withScreen }: Conversation,
    decide: (conversation: Screen, other: Screen) => Promise<void>
  ) =>
    withTestFolder((place) =>
      withModel([remove("a.txt"), say("gone")], async ({ env }) => {
        put(place, "a.txt", "precious\n")
        await withConversation(place, { env, args }, async (conversation) => {
          await conversation.shows(/quits[\s\S]*›/)
          conversation.type("delete a.txt")
          await conversation.shows("a always")
          const [line] = lines((await bough(place, ["approvals"])).stdout)
          const [approvalId] = line.split(" ")
          await withScreen(place, { args: ["approvals", "approve", approvalId] }, async (other) => {
            await other.shows("y allow it")
            await decide(conversation, other)
          })
          await conversation.shows(/\ngone\n/)
          assert.isFalse(isThere(place))
        })
      })
    )

  interface Conversation {
    readonly args?: ReadonlyArray<string>
    readonly withConversation?: (
      place: TestFolder,
      options: Options,
      use: (screen: Screen) => Promise<void>
    ) => Promise<void>
  }

  const inOwnProcess: Conversation = { withConversation: withTerminal }

  it.skipIf(tmux.skip)(
    `reaches the process that has the session open, and closes its approval there${tmux.suffix}`,
    () =>
      onTwo(inOwnProcess, async (conversation, other) => {
        other.press("y")
        await other.shows("EXIT 0")
        assert.include(await conversation.shows(/└ allowed once\n/), "Allow delete_path?")
      })
  )

  it("reaches a conversation in plain lines", () =>
    onTwo({ args: ["--screen-reader"] }, async (conversation, other) => {
      other.press("y")
      await other.shows("EXIT 0")
      assert.match(await conversation.shows(/approved by \S+/), /this approval is closed\n\s*approved by/)
    }))

  it("reports who decided first, and decides nothing more", () =>
    onTwo({}, async (conversation, other) => {
      conversation.press("y")
      assert.match(await other.shows("EXIT"), /already decided by \S+:\s+approved[\s\S]*EXIT 1/)
    }))
})
