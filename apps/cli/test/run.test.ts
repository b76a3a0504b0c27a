/** `run`: one prompt, one answer on stdout, everything else on stderr, an exit code for the outcome. */
import { Usage } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { configure, lines, put, start, until, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { type Answer, model, say, withModel } from "./program/ModelServer.ts"
import { eventsOf } from "./program/Sequence.ts"

const call = (name: string, args: unknown): Answer => ({ text: "", calls: [{ name, arguments: args }] })
/** A call whose tokens are counted as a provider would. */
const callWithUsage = {
  text: "",
  calls: [{ name: "current_time", arguments: {} }],
  usage: { inputTokens: 2000, outputTokens: 5 }
}

const Printed = Schema.Struct({
  sessionId: Schema.NonEmptyString,
  status: Schema.Literals(["completed", "suspended", "stopped", "spent", "failed", "interrupted"]),
  text: Schema.String,
  usage: Usage.Usage,
  reason: Schema.optionalKey(Schema.String),
  approvals: Schema.optionalKey(Schema.Array(Schema.String))
})
const decodePrinted = Schema.decodeUnknownSync(Schema.fromJsonString(Printed), { onExcessProperty: "error" })

describe("bough run", () => {
  it("prints only the answer of the last step, and the calls on stderr", () =>
    withTestFolder((place) =>
      withModel(
        [{ text: "I look first.", calls: [{ name: "read_file", arguments: { path: "a.txt" } }] }, say("It says one.")],
        async ({ env, requests }) => {
          put(place, "a.txt", "one\n")
          const ended = await bough(place, ["run", "what is in a.txt?"], { env })
          assert.deepStrictEqual([ended.code, ended.stdout], [0, "It says one.\n"])
          assert.match(ended.stderr, /→ read_file path="a\.txt"/)
          assert.match(ended.stderr, /✓ Read a\.txt \(1 line\)/)
          assert.strictEqual(requests[0].model, "scripted")
          assert.include(JSON.stringify(requests[0].messages), "what is in a.txt?")
          assert.include(JSON.stringify(requests[1].messages), "one")
        }
      )
    ))

  it("marks a command that failed, also if its output is too long for the journal", () =>
    withTestFolder((place) =>
      withModel(
        [
          { text: "", calls: [{ name: "run_command", arguments: { command: "seq 20000; exit 3" } }] },
          { text: "", calls: [{ name: "run_command", arguments: { command: "seq 20000" } }] },
          say("Done.")
        ],
        async ({ env }) => {
          const ended = await bough(place, ["run", "count"], { env })
          assert.match(ended.stderr, /✗ \$ seq 20000; exit 3 · exit 3/)
          assert.match(ended.stderr, /✓ \$ seq 20000 · exit 0/)
        }
      )
    ))

  it("appends stdin to the prompt for --stdin, and reads none of it otherwise", () =>
    withTestFolder((place) =>
      withModel([say("1"), say("2"), say("3")], async ({ env, requests }) => {
        const run = (args: ReadonlyArray<string>, stdin: string) => bough(place, ["run", ...args], { env, stdin })
        assert.strictEqual((await run(["--stdin", "review it"], "+ a\n- b\n")).code, 0)
        assert.strictEqual((await run(["--stdin", "review it"], "")).code, 0)
        assert.strictEqual((await run(["review it"], "+ a\n")).code, 0)
        assert.deepStrictEqual(
          requests.map(({ messages }) => messages.findLast(({ role }) => role === "user")?.content),
          ["review it\n\n+ a\n- b\n", "review it", "review it"]
        )
      })
    ))

  it("reads the prompt from stdin for - and for none, and takes one that looks like a flag unchanged", () =>
    withTestFolder((place) =>
      withModel([say("1"), say("2"), say("3"), say("4")], async ({ env, requests }) => {
        assert.strictEqual((await bough(place, ["run", "-"], { env, stdin: "from stdin" })).stdout, "1\n")
        assert.strictEqual((await bough(place, ["run"], { env, stdin: "also from stdin\n" })).stdout, "2\n")
        assert.strictEqual((await bough(place, ["run", "- x", "--format", "text"], { env })).stdout, "3\n")
        assert.strictEqual((await bough(place, ["run", "--", "--help"], { env })).stdout, "4\n")
        assert.deepStrictEqual(
          requests.map(({ messages }) => messages.findLast(({ role }) => role === "user")?.content),
          ["from stdin", "also from stdin\n", "- x", "--help"]
        )
      })
    ))

  it("prints one object with --format json", () =>
    withTestFolder((place) =>
      withModel([call("read_file", { path: "a.txt" }), say("done \u202Ehidden")], async ({ env }) => {
        put(place, "a.txt", "one\n")
        const { code, stdout } = await bough(place, ["run", "--format", "json", "go"], { env })
        assert.strictEqual(code, 0)
        assert.lengthOf(lines(stdout), 1)
        assert.notInclude(stdout, "\u202E")
        const { sessionId, status, text, usage, ...rest } = decodePrinted(stdout)
        assert.match(sessionId, /^ses_/)
        assert.deepStrictEqual([status, text, rest], ["completed", "done \u202Ehidden", {}])
        assert.deepStrictEqual(usage, { inputTokens: 20, cachedInputTokens: 0, outputTokens: 10, costUsd: null })
      })
    ))

  it("prints every event as one line with --format stream-json", () =>
    withTestFolder((place) =>
      withModel([call("read_file", { path: "a.txt" }), say("It says one.")], async ({ env }) => {
        put(place, "a.txt", "one\n")
        const { code, stdout } = await bough(place, ["run", "--format", "stream-json", "go"], { env })
        assert.strictEqual(code, 0)
        const events = eventsOf(stdout)
        assert.deepStrictEqual(
          events
            .filter(({ _tag }) => _tag !== "TextDelta")
            .map((event) => (event._tag === "Recorded" ? event.entry.body._tag : event._tag)),
          [
            "Attached",
            "SessionOpened",
            "ContextAdded",
            "UserMessage",
            "TurnStarted",
            "StepStarted",
            "ModelReplied",
            "ToolStarted",
            "CallEnded",
            "StepStarted",
            "ModelReplied",
            "TurnEnded"
          ]
        )
        const text = events.flatMap((event) => (event._tag === "TextDelta" ? [event.text] : [])).join("")
        const last = events.at(-1)
        assert.strictEqual(text, "It says one.")
        assert.deepStrictEqual(last?._tag === "TurnEnded" ? [last.status, last.text] : null, ["completed", text])
      })
    ))

  it("continues with the newest session, with a named one, and with a prefix of its id", () =>
    withTestFolder((place) =>
      withModel([say("a"), say("b"), say("c"), say("d")], async ({ env, requests }) => {
        const first = decodePrinted(
          (await bough(place, ["run", "--format", "json", "about apples"], { env })).stdout
        ).sessionId
        const other = decodePrinted(
          (await bough(place, ["run", "--format", "json", "about pears"], { env })).stdout
        ).sessionId
        assert.notStrictEqual(first, other)
        // A single call is not a conversation to continue.
        assert.strictEqual((await bough(place, ["call", "current_time", "{}"])).code, 0)
        const again = decodePrinted(
          (await bough(place, ["run", "--continue", "--format", "json", "more"], { env })).stdout
        )
        assert.strictEqual(again.sessionId, other)
        assert.include(JSON.stringify(requests[2].messages), "pears")
        const part = ["run", "--session", first.slice(0, -2), "--format", "json", "more"]
        assert.strictEqual(decodePrinted((await bough(place, part, { env })).stdout).sessionId, first)
        assert.notInclude(JSON.stringify(requests[3].messages), "pears")
      })
    ))

  it(
    "works in --cwd, else in the directory where the command was typed, else in the current directory",
    thoroughOnly,
    () =>
      withTestFolder(async (place) => {
        put(place, "a.txt", "current\n")
        put(place, "typed/a.txt", "typed\n")
        put(place, "typed/given/a.txt", "given\n")
        const read = ["run", "read a.txt"]
        const env = { INIT_CWD: join(place.workspace, "typed") }
        assert.include((await bough(place, read)).stdout, "current")
        assert.include((await bough(place, read, { env })).stdout, "typed")
        assert.include((await bough(place, [...read, "--cwd", "given"], { env })).stdout, "given")
        assert.include((await bough(place, ["--cwd", "typed", ...read])).stdout, "typed")
      })
  )

  it("stops with 1 at the step limit, and says how to continue", () =>
    withTestFolder((place) =>
      withModel([call("current_time", {}), call("list_files", {})], async ({ env, requests }) => {
        const ended = await bough(place, ["run", "--max-steps", "2", "--format", "json", "go"], { env })
        const { reason, sessionId, status } = decodePrinted(ended.stdout)
        assert.deepStrictEqual([ended.code, status, requests.length], [1, "stopped", 2])
        assert.strictEqual(reason, "the step limit of 2 is reached")
        assert.include(ended.stderr, `bough run --session ${sessionId}`)
      })
    ))

  it("exits with 4 when the cost limit is spent, and requests no answer that would exceed it", () =>
    withTestFolder((place) =>
      withModel([callWithUsage, say("never")], async ({ env, requests }) => {
        // An output token costs ten cents; the prompt is cheap.
        const price = { inputPerMillionUsd: 1, outputPerMillionUsd: 100_000 }
        configure(place, JSON.stringify({ prices: { [model]: price } }))
        const run = (limit: string) => bough(place, ["run", "--max-cost", limit, "--format", "json", "go"], { env })
        const ended = await run("2")
        const { status, usage } = decodePrinted(ended.stdout)
        assert.deepStrictEqual([ended.code, status, usage.costUsd, requests.length], [4, "spent", 0.502, 1])
        assert.strictEqual(requests[0].max_tokens, 19)
        const shown = await bough(place, ["tree"])
        assert.include(shown.stdout, "$0.50 of 2")
        const tooLittle = await run("1")
        assert.deepStrictEqual([tooLittle.code, requests.length], [4, 1])
        assert.match(
          tooLittle.stderr,
          /the cost limit of \$1 has too little left for a step, whose prompt may have up to [\d,]+ tokens/
        )
      })
    ))

  it("exits with 4 when its time ends in the middle of an answer, and prints the part received", () =>
    withTestFolder((place) =>
      withModel([{ hangAfter: "half of it" }], async ({ env, requests }) => {
        configure(place, '{ "limits": { "maxActiveMinutes": 0.02 } }')
        const ended = await bough(place, ["run", "--format", "json", "go"], { env })
        const { reason, status, text } = decodePrinted(ended.stdout)
        assert.deepStrictEqual([ended.code, status, text, requests.length], [4, "spent", "half of it", 1])
        assert.strictEqual(reason, "the limit of 1.2 s of work is spent")
      })
    ))

  it("exits with 4 when a limit of the whole tree is spent; a project can lower it and not raise it", () =>
    withTestFolder((place) =>
      withModel([call("current_time", {}), call("list_files", {}), say("never")], async ({ env, requests }) => {
        configure(place, '{ "limits": { "maxTreeSteps": 2 } }')
        const run = () => bough(place, ["run", "--trust", "--format", "json", "go"], { env })
        put(place, ".bough/config.jsonc", '{ "limits": { "maxTreeSteps": 1 } }')
        const lower = await run()
        assert.deepStrictEqual([lower.code, decodePrinted(lower.stdout).status, requests.length], [4, "spent", 1])
        assert.strictEqual(decodePrinted(lower.stdout).reason, "the limit of 1 steps is spent")
        assert.include(lower.stderr, "limits in the configuration")
        put(place, ".bough/config.jsonc", '{ "limits": { "maxTreeSteps": 3 } }')
        configure(place, '{ "limits": { "maxTreeSteps": 1 } }')
        assert.strictEqual((await run()).code, 4)
        assert.lengthOf(requests, 2)
      })
    ))

  it("exits with 3 if a call needs an approval and no user can be asked, and does not run the call", () =>
    withTestFolder((place) =>
      withModel([call("delete_path", { path: "a.txt" }), say("waiting")], async ({ env }) => {
        const file = put(place, "a.txt", "precious\n")
        const ended = await bough(place, ["run", "--format", "json", "delete it"], { env })
        const { approvals = [], sessionId, status } = decodePrinted(ended.stdout)
        assert.deepStrictEqual([ended.code, status, existsSync(file)], [3, "suspended", true])
        assert.lengthOf(approvals, 1)
        assert.include(
          ended.stderr,
          `"bough approvals approve ${approvals[0]}", or "bough approvals deny ${approvals[0]} --words`
        )
        assert.include(ended.stderr, `bough run --session ${sessionId} --continue`)
        assert.match(ended.stderr, /pending approval: delete_path .*a\.txt.*Elevated/)
        assert.include(ended.stderr, `bough --session ${sessionId}`)
      })
    ))

  it("--approve deny refuses instead, and the model continues", () =>
    withTestFolder((place) =>
      withModel([call("delete_path", { path: "a.txt" }), say("then not")], async ({ env, requests }) => {
        const file = put(place, "a.txt", "precious\n")
        const ended = await bough(place, ["run", "--approve", "deny", "delete it"], { env })
        assert.deepStrictEqual([ended.code, ended.stdout, existsSync(file)], [0, "then not\n", true])
        assert.match(JSON.stringify(requests[1].messages), /Error: /)
      })
    ))

  it("--approve allow approves no Elevated call: that needs a user", () =>
    withTestFolder((place) =>
      withModel([call("delete_path", { path: "a.txt" }), say("waiting")], async ({ env }) => {
        const file = put(place, "a.txt", "precious\n")
        const ended = await bough(place, ["run", "--approve", "allow", "delete it"], { env })
        assert.deepStrictEqual([ended.code, existsSync(file)], [3, true])
      })
    ))

  it("--allow approves the call that its rule covers, and no other", () =>
    withTestFolder((place) =>
      withModel(
        [call("delete_path", { path: "a.txt" }), call("delete_path", { path: "b.txt" }), say("x")],
        async ({ env }) => {
          const [a, b] = [put(place, "a.txt", "a\n"), put(place, "b.txt", "b\n")]
          const ended = await bough(place, ["run", "--allow", "delete_path path=a.txt", "delete both"], { env })
          assert.deepStrictEqual([ended.code, existsSync(a), existsSync(b)], [3, false, true])
        }
      )
    ))

  it("exits with 130 on Ctrl-C, records it, and leaves the session usable", () =>
    withTestFolder((place) =>
      withModel([{ hangAfter: "Let me think" }, say("on we go")], async ({ env, requests }) => {
        const running = start(place, ["run", "--format", "stream-json", "think"], { env })
        await until(() => running.stdout().includes("Let me think"))
        running.child.kill("SIGINT")
        const ended = await running.ended
        assert.deepStrictEqual([ended.code, ended.signal], [130, null])
        assert.strictEqual(lines(ended.stderr).at(-1), "bough: interrupted")
        assert.include(JSON.stringify(eventsOf(ended.stdout)), "interrupted")
        const again = await bough(place, ["run", "--continue", "go on"], { env })
        assert.deepStrictEqual([again.code, again.stdout], [0, "on we go\n"])
        assert.include(JSON.stringify(requests[1].messages), "Let me think")
      })
    ))

  it("stops quietly when the reader of its events closes the pipe", thoroughOnly, () =>
    withTestFolder((place) =>
      withModel([{ hangAfter: "Let me think" }], async ({ env }) => {
        const running = start(place, ["run", "--format", "stream-json", "think"], { env })
        await until(() => running.stdout().includes("StepStarted"))
        running.child.stdout?.destroy()
        const ended = await running.ended
        assert.strictEqual(ended.code, 130)
        assert.notMatch(ended.stderr, /EPIPE|at .*:\d+:\d+/)
      })
    )
  )

  it("sends the model less than 9,000 bytes to answer hi in an empty directory", () =>
    withTestFolder((place) =>
      withModel([say("hi")], async ({ bodies, env }) => {
        assert.strictEqual((await bough(place, ["run", "hi"], { env })).code, 0)
        assert.isBelow(Buffer.byteLength(bodies[0]), 9000)
      })
    ))

  it("exits with 1 if the offline model does not understand the prompt", () =>
    withTestFolder(async (place) => {
      const declined = await bough(place, ["run", "what does this project do?"])
      assert.deepStrictEqual([declined.code, declined.stdout.includes("I can't do that offline")], [1, true])
      assert.strictEqual((await bough(place, ["run", "what time is it"])).code, 0)
    }))

  it("names the model and the reason if the offline one is used unrequested", () =>
    withTestFolder(async (place) => {
      put(place, "a.txt", "one\n")
      const found = await bough(place, ["run", 'write "hello" to b.txt'])
      assert.match(found.stderr, /no model is configured: offline demo mode; set ANTHROPIC_API_KEY/)
      assert.strictEqual(found.code, 0, found.stderr)
      const named = await bough(place, ["run", "--model", "offline/planner", "read a.txt"])
      assert.notInclude(named.stderr, "offline demo mode")
      assert.include(named.stdout, "one")
      assert.isTrue(existsSync(join(place.data, "bough.db")))
      assert.strictEqual(readFileSync(join(place.workspace, "b.txt"), "utf8").trim(), "hello")
    }))
})
