/**
 * Agents narrow a session: its tools, calls, limits and instructions. Agents of a project apply once they are trusted.
 */
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type TestFolder, put, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { type Answer, type ModelServer, withModel } from "./program/ModelServer.ts"

const agent = (name: string, keys: ReadonlyArray<string> = [], body = "Name file and line."): string =>
  ["---", `name: ${name}`, `description: The ${name} of changes`, ...keys, "---", body, ""].join("\n")

const putOwn = (place: TestFolder, name: string, text: string): void => {
  const file = join(dirname(place.config), "agents", `${name}.md`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const run = (
  script: ReadonlyArray<Answer>,
  use: (place: TestFolder, server: ModelServer) => Promise<void>
): Promise<void> => withTestFolder((place) => withModel(script, (server) => use(place, server)))

const yes: Answer = { text: "yes" }
const writing = { text: "", calls: [{ name: "write_file", arguments: { path: "a.txt", content: "x" } }] }

const toolsOf = ({ requests }: ModelServer, at: number): ReadonlyArray<string> =>
  (requests[at].tools ?? []).map((tool) => tool.function.name)

describe("agents", () => {
  it("have only the tools that they name, and read their instructions", () =>
    run([writing, yes, yes], async (place, server) => {
      putOwn(place, "reviewer", agent("reviewer", ["tools: [read_file, search_files]"]))
      const ended = await bough(place, ["run", "--agent", "reviewer", "hi"], { env: server.env })
      assert.strictEqual(ended.code, 0, ended.stderr)
      assert.include(toolsOf(server, 0), "read_file")
      assert.notInclude(server.bodies[0], "write_file")
      assert.include(server.bodies[0], "Name file and line.")
      const answer = server.requests[1].messages.findLast(({ role }) => role === "tool")
      assert.match(JSON.stringify(answer), /write_file/)
      assert.match(JSON.stringify(answer), /no tool|unknown|not a tool/i)
      await bough(place, ["run", "hi"], { env: server.env })
      assert.include(toolsOf(server, 2), "write_file")
      assert.notInclude(server.bodies[2], "You are the agent reviewer")
    }))

  it("have their calls denied by their own rules, and record name and digest in the journal", () =>
    run([writing, yes, writing, yes], async (place, server) => {
      putOwn(place, "keeper", agent("keeper", ["rules: { deny: [write_file] }"]))
      await bough(place, ["run", "--agent", "keeper", "hi"], { env: server.env })
      assert.match(server.bodies[1], /denied/i)
      const shown = await bough(place, ["agents", "show", "keeper", "--format", "json"])
      const { digest } = JSON.parse(shown.stdout) as { readonly digest: string }
      const listed = JSON.parse(
        (await bough(place, ["sessions", "list", "--format", "json"])).stdout
      ) as ReadonlyArray<{
        readonly sessionId: string
        readonly agent: string
      }>
      assert.strictEqual(listed[0].agent, "keeper")
      const journal = (await bough(place, ["sessions", "export", listed[0].sessionId])).stdout
      assert.include(journal, `You are the agent keeper (${digest})`)
      await bough(place, ["run", "hi"], { env: server.env })
      assert.notMatch(server.bodies[3], /denied/i)
    }))

  it("stay with their session, which continues with its agent alone", () =>
    run([yes, yes, yes], async (place, server) => {
      putOwn(place, "keeper", agent("keeper", ["tools: [read_file]"]))
      putOwn(place, "other", agent("other"))
      await bough(place, ["run", "--agent", "keeper", "hi"], { env: server.env })
      const listed = await bough(place, ["sessions", "list", "--format", "json"])
      const [{ sessionId }] = JSON.parse(listed.stdout) as ReadonlyArray<{ readonly sessionId: string }>
      for (const flags of [["--continue"], ["--agent", "keeper", "--session", sessionId]]) {
        const again = await bough(place, ["run", ...flags, "more"], { env: server.env })
        assert.strictEqual(again.code, 0, again.stderr)
      }
      assert.strictEqual(server.bodies.length, 3)
      for (const body of server.bodies) assert.notInclude(body, "write_file")
      const wrong = await bough(place, ["run", "--agent", "other", "--session", sessionId, "more"], { env: server.env })
      assert.strictEqual(wrong.code, 2)
      assert.match(wrong.stderr, /belongs to the agent keeper, not to other — omit --agent/)
      putOwn(place, "keeper", "no agent")
      const gone = await bough(place, ["run", "--continue", "more"], { env: server.env })
      assert.strictEqual(gone.code, 2)
      assert.match(gone.stderr, /keeper/)
    }))

  it("of a project apply once they are trusted, and replace none of the user's", () =>
    run([yes], async (place, { env, ...server }) => {
      put(place, ".bough/agents/keeper.md", agent("keeper", [], "The project's words."))
      const before = await bough(place, ["run", "--agent", "keeper", "hi"], { env })
      assert.strictEqual(before.code, 2)
      assert.match(
        before.stderr,
        /agent "keeper" is not used, because .*keeper\.md is not trusted .* pass --trust once/
      )
      const unknown = await bough(place, ["run", "--agent", "other", "hi"], { env })
      assert.match(unknown.stderr, /unknown agent "other" — /)
      await bough(place, ["run", "--trust", "--agent", "keeper", "hi"], { env })
      assert.include(server.bodies[0], "The project's words.")
      putOwn(place, "keeper", agent("keeper", [], "My words."))
      const listed = await bough(place, ["agents"])
      assert.match(listed.stdout, /^keeper {2}~\/.*keeper\.md {2}The keeper of changes$/m)
      assert.match(listed.stderr, /\.bough\/agents\/keeper\.md is not used: .* defines the agent keeper too/)
    }))

  it("narrow limits, may be set in the configuration, and get suggestions for a misspelt name", () =>
    run([writing, yes], async (place, server) => {
      mkdirSync(dirname(place.config), { recursive: true })
      const written = { description: "Does little", limits: { maxSteps: 1 }, tools: ["write_file"] }
      writeFileSync(place.config, JSON.stringify({ limits: { maxSteps: 9 }, agents: { brief: written } }))
      const ended = await bough(place, ["run", "--agent", "brief", "hi"], { env: server.env })
      assert.notStrictEqual(ended.code, 0)
      assert.strictEqual(server.bodies.length, 1)
      const misspelt = await bough(place, ["run", "--agent", "breif", "hi"], { env: server.env })
      assert.strictEqual(misspelt.code, 2)
      assert.match(misspelt.stderr, /unknown agent "breif"; did you mean brief\?/)
    }))

  it.each([
    ["an unknown key", agent("keeper", ["allow: [write_file]"]), /keeper\.md is not used: .*unknown key allow/],
    ["a rule that allows", agent("keeper", ["rules: { allow: [write_file] }"]), /not used: .*unknown key rules\.allow/],
    ["a name that is a path", agent("../keeper"), /keeper\.md is not used: .*name: /],
    ["no front matter", "Only text", /keeper\.md is not used: it does not start with front matter/]
  ] as const)("are refused with %s, and the reason is printed", (_, text, expected) =>
    withTestFolder(async (place) => {
      putOwn(place, "keeper", text)
      const listed = await bough(place, ["agents"])
      assert.match(listed.stderr, expected)
      assert.strictEqual(listed.stdout, "")
    })
  )

  it("that name an unknown tool fail with the nearest name", () =>
    run([yes], async (place, server) => {
      putOwn(place, "keeper", agent("keeper", ["tools: [reed_file]"]))
      const ended = await bough(place, ["run", "--agent", "keeper", "hi"], { env: server.env })
      assert.strictEqual(ended.code, 2)
      assert.match(ended.stderr, /unknown tool "reed_file"; did you mean read_file\?/)
      assert.strictEqual(server.bodies.length, 0)
    }))
})
