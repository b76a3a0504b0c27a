/** Sessions of named agents below a conversation: they have fewer rights than their parent, and report their answer. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type TestFolder, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { type Answer, type ModelServer, type Request, withModel } from "./program/ModelServer.ts"

const put = (place: TestFolder, name: string, keys: ReadonlyArray<string>, body: string): void => {
  const file = join(dirname(place.config), "agents", `${name}.md`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, ["---", `name: ${name}`, `description: The ${name}`, ...keys, "---", body, ""].join("\n"))
}

const call = (name: string, callArguments: unknown): Answer => ({
  text: "",
  calls: [{ name, arguments: callArguments }]
})
const yes: Answer = { text: "yes" }
const outputSchema = { type: "object", properties: { faults: { type: "number" } }, required: ["faults"] }

/** An image of one pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const textOf = (request: Request): string => JSON.stringify(request.messages)
const isOf = (request: Request, name: string): boolean => textOf(request).includes(`You are the agent ${name} (`)
const toolsOf = ({ tools = [] }: Request): ReadonlyArray<string> => tools.map((tool) => tool.function.name)
const results = ({ messages }: Request): ReadonlyArray<string> =>
  messages.flatMap(({ content, role }) => (role === "tool" ? [JSON.stringify(content)] : []))

/** The answers of each agent in order; "" is the conversation's. */
const cast = (lines: Readonly<Record<string, ReadonlyArray<Answer>>>) => {
  const repliesByAgent = new Map<string, number>()
  return (request: Request): Answer => {
    const name = Object.keys(lines).find((one) => one !== "" && isOf(request, one)) ?? ""
    const at = repliesByAgent.get(name) ?? 0
    repliesByAgent.set(name, at + 1)
    return lines[name]?.[at] ?? yes
  }
}

const run = (
  lines: Readonly<Record<string, ReadonlyArray<Answer>>>,
  use: (place: TestFolder, server: ModelServer) => Promise<void>
): Promise<void> => withTestFolder((place) => withModel(cast(lines), (server) => use(place, server)))

const last = (server: ModelServer, name: string): Request => {
  const found = server.requests.findLast((request) => (name === "" ? !isOf(request, "reviewer") : isOf(request, name)))
  if (found === undefined) throw new Error(`no request of ${name}`)
  return found
}

