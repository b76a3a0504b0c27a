/** The official client of the Model Context Protocol talks to hosted agents. */
import { assert, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import * as Effect from "effect/Effect"
import { thoroughOnly } from "../../../../test/thorough.ts"
import * as Served from "./served.ts"

interface Connected {
  readonly client: Client
  readonly transport: StreamableHTTPClientTransport
  readonly asked: ReadonlyArray<string>
}

/** `decision`: the answer of the user at the client; absent: the client supports no elicitation. */
const connect = async (url: string, token: string, decision?: "approve" | "deny"): Promise<Connected> => {
  const requested: Array<string> = []
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: decision === undefined ? {} : { elicitation: {} } }
  )
  if (decision !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      requested.push(params.message)
      return { action: "accept", content: { decision } }
    })
  }
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit })
  await client.connect(transport)
  return { client, transport, asked: requested }
}

const run = ({ client }: Connected, parameters: Readonly<Record<string, string>>) =>
  client.callTool({ name: "run_agent", arguments: parameters })

const textOf = ({ content }: Awaited<ReturnType<typeof run>>): string =>
  (content as ReadonlyArray<{ readonly text: string }>).map(({ text }) => text).join("\n")

const sessionOf = ({ structuredContent }: Awaited<ReturnType<typeof run>>): string =>
  (structuredContent as { readonly sessionId: string }).sessionId

describe("a client of the Model Context Protocol", () => {
  it.live(
    "gives tasks to a hosted agent, sees its progress, and continues with a session",
    () =>
      Served.serve(
        [
          { text: "Looking.", calls: [{ name: "list_files", arguments: {} }] },
          { text: "Nothing here." },
          { text: "Still nothing." }
        ],
        ({ gateway, token, tokenOf }) =>
          Effect.promise(async () => {
            const ada = await connect(gateway.url, token)
            assert.deepStrictEqual(
              (await ada.client.listTools()).tools.map(({ name }) => name),
              ["run_agent"]
            )
            const progress: Array<string> = []
            const first = await ada.client.callTool(
              { name: "run_agent", arguments: { prompt: "What is there?" } },
              undefined,
              { onprogress: ({ message = "" }) => void progress.push(message) }
            )
            assert.strictEqual(textOf(first), "Nothing here.")
            assert.include(progress, "runs list_files")
            const session = sessionOf(first)
            const again = await run(ada, { prompt: "Sure?", session })
            assert.deepInclude(again.structuredContent, {
              sessionId: session,
              status: "completed",
              text: "Still nothing."
            })
            const unknown = await run(ada, { prompt: "Go", agent: "none" })
            assert.isTrue(unknown.isError)
            assert.include(textOf(unknown), "the agents are bough")
            assert.isTrue((await run(ada, { task: "Go" })).isError)

            // Another user has access to neither the session nor the connection.
            const other = await Effect.runPromise(tokenOf("acme/eve"))
            const eve = await connect(gateway.url, other)
            const refused = await run(eve, { prompt: "Go", session })
            assert.isTrue(refused.isError)
            assert.include(textOf(refused), "no such conversation")
            const taken = await Effect.runPromise(
              gateway.request("/mcp", {
                token: other,
                body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
                headers: {
                  accept: "application/json, text/event-stream",
                  "mcp-session-id": ada.transport.sessionId ?? ""
                }
              })
            )
            assert.strictEqual(taken.status, 404)
            const body = { jsonrpc: "2.0", id: 1, method: "ping" }
            const anonymous = await Effect.runPromise(gateway.request("/mcp", { body }))
            assert.strictEqual(anonymous.status, 401)
            const reader = await Effect.runPromise(tokenOf("acme/ada", ["read"]))
            assert.strictEqual((await Effect.runPromise(gateway.request("/mcp", { token: reader, body }))).status, 403)
            const foreign = { token, body, headers: { origin: "https://evil.example" } }
            assert.strictEqual((await Effect.runPromise(gateway.request("/mcp", foreign))).status, 403)
            await Promise.all([ada.client.close(), eve.client.close()])
          })
      ),
    thoroughOnly
  )

  for (const decision of ["approve", "deny"] as const) {
    it.live(`asks its user for approvals, who answers ${decision}`, () =>
      Served.serve(Served.approvalScript, ({ gateway, token, tokenOf }) =>
        Effect.promise(async () => {
          const ada = await connect(gateway.url, token, decision)
          const done = await run(ada, { prompt: "write it" })
          assert.match(ada.asked[0] ?? "", /^write_file \(\w+\) asks for your approval: /u)
          assert.include(ada.asked[0], "Be brief")
          assert.strictEqual(textOf(done), "It is written.")
          const changes = await Effect.runPromise(
            gateway.request(`/api/v1/sessions/${sessionOf(done)}/changes`, { token })
          )
          assert.strictEqual(changes.text.includes("AGENTS.md"), decision === "approve")
          // A token without the scope asks no user.
          const chat = await connect(gateway.url, await Effect.runPromise(tokenOf("acme/ada", ["chat"])), decision)
          assert.strictEqual((await chat.client.listTools()).tools.length, 1)
          await Promise.all([ada.client.close(), chat.client.close()])
        })
      )
    )
  }

  it.live("without elicitation gets the link, and the result of the decision with the next task", () =>
    Served.serve(Served.approvalScript, ({ gateway, token }) =>
      Effect.promise(async () => {
        const ada = await connect(gateway.url, token)
        const waiting = await run(ada, { prompt: "write it" })
        assert.deepInclude(waiting.structuredContent, { status: "suspended" })
        const [, approvalId = ""] = /#\/approvals\/(apr_\w+)/u.exec(textOf(waiting)) ?? []
        const session = sessionOf(waiting)
        assert.include(textOf(waiting), `call run_agent with session ${session}`)
        const decided = await Effect.runPromise(
          gateway.request(`/api/v1/approvals/${approvalId}/decision`, { token, body: { decision: "approve" } })
        )
        assert.isBelow(decided.status, 300, decided.text)
        const next = await run(ada, { prompt: "And?", session })
        assert.notStrictEqual(next.isError, true)
        await ada.client.close()
      })
    )
  )
})
