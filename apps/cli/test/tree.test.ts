/** `tree`: the sessions of a conversation as stored; an approval of a descendant, decided elsewhere. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { configure, lines, type TestFolder, put, start, until, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { type Answer, type Request, say, withModel } from "./program/ModelServer.ts"
import { withScreen } from "./program/ScreenInProcess.ts"

const call = (name: string, args: unknown) => ({ name, arguments: args })

/** Plausible for these prompts, so that the limits count it. */
const usage = { inputTokens: 3000, outputTokens: 50 }

/** A Main whose Branch waits for an approval, with no user attached. */
const branching: ReadonlyArray<Answer> = [
  { text: "", calls: [call("spawn_branch", { task: "delete a.txt" }), call("wait_for_sessions", {})], usage },
  { text: "", calls: [call("delete_path", { path: "a.txt" })], usage },
  { text: "I wait", usage },
  { text: "it waits", usage }
]

interface WaitingSession {
  readonly place: TestFolder
  readonly env: Readonly<Record<string, string>>
  readonly sessionId: string
}

/** Runs a prompt until its branch waits for an approval, and then `use`. */
const withWaitingSession = (
  script: ReadonlyArray<Answer>,
  use: (waiting: WaitingSession) => Promise<void>,
  limits: Readonly<Record<string, number>> = {}
): Promise<void> =>
  withTestFolder((place) =>
    withModel([...branching, ...script], async ({ env }) => {
      configure(place, JSON.stringify({ limits }))
      put(place, "a.txt", "precious\n")
      const ended = await bough(place, ["run", "--format", "json", "go"], { env })
      assert.strictEqual(ended.code, 3, ended.stderr)
      await use({ place, env, sessionId: (JSON.parse(ended.stdout) as { readonly sessionId: string }).sessionId })
    })
  )