describe("delegate", () => {
  it("returns the typed answer of an agent that has only its own tools", () =>
    run(
      {
        "": [call("delegate", { agent: "reviewer", task: "look", outputSchema }), { text: "done" }],
        reviewer: [call("write_file", { path: "a.txt", content: "x" }), call("return_result", { faults: 2 }), yes]
      },
      async (place, server) => {
        put(place, "reviewer", ["tools: [read_file]"], "Name file and line.")
        const ended = await bough(place, ["run", "look at it"], { env: server.env })
        assert.strictEqual(ended.code, 0, ended.stderr)
        const lastRequest = last(server, "reviewer")
        assert.include(textOf(lastRequest), "Name file and line.")
        assert.include(toolsOf(lastRequest), "read_file")
        assert.notInclude(toolsOf(lastRequest), "run_command")
        assert.match(results(lastRequest)[0] ?? "", /write_file/)
        assert.isFalse(existsSync(join(place.workspace, "a.txt")))
        const finalRequest = last(server, "")
        assert.match(results(finalRequest)[0] ?? "", /ses_\w+ completed/)
        assert.match(textOf(finalRequest), /result of session ses_\w+: completed\]\\n\{\\"faults\\":2\}/)
      }
    ))

  it("names the existing agents if an unknown one is requested", () =>
    run(
      {
        "": [
          call("delegate", { agent: "rewiever", task: "look" }),
          call("spawn_worker", { agent: "nobody", task: "look" }),
          { text: "done" }
        ]
      },
      async (place, server) => {
        put(place, "reviewer", [], "Look.")
        await bough(place, ["run", "look at it"], { env: server.env })
        const [first, second] = results(last(server, ""))
        assert.match(first ?? "", /unknown agent ..rewiever..; did you mean reviewer/)
        assert.match(second ?? "", /unknown agent ..nobody.*the agents are reviewer/)
        assert.include(server.bodies[0], "reviewer: The reviewer")
      }
    ))

  it("applies the rules, limits and narrowing of the agent to all its descendants", () =>
    run(
      {
        "": [call("delegate", { agent: "reviewer", task: "look" }), { text: "done" }],
        reviewer: [
          call("spawn_branch", { agent: "helper", task: "help" }),
          call("wait_for_sessions", {}),
          call("write_file", { path: "a.txt", content: "x" }),
          yes,
          yes,
          yes
        ],
        helper: [call("write_file", { path: "b.txt", content: "x" }), call("read_file", { path: "c.txt" }), yes]
      },
      async (place, server) => {
        put(
          place,
          "reviewer",
          [
            "tools: [read_file, write_file, spawn_branch, wait_for_sessions]",
            "rules: { deny: [write_file] }",
            "limits: { maxSteps: 4 }"
          ],
          "Look."
        )
        put(place, "helper", ["tools: [write_file, run_command]"], "Help.")
        const ended = await bough(place, ["run", "look at it"], { env: server.env })
        assert.strictEqual(ended.code, 0, ended.stderr)
        const helper = server.requests.findLast((request) => isOf(request, "helper"))
        assert.isDefined(helper)
        // The agent lacks the tools that its parent lacks and the tools that its file does not name, and its parent's
        // rule applies.
        assert.deepStrictEqual(
          toolsOf(helper ?? { model: "", messages: [] }).filter((name) => /file|command/u.test(name)),
          ["write_file"]
        )
        assert.match(results(helper ?? { model: "", messages: [] })[0] ?? "", /denied by the rule/)
        assert.isFalse(existsSync(join(place.workspace, "a.txt")) || existsSync(join(place.workspace, "b.txt")))
        const steps = server.requests.filter((request) => isOf(request, "reviewer")).length
        assert.isAtMost(steps, 4)
      }
    ))

  it("gives the calling session the images that the agent sent, and the names of all its files", () => {
    const names = ["gone.png", "notes.txt", ...Array.from({ length: 10 }, (_, at) => `picture-${at}.png`)]
    const sends = names.map((path) => ({ name: "send_media", arguments: { path } }))
    return run(
      {
        "": [call("delegate", { agent: "reviewer", task: "paint" }), { text: "done" }],
        reviewer: [
          { text: "", calls: sends },
          call("move_path", { from: "gone.png", to: "moved.png" }),
          { text: "painted" }
        ]
      },
      async (place, server) => {
        put(place, "reviewer", [], "Paint.")
        for (const name of names) {
          writeFileSync(join(place.workspace, name), name === "notes.txt" ? "notes" : Buffer.from(pixel, "base64"))
        }
        const ended = await bough(place, ["run", "--approve", "allow", "paint it"], { env: server.env })
        assert.strictEqual(ended.code, 0, ended.stderr)
        const sentText = textOf(last(server, ""))
        for (const name of names) assert.include(sentText, `it sent ${name}`)
        assert.lengthOf(sentText.match(new RegExp(`data:image/png;base64,${RegExp.escape(pixel)}`, "gu")) ?? [], 8)
        assert.notInclude(sentText, Buffer.from("notes").toString("base64"))
      }
    )
  })

  it("names the files that a branch sent to the calling session, which can then read them", () =>
    run(
      {
        "": [
          call("spawn_branch", { agent: "reviewer", task: "paint" }),
          call("wait_for_sessions", {}),
          call("read_file", { path: "picture.png" }),
          { text: "done" }
        ],
        reviewer: [call("send_media", { path: "picture.png" }), { text: "painted" }]
      },
      async (place, server) => {
        put(place, "reviewer", [], "Paint.")
        writeFileSync(join(place.workspace, "picture.png"), Buffer.from(pixel, "base64"))
        const ended = await bough(place, ["run", "--approve", "allow", "paint it"], { env: server.env })
        assert.strictEqual(ended.code, 0, ended.stderr)
        const sentText = textOf(last(server, ""))
        assert.match(sentText, /result of session ses_\w+: completed\]\\npainted\\n\[it sent picture\.png\]/u)
        assert.include(sentText, `data:image/png;base64,${pixel}`)
      }
    ))

  it("names the images that a branch and its worker only looked at to the calling session, and shows them again", () => {
    const seen = /\[it saw ([^\]]*); read_file shows an image again\]/u
    const names = Array.from({ length: 10 }, (_, at) => `picture-${at}.png`)
    const look = (path: string) => ({ name: "read_file", arguments: { path } })
    let output = ""
    return withTestFolder((place) =>
      withModel(
        (request) => {
          const text = textOf(request)
          // A worker cannot start others.
          const isWorker = !toolsOf(request).includes("spawn_worker")
          if (isWorker)
            return results(request).length === 0 ? { text: "", calls: names.map(look) } : { text: "looked too" }
          if (isOf(request, "reviewer")) {
            if (text.includes("result of session")) return { text: "looked" }
            return results(request).length === 0
              ? { text: "", calls: [look("one.png"), { name: "spawn_worker", arguments: { task: "look too" } }] }
              : call("wait_for_sessions", {})
          }
          const match = seen.exec(text)
          if (match === null) {
            return results(request).length === 0
              ? call("spawn_branch", { agent: "reviewer", task: "look" })
              : call("wait_for_sessions", {})
          }
          output = match[1]
          if (text.includes("data:image/png")) return { text: "done" }
          for (const name of ["one.png", ...names]) rmSync(join(place.workspace, name), { force: true })
          const [reference = ""] = output.match(/blob:[\w.-]+/gu) ?? []
          return { text: "", calls: [look(reference), look("blob:call_unknown.0")] }
        },
        async (server) => {
          put(place, "reviewer", [], "Look.")
          for (const name of ["one.png", ...names])
            writeFileSync(join(place.workspace, name), Buffer.from(pixel, "base64"))
          const ended = await bough(place, ["run", "look at it"], { env: server.env })
          assert.strictEqual(ended.code, 0, ended.stderr)
          // At most eight, the newest.
          const shown = output.split(", ").map((one) => one.replace(/ \(blob:[\w.-]+\)$/u, ""))
          assert.lengthOf(new Set(shown), 8)
          assert.includeMembers(["one.png", ...names], shown)
          assert.include(shown, "picture-9.png")
          const lastRequest = last(server, "")
          assert.include(textOf(lastRequest), `data:image/png;base64,${pixel}`)
          assert.match(results(lastRequest).join("\n"), /this session has no output call_unknown\.0/u)
        }
      )
    )
  })
})
