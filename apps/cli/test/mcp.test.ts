/**
 * The built program as a server of the Model Context Protocol, and its list of servers, with a client of the official
 * SDK.
 */
import { assert, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { CallToolResultSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { existsSync, readFileSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { binary, bough, configure, type TestFolder, put, start, withTestFolder } from "./program/Bough.ts"

interface Person {
  /** The answer to each elicitation; absent: the client supports none. */
  readonly decision?: "approve" | "deny"
}

const clientOf = ({ decision }: Person, requests: Array<string>): Client => {
  const capabilities = decision === undefined ? {} : { elicitation: { form: {} } }
  const client = new Client({ name: "test", version: "1" }, { capabilities })
  if (decision !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      requests.push(params.message)
      return { action: "accept", content: { decision } }
    })
  }
  return client
}

const withClient = async <A>(
  place: TestFolder,
  { args = [], ...person }: Person & { readonly args?: ReadonlyArray<string> },
  use: (client: Client, questions: ReadonlyArray<string>) => Promise<A>
): Promise<A> => {
  const requested: Array<string> = []
  const client = clientOf(person, requested)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [binary, "mcp", "serve", ...args],
      cwd: place.workspace,
      env: { ...place.env },
      stderr: "ignore"
    })
  )
  try {
    return await use(client, requested)
  } finally {
    await client.close()
  }
}

const textOf = (result: Awaited<ReturnType<Client["callTool"]>>): string => {
  const [part] = result.content as ReadonlyArray<{ readonly type: string; readonly text?: string }>
  return part?.text ?? ""
}

