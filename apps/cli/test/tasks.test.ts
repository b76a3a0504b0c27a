/** Background commands in a conversation: `/tasks`, and the notices of each end to the user and the model. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as Bough from "./program/Bough.ts"
import { until, withTestFolder } from "./program/Bough.ts"
import * as Configured from "./program/Configured.ts"
import { bough } from "./program/InProcess.ts"
import { type Answer, say, withModel } from "./program/ModelServer.ts"

const bubblewrap = requires("linux", "bubblewrap")
const talking = Configured.inProcess({ prompt: /›\n.* workspace.*$/ })

const start = (command: string): Answer => ({
  text: "",
  calls: [{ name: "start_command", arguments: { command, waitMillis: 20_000 } }]
})

/** The messages of the newest request as text. */
const newest = (requests: ReadonlyArray<{ readonly messages: unknown }>): string =>
  JSON.stringify(requests.at(-1)?.messages)

describe.skipIf(bubblewrap.skip)(`/tasks${bubblewrap.suffix}`, () => {
  it("lists the running commands, shows the output of one and stops it; the model is told with its next step", () =>
    talking(
      [start("echo ready; sleep 600"), say("It runs"), say("Then I know")],
      async ({ converse, env, place, server }) => {
        await converse(async (screen) => {
          screen.type("/tasks")
          await screen.shows("no background commands")
          screen.type("start it")
          await screen.shows(/It runs\n.* out\n›\n.* · 1 command running · workspace/)
          screen.type("/tasks")
          await screen.shows(/^cmd-1 +running \d+ s: echo ready; sleep 600\n/mu)
          const tree = await bough(place, ["tree"], { env })
          assert.include(tree.stdout, "cmd-1 runs echo ready; sleep 600")
          screen.type("/tasks cmd-1")
          await screen.shows(/^ready\ncmd-1 is running\n/mu)
          screen.type("/tasks cmd-9")
          await screen.shows('there is no command "cmd-9"; there are cmd-1')
          screen.type("/tasks stop cmd-1")
          await screen.shows("cmd-1 (echo ready; sleep 600) ended: stopped by the user")
          await screen.shows(/›\n.* tokens · workspace/)
          assert.notInclude((await bough(place, ["tree"], { env })).stdout, "cmd-1")
          screen.type("and now?")
          await screen.shows("Then I know")
        })
        assert.include(newest(server.requests), "[command cmd-1 ended: stopped by the user]")
      }
    ))

  it("continue with another effort or model, and belong to the session that is opened again", thoroughOnly, () => {
    const read = { name: "read_command_output", arguments: { commandId: "cmd-1", waitMillis: 20_000, fromOffset: 6 } }
    const command = "echo ready; until [ -e go ]; do sleep 0.02; done; echo then; sleep 600"
    return talking(
      [start(command), say("It runs"), { text: "", calls: [read] }, say("I read it")],
      async ({ converse, place, server }) => {
        await converse(async (screen) => {
          screen.type("start it")
          await screen.shows(/It runs\n.* out\n›\n/)
          screen.type("/effort high")
          await screen.shows(/Now using .*\n›\n.* effort high .* · 1 command running · workspace/)
          assert.notInclude(screen.text(), "ended")
          screen.type("/tasks")
          await screen.shows(/^cmd-1 +running \d+ s: echo ready/mu)
          writeFileSync(join(place.workspace, "go"), "")
          screen.type("read it")
          await screen.shows(/I read it\n.* out\n›\n/)
          assert.include(newest(server.requests), "then")
          screen.type("/tasks stop cmd-1")
          await screen.shows(/^cmd-1 \(echo ready[^]*ended: stopped by the\s+user\n›\n(?!.*running)/mu)
        })
      }
    )
  })

  it("one of the original session ends before a fork is open, and is not one of the fork", thoroughOnly, () =>
    talking([start("echo ready; sleep 600"), say("It runs"), say("I see")], async ({ converse, server }) => {
      await converse(async (screen) => {
        screen.type("start it")
        await screen.shows(/It runs\n.* out\n›\n/)
        screen.type("/fork")
        const forked = await screen.shows(/returns to the original\n›\n.*\(fork\)/)
        assert.match(forked, /ended: stopped when the session was closed\nforked “start it”/)
        screen.type("and here?")
        await screen.shows(/I see\n.* out\n›\n.* tokens · workspace/)
      })
      assert.include(newest(server.requests), "[command cmd-1 does not run in this fork]")
      await converse(
        async (screen) => {
          const resumed = await screen.shows(/I see\n.* out\n›\n/)
          assert.include(
            resumed,
            "cmd-1 (echo ready; sleep 600) belongs to the original session: it does not run in this fork"
          )
        },
        { args: ["--continue"] }
      )
    })
  )

  it(
    "an end by itself is shown, and an end with the conversation is recorded; ids continue after it",
    thoroughOnly,
    () =>
      talking(
        [
          start("echo short; until [ -e go ]; do sleep 0.02; done; exit 3"),
          say("Started"),
          start("echo long; sleep 600"),
          say("Started again"),
          start("echo third; sleep 600"),
          say("And once more")
        ],
        async ({ converse, env, place, server }) => {
          await converse(async (screen) => {
            screen.type("one")
            await screen.shows(/Started\n.* out\n›\n/)
            screen.type("!touch go")
            await screen.shows(/ended: exit 3/u)
            screen.type("two")
            await screen.shows(/Started again\n.* out\n›\n/)
            assert.include(newest(server.requests), "[command cmd-1 ended: exit 3]")
          })
          await bough(place, ["run", "--continue", "three"], { env })
          assert.include(newest(server.requests), "[command cmd-2 ended: stopped when the session was closed]")
          assert.include(newest(server.requests), "[cmd-3 running")
        }
      )
  )

  it("commands of a killed process are reported as lost, once", thoroughOnly, () =>
    withTestFolder((place) =>
      withModel([start("echo on; sleep 600"), { hangAfter: "Now" }, say("I see"), say("Twice")], async (server) => {
        const ran = Bough.start(place, ["run", "start it"], { stdin: "", env: server.env })
        await until(() => server.requests.length === 2)
        ran.child.kill("SIGKILL")
        await ran.ended
        await bough(place, ["run", "--continue", "and now?"], { env: server.env })
        assert.include(newest(server.requests), "[command cmd-1 ended: lost with the process that ran it]")
        assert.lengthOf(newest(server.requests).match(/command cmd-1 ended/gu) ?? [], 1)
        const again = await bough(place, ["run", "--continue", "again"], { env: server.env })
        assert.strictEqual(again.code, 0, again.stderr)
        assert.lengthOf(newest(server.requests).match(/command cmd-1 ended/gu) ?? [], 1)
      })
    )
  )

  it("a command that takes too long, or that Ctrl-B detaches, continues in the background", () => {
    const slow = {
      name: "run_command",
      arguments: { command: "echo slow; sleep 600", timeoutMillis: 300, leaveRunning: true }
    }
    const long = { name: "run_command", arguments: { command: "echo long; touch begun; sleep 600" } }
    return talking(
      [{ text: "", calls: [slow] }, { text: "", calls: [long] }, say("Both run")],
      async ({ converse, place, server }) => {
        await converse(async (screen) => {
          screen.type("build")
          await screen.shows("echo slow; sleep 600 · left running as cmd-1")
          await until(() => existsSync(join(place.workspace, "begun")))
          screen.press("C-b")
          await screen.shows("echo long; touch begun; sleep 600 · left running as cmd-2")
          await screen.shows(/Both run\n.* out\n›\n/)
          assert.include(newest(server.requests), "[left running as cmd-2; read_command_output continues at 5]")
          screen.type("/tasks")
          await screen.shows(/^cmd-1 +running[^\n]*slow[^\n]*\ncmd-2 +running[^\n]*long/mu)
        })
      }
    )
  })

  it("answers while a command of the user runs, which shows its output and its keys", () =>
    talking([], async ({ converse, place }) => {
      await converse(async (screen) => {
        screen.type("!echo begun; until [ -e go ]; do sleep 0.02; done")
        await screen.shows(/^! echo begun; until .*\n {2}begun\n/mu)
        await screen.shows("Esc to interrupt · Ctrl-B to leave it running · Enter to queue")
        screen.type("/tasks")
        await screen.shows("no background commands")
        assert.isFalse(existsSync(join(place.workspace, "go")))
        writeFileSync(join(place.workspace, "go"), "")
        await screen.shows(/ workspace.*$/)
      })
    }))

  it("answers while a turn runs", () =>
    talking(
      [
        {
          text: "",
          calls: [{ name: "run_command", arguments: { command: "touch begun; until [ -e go ]; do sleep 0.02; done" } }]
        },
        say("Done")
      ],
      async ({ converse, place }) => {
        await converse(async (screen) => {
          screen.type("wait")
          await until(() => existsSync(join(place.workspace, "begun")))
          screen.type("/tasks")
          await screen.shows("no background commands")
          assert.isFalse(existsSync(join(place.workspace, "go")))
          writeFileSync(join(place.workspace, "go"), "")
          await screen.shows(/Done\n.* out\n›\n/)
        })
      }
    ))
})
