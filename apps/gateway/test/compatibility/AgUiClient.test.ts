/** The `HttpAgent` of `@ag-ui/client` runs a hosted agent. */
import { EventType, HttpAgent, type AgentSubscriber, type BaseEvent, type Interrupt } from "@ag-ui/client"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { thoroughOnly } from "../../../../test/thorough.ts"
import * as Served from "./served.ts"

const agentOf = ({ gateway, token }: Pick<Served.ServedGateway, "gateway" | "token">): HttpAgent =>
  new HttpAgent({
    url: `${gateway.url}/ag-ui`,
    headers: { authorization: `Bearer ${token}` },
    initialState: { own: 1 }
  })

interface RunOutcome {
  readonly events: ReadonlyArray<BaseEvent>
  readonly interrupts: ReadonlyArray<Interrupt>
  readonly error: string | null
}

const run = async (agent: HttpAgent, parameters: Parameters<HttpAgent["runAgent"]>[0] = {}): Promise<RunOutcome> => {
  const events: Array<BaseEvent> = []
  let interrupts: ReadonlyArray<Interrupt> = []
  let error: string | null = null
  const subscriber: AgentSubscriber = {
    onEvent: ({ event }) => void events.push(event),
    onRunFinishedEvent: (finished) => {
      if (finished.outcome === "interrupt") interrupts = finished.interrupts
    },
    onRunErrorEvent: ({ event }) => {
      error = `${event.code}: ${event.message}`
    }
  }
  await agent.runAgent(parameters, subscriber)
  return { events, interrupts, error }
}

const say = (agent: HttpAgent, content: string): void =>
  agent.addMessage({ id: `m${agent.messages.length}`, role: "user", content })

const textsOf = (agent: HttpAgent): ReadonlyArray<string> =>
  agent.messages.flatMap((message) =>
    message.role === "assistant" && message.content !== undefined && message.content !== "" ? [message.content] : []
  )

const promise = Effect.promise

describe("@ag-ui/client", () => {
  it.live(
    "runs a conversation with calls, and keeps the state of its front end",
    () =>
      Served.serve(
        [
          { text: "Looking.", calls: [{ name: "list_files", arguments: {} }] },
          { text: "Nothing here." },
          { text: "Sure." }
        ],
        (served) =>
          promise(async () => {
            const agent = agentOf(served)
            say(agent, "what is there?")
            const first = await run(agent)
            assert.strictEqual(first.events[0].type, "RUN_STARTED")
            assert.strictEqual(first.events.at(-1)?.type, "RUN_FINISHED")
            assert.deepStrictEqual(textsOf(agent), ["Looking.", "Nothing here."])
            const calls = agent.messages.flatMap((message) =>
              message.role === "assistant" ? (message.toolCalls ?? []) : []
            )
            assert.deepStrictEqual(
              calls.map((call) => call.function.name),
              ["list_files"]
            )
            assert.lengthOf(
              agent.messages.filter(({ role }) => role === "tool"),
              1
            )
            say(agent, "sure?")
            await run(agent)
            assert.deepStrictEqual(textsOf(agent), ["Looking.", "Nothing here.", "Sure."])
            assert.strictEqual(agent.state.own, 1)
            const { json } = await Effect.runPromise(
              served.gateway.request("/api/v1/sessions", { token: served.token })
            )
            assert.lengthOf(json.items, 1)
          })
      ),
    thoroughOnly
  )

  for (const approved of [true, false]) {
    it.live(`interrupts for an approval, and resumes once it is ${approved ? "approved" : "denied"}`, () =>
      Served.serve(Served.approvalScript, (served) =>
        promise(async () => {
          const agent = agentOf(served)
          say(agent, "write it")
          const { interrupts } = await run(agent)
          assert.lengthOf(interrupts, 1)
          assert.deepInclude(interrupts[0], { reason: "tool_approval" })
          assert.include(interrupts[0].message, `/#/approvals/${interrupts[0].id}`)
          const payload = { approved, ...(approved ? {} : { reason: "not now" }) }
          const resume = [{ interruptId: interrupts[0].id, status: "resolved" as const, payload }]
          const second = await run(agent, { resume })
          assert.deepStrictEqual(second.interrupts, [])
          assert.deepStrictEqual(textsOf(agent), ["I will write it.", "It waits for you.", "It is written."])
          const results = agent.messages.filter(({ role }) => role === "tool")
          assert.lengthOf(results, 1)
          assert.strictEqual(JSON.stringify(results).includes("not now"), !approved)
          assert.lengthOf(
            agent.messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : [])),
            1
          )
          assert.strictEqual(served.asked(), 3)
        })
      )
    )
  }

  it.live("shows a child as a subagent, and its approval as its interrupt", () =>
    Served.serve(Served.branchApprovalScript, (served) =>
      promise(async () => {
        const agent = agentOf(served)
        say(agent, "Start a branch")
        const first = await run(agent)
        const [interrupt] = first.interrupts
        const started = first.events.find(({ type }) => type === EventType.SUBAGENT_STARTED)
        assert.strictEqual(interrupt.subagentRunId, started?.["subagentRunId"])
        assert.deepInclude(started, { name: "Branch", description: "Write it" })
        const resume = [{ interruptId: interrupt.id, status: "resolved" as const, payload: { approved: true } }]
        const second = await run(agent, { resume })
        assert.deepStrictEqual(second.interrupts, [])
        assert.strictEqual(textsOf(agent).at(-1), "All is done.")
        const ended = second.events.filter(({ type }) => type === EventType.SUBAGENT_FINISHED)
        assert.deepStrictEqual(
          ended.map((event) => [event["subagentRunId"], event["result"]]),
          [[interrupt.subagentRunId, "The branch is done."]]
        )
        // The text of the child belongs to the child.
        const own = agent.messages.filter((message) => message.subagentRunId === interrupt.subagentRunId)
        assert.include(JSON.stringify(own), "The branch is done.")
      })
    )
  )

  it.live("ends in a run error if it cannot run", () =>
    Served.serve([{ status: 400, message: "no such model" }], (served) =>
      promise(async () => {
        const silent = agentOf(served)
        assert.include((await run(silent)).error, "invalid_input")
        const unknown = agentOf(served)
        const resume = [{ interruptId: "apr_none", status: "resolved" as const, payload: { approved: true } }]
        assert.include((await run(unknown, { resume })).error, "approval_not_found")
        const failing = agentOf(served)
        say(failing, "hi")
        assert.include((await run(failing)).error, "ModelError")
        const stranger = agentOf({ ...served, token: "none" })
        say(stranger, "hi")
        assert.match(String(await run(stranger).catch((error: unknown) => error)), /401/u)
      })
    )
  )
})