describe("bough tree", () => {
  it("draws parents and children, the state of each and its pending approvals", () =>
    withWaitingSession([], async ({ place, sessionId }) => {
      const drawn = await bough(place, ["tree"])
      const [main, itsFacts, branch, branchFacts] = lines(drawn.stdout)
      assert.strictEqual(main, "main “go”")
      assert.match(itsFacts, new RegExp(`^│  ${sessionId} · suspended, waiting for 1 child session · step 1\\.`))
      assert.strictEqual(branch, "└─ branch “delete a.txt”")
      assert.match(
        branchFacts,
        /^ {3}ses_\w+ · suspended, waiting for apr_\w+ \(delete_path\) · step 1\.\d · 2 (?:of \d+ )?steps, 6\.1k tokens$/
      )
      const nodes = JSON.parse((await bough(place, ["tree", sessionId.slice(0, -2), "--format", "json"])).stdout)
      assert.deepInclude(nodes[1], { kind: "Branch", parentId: sessionId, treeId: sessionId })
      assert.lengthOf(nodes[1].approvals, 1)
    }))

  it("shows the usage of every limit: a Main's of its last run, a Branch's share", thoroughOnly, () =>
    withWaitingSession(
      [{ text: "so it is", usage }],
      async ({ env, place, sessionId }) => {
        const facts = async () => lines((await bough(place, ["tree"])).stdout).filter((line) => line.includes(" · "))
        const [main, branch] = await facts()
        assert.match(main, / · 2 of 100 steps, 6\.0k of 400k tokens in, 100 out, [\d.]+ of 4 min, 1 of 256 started$/)
        assert.match(branch, / · 2 of 24 steps, 6\.0k of 99\.3k tokens in, 100 out, [\d.]+ of 1 min$/)
        configure(place, '{ "limits": { "maxOutputTokens": 500 } }')
        assert.deepStrictEqual(await facts(), [main, branch])
        assert.strictEqual((await bough(place, ["run", "--session", sessionId, "and now?"], { env })).code, 3)
        const [lowered, asBefore] = await facts()
        assert.match(lowered, / · 3 steps, 9\.0k tokens in, 150 of 500 out, 1 of 256 started$/)
        assert.strictEqual(asBefore, branch)
      },
      { maxTreeSteps: 100, maxInputTokens: 400_000, maxActiveMinutes: 4 }
    )
  )

  it("redraws while it changes", thoroughOnly, () =>
    withTestFolder((place) =>
      withModel([say("one"), say("two")], async ({ env }) => {
        assert.strictEqual((await bough(place, ["run", "first"], { env })).code, 0)
        const watching = start(place, ["tree", "--watch"])
        await until(() => watching.stdout().includes("step 1.1"))
        assert.strictEqual((await bough(place, ["run", "--continue", "second"], { env })).code, 0)
        await until(() => watching.stdout().includes("step 2.1"))
        watching.child.kill("SIGINT")
        assert.strictEqual((await watching.ended).code, 130)
      })
    )
  )

  it("a Branch sends the user a message while it works, and names itself", () =>
    withTestFolder((place) =>
      withModel(
        [
          { text: "", calls: [call("spawn_branch", { task: "count" }), call("wait_for_sessions", {})] },
          { text: "", calls: [call("send_message", { text: "ten so far\n\u001B[2Jnearly" })] },
          say("all counted"),
          say("done")
        ],
        async ({ env }) => {
          const ended = await bough(place, ["run", "go"], { env })
          assert.deepStrictEqual([ended.code, ended.stdout], [0, "done\n"], ended.stderr)
          assert.include(ended.stderr, `✉ branch “count”\n│ ten so far\n${String.raw`│ \u{1b}[2Jnearly`}\n`)
        }
      )
    ))

  it("a Main that stops itself names its unfinished descendants, and continues with them", () => {
    let isHeld = true
    const answer = ({ messages }: Request): Answer => {
      const users = messages.filter(({ role }) => role === "user").map(({ content }) => JSON.stringify(content))
      if (!users.some((text) => text.includes("start it"))) return isHeld ? { hangAfter: "one" } : say("two files")
      if (users.some((text) => text.includes("two files"))) return say("there are two files")
      return { text: "", calls: [call("spawn_branch", { task: "count the files" })] }
    }
    return withTestFolder((place) =>
      withModel(answer, async ({ env }) => {
        const ended = await bough(place, ["run", "--max-steps", "1", "--format", "json", "start it"], { env })
        const printed = JSON.parse(ended.stdout) as Record<"sessionId" | "status" | "liveSessions", unknown>
        assert.deepStrictEqual([ended.code, printed.status, printed.liveSessions], [1, "stopped", 1])
        const onward = `bough run --session ${String(printed.sessionId)} --continue`
        assert.include(ended.stderr, `1 child session is still open; run "${onward}" to continue`)
        isHeld = false
        const done = await bough(place, onward.split(" ").slice(1), { env })
        assert.deepStrictEqual([done.code, done.stdout], [0, "there are two files\n"], done.stderr)
      })
    )
  })

  it("goes no deeper and no wider than is configured; a project can lower that and not raise it", () => {
    const script = ({ messages }: Request): Answer => {
      const outputs = messages.filter(({ role }) => role === "tool").map(({ content }) => JSON.stringify(content))
      if (!messages.some(({ content }) => content === "start two")) return { hangAfter: "one" }
      const starts = ["one", "two"].map((task) => call("spawn_branch", { task }))
      return outputs.length === 0 ? { text: "", calls: starts } : { status: 400, message: outputs.join(" ") }
    }
    const refused = (operator: unknown, project: unknown) =>
      withTestFolder((place) =>
        withModel(script, async ({ env }) => {
          configure(place, JSON.stringify({ limits: operator }))
          put(place, ".bough/config.jsonc", JSON.stringify({ limits: project }))
          return (await bough(place, ["run", "--trust", "start two"], { env })).stderr
        })
      )
    return Promise.all([
      refused({ maxDepth: 0 }, { maxDepth: 3 }).then((text) => assert.include(text, "sessions go 0 deep")),
      refused({ maxDepth: 3 }, { maxDepth: 1 }).then((text) => assert.include(text, "Branches go 0 deep")),
      refused({ maxLiveChildren: 1 }, { maxLiveChildren: 2 }).then((text) =>
        assert.include(text, "1 child sessions of this session have not ended")
      )
    ])
  })

  it("reports an empty tree", () =>
    withTestFolder(async (place) => {
      const ended = await bough(place, ["tree"])
      assert.deepStrictEqual([ended.code, ended.stdout], [2, ""])
      assert.include(ended.stderr, "no session in")
    }))
})

describe("an approval of a Branch", () => {
  it("names its origin, and is decided in another terminal", () =>
    withWaitingSession([say("deleted"), say("all done")], async ({ env, place, sessionId }) => {
      const [line] = lines((await bough(place, ["approvals"])).stdout)
      assert.include(line, "“go” › branch “delete a.txt”")
      await withScreen(place, { args: ["approvals", "approve", line.split(" ")[0]] }, async (screen) => {
        const screenText = await screen.shows("y allow it")
        assert.include(screenText, "│ requested by: “go” › branch “delete a.txt”")
        screen.press("y")
        await screen.shows("EXIT 0")
      })
      const ended = await bough(place, ["run", "--session", sessionId, "--continue"], { env })
      assert.deepStrictEqual([ended.code, ended.stdout], [0, "all done\n"], ended.stderr)
      assert.isFalse(existsSync(join(place.workspace, "a.txt")))
    }))
})