describe("bough mcp serve", () => {
  it("offers its tools with typed output, and refuses calls that need an approval if no user can be asked", () =>
    withTestFolder(async (place) => {
      put(place, "note.txt", "the moon\n")
      await withClient(place, { args: ["--pack", "files"] }, async (client) => {
        const { tools } = await client.listTools()
        const names = tools.map(({ name }) => name)
        assert.includeMembers(names, ["read_file", "write_file"])
        assert.notInclude(names, "run_command")
        const read = await client.callTool({ name: "read_file", arguments: { path: "note.txt" } })
        assert.include(textOf(read), "the moon")
        assert.strictEqual(typeof read.structuredContent, "object")
        const refused = await client.callTool({ name: "delete_path", arguments: { path: "note.txt" } })
        assert.isTrue(refused.isError)
        assert.match(textOf(refused), /cannot ask its user[^]*--allow 'delete_path …'/u)
        assert.isTrue(existsSync(join(place.workspace, "note.txt")))
        const wrong = await client.callTool({ name: "read_file", arguments: { file: "note.txt" } })
        assert.isTrue(wrong.isError)
        assert.match(textOf(wrong), /path/u)
      })
      // The calls of the connection are a session with receipts.
      const { stdout } = await bough(place, ["log"])
      assert.match(stdout, /read_file/u)
      const [session] = JSON.parse((await bough(place, ["sessions", "list", "--format", "json"])).stdout)
      assert.strictEqual((await bough(place, ["verify", session.sessionId])).code, 0)
    }))

  it("asks the user at the client, and obeys the answer", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const path = put(place, "note.txt", "the moon\n")
      const call = { name: "delete_path", arguments: { path: "note.txt" } }
      await withClient(place, { decision: "deny" }, async (client, request) => {
        const denied = await client.callTool(call)
        assert.isTrue(denied.isError)
        assert.match(request[0] ?? "", /^delete_path \(Elevated\) asks for your approval/u)
        assert.isTrue(existsSync(path))
      })
      await withClient(place, { decision: "approve" }, async (client) => {
        assert.notStrictEqual((await client.callTool(call)).isError, true)
        assert.isFalse(existsSync(path))
      })
    })
  )

  it("cancels a call with its request, and shows its progress", thoroughOnly, () =>
    withTestFolder((place) =>
      withClient(place, { decision: "approve", args: ["--approve", "commands"] }, async (client) => {
        const stop = new AbortController()
        const progress: Array<string> = []
        const running = client.request(
          { method: "tools/call", params: { name: "run_command", arguments: { command: "echo begun; sleep 60" } } },
          CallToolResultSchema,
          {
            signal: stop.signal,
            onprogress: ({ message }) => {
              progress.push(message ?? "")
              if (progress.join("").includes("begun")) stop.abort()
            }
          }
        )
        await running.then(
          () => assert.fail("it was cancelled"),
          () => {}
        )
        assert.include(progress.join("\n"), "begun")
        const { tools } = await client.listTools()
        assert.isAbove(tools.length, 10)
      })
    )
  )

  it("runs a whole agent as one tool", thoroughOnly, () =>
    withTestFolder(async (place) => {
      put(place, "note.txt", "the moon\n")
      await withClient(place, { args: ["--run-agent", "--model", "offline/planner"] }, async (client) => {
        const done = await client.callTool({ name: "run_agent", arguments: { prompt: "read note.txt" } })
        assert.include(JSON.stringify(done.structuredContent), "the moon")
      })
    })
  )

  it("serves HTTP on loopback only to clients with the token, and refuses pages of other sites", thoroughOnly, () =>
    withTestFolder(async (place) => {
      put(place, "note.txt", "the moon\n")
      const served = start(place, ["mcp", "serve", "--http", "0"], { env: { BOUGH_MCP_TOKEN: "sesame" } })
      try {
        const url = await new Promise<string>((resolve) => {
          served.child.stderr?.on("data", () => {
            const found = /serving (\S+),/u.exec(served.stderr())?.[1]
            if (found !== undefined) resolve(found)
          })
        })
        const status = (headers: Readonly<Record<string, string>>) =>
          new Promise<number>((resolve, reject) => {
            const sent = request(url, { method: "POST", headers }, (response) => {
              response.resume()
              resolve(response.statusCode ?? 0)
            })
            sent.on("error", reject).end("{}")
          })
        const authorization = "Bearer sesame"
        assert.deepStrictEqual(
          await Promise.all([
            status({}),
            status({ authorization: "Bearer open" }),
            status({ authorization, host: "evil.example" }),
            status({ authorization, origin: "https://evil.example" })
          ]),
          [401, 401, 403, 403]
        )
        const client = clientOf({}, [])
        await client.connect(
          new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } })
        )
        const [one, other] = await Promise.all(
          [1, 2].map(() => client.callTool({ name: "read_file", arguments: { path: "note.txt" } }))
        )
        assert.include(textOf(one), "the moon")
        assert.include(textOf(other), "the moon")
        await client.close()
      } finally {
        served.child.kill("SIGTERM")
        await served.ended
      }
    })
  )
})

describe("bough mcp list", () => {
  it("shows each server with its state and tools, and the reason why a tool is not used", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const probe = new URL("../../../packages/host/test/mcp/probe.mjs", import.meta.url)
      put(place, "probe.mjs", readFileSync(probe, "utf8"))
      const mcpServers = {
        probe: { command: "node", args: ["probe.mjs"], startSeconds: 240 },
        dead: { command: "/no/such/program" },
        off: { command: "node", enabled: false }
      }
      configure(place, JSON.stringify({ mcpServers }))
      // The first call waits until its server has listed its tools.
      const calling = (tool: string) => bough(place, ["call", tool, "{}"])
      assert.include((await calling("probe__look")).stdout, "probe__look: text: is missing")
      assert.include(
        (await calling("dead__look")).stdout,
        "dead__look is not available: the MCP server dead is unavailable: "
      )
      const { code, stdout } = await bough(place, ["mcp", "list", "--format", "json"])
      assert.strictEqual(code, 0)
      const listed = JSON.parse(stdout) as ReadonlyArray<{
        name: string
        status: string
        tools: ReadonlyArray<unknown>
      }>
      assert.deepStrictEqual(
        listed.map(({ name, status, tools }) => [name, status, tools]),
        [
          ["dead", "failed", []],
          [
            "probe",
            "connected",
            [
              { name: "probe__look", tier: "System" },
              { name: "probe__peek", tier: "System" }
            ]
          ],
          ["off", "unused", []]
        ]
      )
    })
  )
})
