/** The notes that a reflection on a run or a conversation saves. */
import { assert, describe, it } from "@effect/vitest"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { configure, put, start, until, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { type Answer, type Request, say, withModel } from "./program/ModelServer.ts"
import { withScreen } from "./program/Screen.ts"

const call = (name: string, args: unknown): Answer => ({ text: "", calls: [{ name, arguments: args }] })
const remember = (content: string, more: object = {}) => call("save_memory", { content, ...more })
const verdict = (more: object = {}) =>
  call("return_result", { verdict: "complete", assessment: "it went well", lessons: [], ...more })
const work = [call("read_file", { path: "a.txt" }), say("it says a")]
const toolsOf = ({ tools = [] }: Request) => tools.map(({ function: { name } }) => name).toSorted()
const lastOf = ({ messages }: Request) => JSON.stringify(messages.at(-1))

/** The length of the silence is tested with a clock of its own. */
const atOnce = `{ "memory": { "reflectAfterSeconds": 0 } }`

const tmux = requires("tmux")

describe("reflection on a run", () => {
  it("does not start unasked; it saves notes with the tools of notes alone, and its cost is in the usage", () =>
    withTestFolder((place) =>
      withModel(
        [
          ...work,
          ...work,
          remember("Prefers short answers", { kind: "preference" }),
          verdict({ lessons: ["be brief"] })
        ],
        async ({ env, requests }) => {
          put(place, "a.txt", "a\n")
          await bough(place, ["run", "read a.txt, briefly"], { env })
          assert.lengthOf(requests, 2)
          const reflected = await bough(place, ["run", "--reflect", "--format", "json", "read a.txt, briefly"], { env })
          assert.strictEqual(reflected.code, 0, reflected.stderr)
          assert.include(reflected.stderr, "remembered: Prefers short answers\n")
          assert.match(reflected.stderr, /reflecting with \S+\n/)
          assert.match(reflected.stderr, /reflection: complete: it went well \(20 tokens in · 10 out\)\n/)
          const { reflection, text, usage } = JSON.parse(reflected.stdout)
          assert.deepInclude(reflection, { status: "completed", verdict: "complete", lessons: ["be brief"] })
          assert.deepInclude(reflection.usage, { inputTokens: 20, outputTokens: 10 })
          assert.strictEqual(reflection.remembered[0].text, "Prefers short answers")
          assert.deepStrictEqual([text, usage.inputTokens, usage.outputTokens], ["it says a", 40, 20])
          assert.deepStrictEqual(toolsOf(requests[4]), [
            "return_result",
            "save_memory",
            "search_memory",
            "update_memory"
          ])
          assert.match(lastOf(requests[4]), /person: read a\.txt, briefly[\s\S]*→ read_file/)
          assert.strictEqual((await bough(place, ["memory", "list"])).stdout.split("\n").length, 2)
        }
      )
    ))

  it("reads the notes similar to the messages, and offers its verdict to the next prompt", () =>
    withTestFolder((place) =>
      withModel(
        [...work, verdict({ verdict: "replan", nextFocus: "read b.txt" }), say("so I will")],
        async ({ env, requests }) => {
          put(place, "a.txt", "a\n")
          await bough(place, ["memory", "save", "Reads harbour tables every Monday"])
          const { stderr } = await bough(place, ["run", "--reflect", "read the harbour tables in a.txt"], { env })
          assert.include(stderr, "next: read b.txt\n")
          assert.match(lastOf(requests[2]), /<notes>.*harbour tables every Monday.*<\/notes>/)
          const shown = await bough(place, ["sessions", "list"])
          const [id] = /ses_\w+/.exec(shown.stdout) ?? [""]
          assert.match((await bough(place, ["sessions", "show", id])).stdout, /reflection .*replan/)
          await bough(place, ["run", "--continue", "go on"], { env })
          assert.match(JSON.stringify(requests[3].messages), /Verdict: replan.*Next: read b\.txt/)
        }
      )
    ))

  it(
    "runs on the configured model, and names it; on the session's model if that one is not available",
    thoroughOnly,
    () =>
      withTestFolder((place) =>
        withModel([...work, verdict(), ...work, verdict()], async ({ env, requests }) => {
          put(place, "a.txt", "a\n")
          configure(place, `{ "reflection": { "model": "openai-compatible/small" } }`)
          const { stderr } = await bough(place, ["run", "--reflect", "read a.txt"], { env })
          assert.include(stderr, "reflecting with openai-compatible/small\n")
          assert.strictEqual(requests[2].model, "small")
          assert.notStrictEqual(requests[0].model, "small")
          configure(place, `{ "reflection": { "model": "nobodys/small" } }`)
          const other = await bough(place, ["run", "--reflect", "read a.txt"], { env })
          assert.match(other.stderr, /nobodys\/small cannot reflect on this conversation/)
          assert.strictEqual(requests[5].model, requests[3].model)
        })
      )
  )

  it("stores no secret, whatever its prompt asks for", () =>
    withTestFolder((place) =>
      withModel(
        [
          ...work,
          remember("The deploy password is hunter2222"),
          remember("The deploy password is hunter2222", { secrets: "keep" }),
          remember("The deploy password is hunter2222", { secrets: "redact" }),
          verdict()
        ],
        async ({ env, requests }) => {
          put(place, "a.txt", "a\n")
          const { code, stderr } = await bough(place, ["run", "--reflect", "read it"], { env })
          assert.strictEqual(code, 0, stderr)
          assert.match(lastOf(requests[3]), /looks like a secret/)
          assert.match(lastOf(requests[4]), /Error: keeps what looks like a secret in memory, and asks are denied/)
          assert.notInclude((await bough(place, ["memory", "list"])).stdout, "hunter2222")
        }
      )
    ))

  it("saves nothing if it did not complete, and does not affect the run", () =>
    withTestFolder((place) =>
      withModel(
        [...work, remember("half a thought"), { status: 400, message: "no more" }],
        async ({ env, requests }) => {
          put(place, "a.txt", "a\n")
          const { code, stdout } = await bough(place, ["run", "--reflect", "read it"], { env })
          assert.deepStrictEqual([code, stdout], [0, "it says a\n"])
          assert.lengthOf(requests, 4)
          assert.strictEqual((await bough(place, ["memory", "list"])).stdout, "")
        }
      )
    ))

  it("saves nothing if it is killed, and the session continues without a trace of it", thoroughOnly, () =>
    withTestFolder((place) =>
      withModel(
        [...work, remember("half a thought"), { hangAfter: "well" }, say("on we go")],
        async ({ env, requests }) => {
          put(place, "a.txt", "a\n")
          const { child, ended } = start(place, ["run", "--reflect", "read it"], { env, stdin: "" })
          await until(() => requests.length === 4)
          child.kill("SIGKILL")
          await ended
          assert.strictEqual((await bough(place, ["memory", "list"])).stdout, "")
          const next = await bough(place, ["run", "--continue", "go on"], { env })
          assert.deepStrictEqual([next.code, next.stdout], [0, "on we go\n"])
          assert.notInclude(JSON.stringify(requests[4].messages), "half a thought")
          assert.strictEqual((await bough(place, ["memory", "list"])).stdout, "")
        }
      )
    )
  )

  it("comes at the end of a script's output, if it was requested", () =>
    withTestFolder((place) =>
      withModel([say("hello"), remember("Is called Ann"), verdict()], async ({ env }) => {
        const { stderr } = await bough(place, ["--reflect"], { env, stdin: "hi, I am Ann\n" })
        assert.include(stderr, "remembered: Is called Ann\n")
      })
    ))
})

describe.skipIf(tmux.skip)(`reflection on a conversation${tmux.suffix}`, () => {
  it("starts in a silence after work, shows its notes, and is counted by /cost", () =>
    withTestFolder((place) =>
      withModel([...work, remember("Works on a.txt"), verdict()], ({ env }) => {
        put(place, "a.txt", "a\n")
        configure(place, atOnce)
        return withScreen(place, { env, reflects: true }, async (screen) => {
          await screen.shows(/›\n.* workspace/)
          screen.type("read it")
          await screen.shows("remembered: Works on a.txt")
          screen.type("/cost")
          await screen.shows(/tokens in\s+40\b/)
          assert.notInclude(screen.text(), "save_memory")
        })
      })
    ))

  it("ends when the user writes, who is answered at once, or quits, and has saved nothing", () =>
    withTestFolder((place) =>
      withModel(
        [...work, remember("half a thought"), { hangAfter: "well" }, ...work, { hangAfter: "well" }],
        ({ env, requests }) => {
          put(place, "a.txt", "a\n")
          configure(place, atOnce)
          return withScreen(place, { env, reflects: true, args: ["--screen-reader"] }, async (screen) => {
            await screen.shows(/›$/)
            screen.type("read it")
            await until(() => requests.length === 4)
            screen.type("once more")
            await until(() => requests.length === 7)
            screen.type("/quit")
            await screen.shows("EXIT 0")
            assert.match(lastOf(requests[4]), /once more/)
            assert.match(lastOf(requests[6]), /person: read it[\s\S]*person: once more/)
            assert.strictEqual((await bough(place, ["memory", "list"])).stdout, "")
          })
        }
      )
    ))
})
