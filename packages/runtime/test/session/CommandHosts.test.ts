/** Hosts that a running command wants to reach: rules, an attached user, and the journal's entries. */
import { Policy, RuleText } from "@bough/policy"
import type { Approval } from "@bough/protocol"
import { Capability, type Execution, type NetworkWrite, Tool, ToolContext, ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { type Channel, type SessionRules, SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as SampleAgent from "../../src/testing/SampleAgent.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as Person from "../../src/testing/ScriptedPerson.ts"
import * as World from "./world.ts"

const RunCommand = Tool.make("run_command", {
  version: 1,
  replay: "Unsafe",
  description: "Run a command",
  tier: "System",
  timeoutMillis: 60_000,
  capabilities: [Capability.Execution],
  parameters: Schema.Struct({ command: Schema.String }),
  output: Schema.Struct({ said: Schema.String }),
  execute: Effect.fnUntraced(function* ({ command }) {
    const { stdout } = yield* (yield* Capability.Execution).run(command)
    return Tool.result({ output: { said: stdout }, display: "Ran" })
  })
})

/** A sandbox whose commands are lists of hosts; each gets the decision. */
const execution: ToolContext.ProvidedService<Execution.Execution["Service"]> = {
  reach: "Confined",
  preconditions: [],
  make: (_invocation, _mark, { admitHost } = {}) => ({
    run: (command) =>
      Effect.map(
        Effect.forEach(
          (typeof command === "string" ? command : "command" in command ? command.command : "").split(" "),
          (host) =>
            admitHost === undefined
              ? Effect.succeed("no network")
              : Effect.map(
                  admitHost({ host, port: 443, scheme: "https" }),
                  (reason) => `${host}: ${reason ?? "reached"}`
                ),
          { concurrency: "unbounded" }
        ),
        (lines) => ({
          exitCode: 0,
          signal: null,
          stdout: lines.join("\n"),
          stderr: "",
          omittedBytes: 0,
          elapsedMillis: 0
        })
      )
  })
}

const sending = ToolContext.provide(
  ToolContext.provide(ToolContext.empty("Main"), Capability.Execution, execution),
  Capability.NetworkWrite,
  ToolContext.constant({} as NetworkWrite.NetworkWrite["Service"])
)

const rule = (text: string) => Result.getOrThrow(RuleText.parse(text))

interface Setting {
  readonly rules?: ReadonlyArray<string>
  readonly approve?: Policy.Approve
  readonly context?: ToolContext.ToolContext
  readonly maxAsks?: number
  readonly savedRules?: SessionRules.SavedRules
}

/** A session that runs these commands, one a step. */
const begin = Effect.fnUntraced(function* (
  ask: Channel.Channel["Service"]["ask"],
  commands: ReadonlyArray<string>,
  { approve = "ask", context = sending, maxAsks, rules = [], savedRules }: Setting = {}
) {
  const pack = ToolPack.make(RunCommand)
  const agent = World.agentOf(World.makeWorld())
  const steps = [...commands.map((command) => Reply.toolCall("run_command", { command })), Reply.text("done")]
  const session = yield* World.openSession({
    scripted: yield* ScriptedModel.make(steps),
    channel: World.channelOf([], ask),
    ...(savedRules === undefined ? {} : { savedRules }),
    agent: {
      ...agent,
      tools: SampleAgent.toolsOf({ kind: "Main", pack }),
      context,
      policy: { approve, rules: rules.map(rule) },
      limits: { ...agent.limits, ...(maxAsks === undefined ? {} : { maxAsks }) }
    }
  })
  const store = yield* SessionStore.SessionStore
  const bodies = Effect.map(store.entries(session.sessionId, 0, 1000), (entries) => entries.map(({ body }) => body))
  const outputs = Effect.map(bodies, (all) =>
    all.flatMap((body) =>
      body._tag === "CallEnded" && body.outcome._tag === "Succeeded"
        ? [(JSON.parse(body.outcome.output) as { readonly said: string }).said]
        : []
    )
  )
  return { session, store, bodies, outputs }
})

const run = <A, E>(body: Effect.Effect<A, E, World.Needs>) => Effect.scoped(body).pipe(Effect.provide(World.stores))

const always =
  (text: string, scope: Approval.Scope = "session") =>
  (): Effect.Effect<Channel.ChannelAnswer> =>
    Effect.succeed({ decision: { _tag: "Approved", rule: text, scope }, principal: "ada" })

const waitFor = (isTrue: () => boolean) =>
  Effect.gen(function* () {
    while (!isTrue()) yield* Effect.yieldNow
  })

describe("A host that a command wants to reach", () => {
  it.effect("needs an approval while the command runs, and the decision is in the journal before it ends", () =>
    run(
      Effect.gen(function* () {
        const person = Person.make()
        const { bodies, outputs, session, store } = yield* begin(person.ask, ["a.test"])
        const turn = yield* Effect.forkChild(session.run(World.say("go")))
        yield* waitFor(() => person.asked.length === 1)
        const [request] = person.asked
        assert.strictEqual(request?.reaches, "https://a.test/")
        assert.include(request.preview.render, "https://a.test/")
        assert.include(request.preview.render, "a.test")
        assert.lengthOf(yield* store.pendingApprovals(null), 1)
        yield* person.answer(Person.yes)
        yield* Fiber.join(turn)
        assert.deepStrictEqual(yield* outputs, ["a.test: reached"])
        assert.deepStrictEqual(yield* store.pendingApprovals(null), [])
        assert.deepStrictEqual(
          (yield* bodies).map(({ _tag }) => _tag).filter((tag) => /^(?:Approval|Call)/u.test(tag)),
          ["CallStarted", "ApprovalAsked", "ApprovalDecided", "CallEnded"]
        )
        const ended = (yield* bodies).find((body) => body._tag === "CallEnded")
        assert.strictEqual(ended?.receipt?.authority._tag, "Automatic")
      })
    )
  )

  it.effect("is left to rules alone once the call has ended and its command continues", () =>
    run(
      Effect.gen(function* () {
        const kept: Array<ToolContext.AdmitHost> = []
        const keeping = ToolContext.provide(sending, Capability.Execution, {
          ...execution,
          make: (invocation, mark, bounds) => {
            if (bounds?.admitHost !== undefined) kept.push(bounds.admitHost)
            return execution.make(invocation, mark, bounds)
          }
        })
        const person = Person.make()
        const { bodies, session } = yield* begin(person.ask, ["open.test"], {
          context: keeping,
          rules: ["allow run_command host=open.test"]
        })
        yield* session.run(World.say("go"))
        const before = yield* bodies
        const [admit = assert.fail("no call could ask")] = kept
        assert.isNull(yield* admit({ host: "open.test", port: 443, scheme: "https" }))
        const refused = yield* admit({ host: "closed.test", port: 443, scheme: "https" })
        assert.include(refused ?? "", "the call that could have asked has ended")
        assert.deepStrictEqual([person.asked, yield* bodies], [[], before])
      })
    )
  )

  it.effect("is approved for this call alone, or with a rule for the calls after it", () =>
    run(
      Effect.gen(function* () {
        const once = Person.make()
        const asking = (request: Approval.Request) =>
          Effect.as(
            Effect.sync(() => once.asked.push(request)),
            World.approved
          )
        const first = yield* begin(asking, ["a.test a.test", "a.test"])
        yield* first.session.run(World.say("go"))
        assert.deepStrictEqual(yield* first.outputs, ["a.test: reached\na.test: reached", "a.test: reached"])
        // Each approval of the first call counts for that call; the adapter asks once for all its connections.
        assert.strictEqual(once.asked.length, 3)
        let askCount = 0
        const giving = always("run_command host=a.test")
        const second = yield* begin(
          () => Effect.suspend(() => ((askCount += 1), giving())),
          ["a.test", "a.test", "a.test"]
        )
        yield* second.session.run(World.say("go"))
        assert.strictEqual(askCount, 1)
        assert.deepStrictEqual(yield* second.outputs, ["a.test: reached", "a.test: reached"])
      })
    )
  )

  it.effect("is approved with a rule that outlives the session, which the program saves", () =>
    run(
      Effect.gen(function* () {
        const kept: Array<string> = []
        const savedRules: SessionRules.SavedRules = {
          now: () => kept.map(rule),
          save: ({ rule: text, scope }) => Effect.sync(() => void (scope === "user" && kept.push(text)))
        }
        const ask = always("run_command host=a.test", "user")
        const first = yield* begin(ask, ["a.test"], { savedRules })
        yield* first.session.run(World.say("go"))
        assert.deepStrictEqual(kept, ["run_command host=a.test"])
        const second = yield* begin(() => Effect.die(new Error("it asked again")), ["a.test"], { savedRules })
        yield* second.session.run(World.say("go"))
        assert.deepStrictEqual(yield* second.outputs, ["a.test: reached"])
      })
    )
  )

  it.effect("is refused if the user denies it, and no user is asked if a rule covers it", () =>
    run(
      Effect.gen(function* () {
        const person = Person.make()
        const rules = ["allow run_command host=open.test", "deny run_command host=closed.test", "run_command"]
        const { outputs, session } = yield* begin(person.ask, ["open.test closed.test sub.closed.test sub.open.test"], {
          rules
        })
        const turn = yield* Effect.forkChild(session.run(World.say("go")))
        yield* waitFor(() => person.asked.length === 1)
        assert.strictEqual(person.asked[0]?.reaches, "https://sub.open.test/")
        yield* person.answer(Person.no("no"))
        yield* Fiber.join(turn)
        const [said = ""] = yield* outputs
        assert.deepStrictEqual(said.split("\n"), [
          "open.test: reached",
          'closed.test: denied by the rule "deny run_command host=closed.test"',
          'sub.closed.test: denied by the rule "deny run_command host=closed.test"',
          "sub.open.test: the user denied it"
        ])
        assert.strictEqual(person.asked.length, 1)
      })
    )
  )

  it.effect(
    "is refused at once if no user is attached, if asks are denied, and after the maximum of asks of a turn",
    () =>
      run(
        Effect.gen(function* () {
          const alone = yield* begin(null, ["a.test"])
          yield* alone.session.run(World.say("go"))
          assert.match((yield* alone.outputs)[0] ?? "", /no approver is available.*run_command host=a\.test/u)
          const person = Person.make()
          const denying = yield* begin(person.ask, ["a.test"], { approve: "deny" })
          yield* denying.session.run(World.say("go"))
          assert.include((yield* denying.outputs)[0], "asks are denied")
          const enough = yield* begin(person.ask, ["a.test"], { maxAsks: 0 })
          yield* enough.session.run(World.say("go"))
          assert.include((yield* enough.outputs)[0], "who was asked 0 times")
          assert.lengthOf(person.asked, 0)
        })
      )
  )

  it.effect("does not apply if the session does not send", () =>
    run(
      Effect.gen(function* () {
        const context = ToolContext.provide(ToolContext.empty("Main"), Capability.Execution, execution)
        const { outputs, session } = yield* begin(World.approve, ["a.test"], { context })
        yield* session.run(World.say("go"))
        assert.deepStrictEqual(yield* outputs, ["no network"])
      })
    )
  )

  it.effect("uses none of the call's time while a user decides", () =>
    run(
      Effect.gen(function* () {
        const person = Person.make()
        const { outputs, session } = yield* begin(person.ask, ["a.test"])
        const turn = yield* Effect.forkChild(session.run(World.say("go")))
        yield* waitFor(() => person.asked.length === 1)
        yield* TestClock.adjust("1 hour")
        yield* person.answer(Person.yes)
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(turn)
        assert.deepStrictEqual(yield* outputs, ["a.test: reached"])
      })
    )
  )

  it.effect("is an approval that ends with its call", () =>
    run(
      Effect.gen(function* () {
        const person = Person.make()
        const { bodies, session, store } = yield* begin(person.ask, ["a.test"])
        const turn = yield* Effect.forkChild(session.run(World.say("go")))
        yield* waitFor(() => person.asked.length === 1)
        yield* Fiber.interrupt(turn)
        assert.deepStrictEqual(yield* store.pendingApprovals(null), [])
        assert.lengthOf([...person.open], 0)
        const decided = (yield* bodies).flatMap((body) => (body._tag === "ApprovalDecided" ? [body.decision._tag] : []))
        assert.deepStrictEqual(decided, ["Lapsed"])
      })
    )
  )
})
