/**
 * Hooks deny, ask, inform and change files; they allow nothing, their failures are reported, and the journal names
 * them.
 */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { configure, type TestFolder, put, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { type Answer, type ModelServer, say, withModel } from "./program/ModelServer.ts"

const bubblewrap = requires("bubblewrap")
const docs = readFileSync(fileURLToPath(new URL("../../../docs/hooks.md", import.meta.url)), "utf8")

/** Writes the files of the examples, whose first line is their path, into the workspace. */
const putExamples = (place: TestFolder): void => {
  for (const [, path, text] of docs.matchAll(/```\w+\n(?:#|\/\/) (\S+)\n([^]*?)```/gu)) put(place, path, text)
}

const run = (
  script: ReadonlyArray<Answer>,
  use: (place: TestFolder, server: ModelServer) => Promise<void>
): Promise<void> => withTestFolder((place) => withModel(script, (server) => use(place, server)))

const call = (name: string, callArguments: object): Answer => ({
  text: "",
  calls: [{ name, arguments: callArguments }]
})
const command = (text: string): Answer => call("run_command", { command: text })
const hooks = (given: object): string => JSON.stringify({ hooks: given })
const sentText = ({ requests }: ModelServer): string => JSON.stringify(requests.at(-1)?.messages)

const journalOf = async (place: TestFolder, server: ModelServer): Promise<string> => {
  const listed = await bough(place, ["sessions", "--format", "json"], { env: server.env })
  const [, sessionId = ""] = /"sessionId":\s*"([^"]+)"/u.exec(listed.stdout) ?? []
  return (await bough(place, ["sessions", "show", sessionId], { env: server.env })).stdout
}

describe.skipIf(bubblewrap.skip)(`hooks${bubblewrap.suffix}`, () => {
  it("of the documentation guard and format, once the project is trusted", () =>
    run(
      [
        command("echo > .bough/hooks/guard.sh; rm -r .bough/hooks"),
        call("write_file", { path: ".bough/hooks/guard.sh", content: "" }),
        command("psql prod-db"),
        call("write_file", { path: "a.md", content: "one   \ntwo\n" }),
        say("done"),
        say("free")
      ],
      async (place, server) => {
        execFileSync("git", ["init", "-q"], { cwd: place.workspace })
        putExamples(place)
        const guard = () => readFileSync(join(place.workspace, ".bough/hooks/guard.sh"), "utf8")
        const whole = guard()
        const recording = { ...server.env, BOUGH_UNDO: "on" }
        const ended = await bough(place, ["run", "--trust", "go"], { env: recording })
        assert.strictEqual(ended.stdout, "done\n", ended.stderr)
        assert.strictEqual(guard(), whole)
        assert.match(
          sentText(server),
          /the project's hook \\+"sh \.bough\/hooks\/guard\.sh\\+" denies it: commands must not name the production database/u
        )
        assert.match(sentText(server), /format\.sh\\+": Markdown files were formatted/u)
        assert.strictEqual(readFileSync(join(place.workspace, "a.md"), "utf8"), "one\ntwo\n")
        assert.match(await journalOf(place, server), /run_command[^]*guard\.sh" denies it[^]*context: hook/u)
        const undone = await bough(place, ["undo"], { env: recording })
        assert.isFalse(existsSync(join(place.workspace, "a.md")), undone.stderr)
      }
    ))

  it("of a project run in the folder that holds .bough, also in a session that starts below", () =>
    run([command("echo one"), say("done")], async (place, server) => {
      execFileSync("git", ["init", "-q"], { cwd: place.workspace })
      put(place, "packages/web/a.txt", "")
      put(place, ".bough/guard.sh", "echo 'not from here' >&2; exit 2")
      put(place, ".bough/config.jsonc", hooks({ beforeTool: [{ command: "sh .bough/guard.sh" }] }))
      const cwd = join(place.workspace, "packages/web")
      const ended = await bough(place, ["run", "--trust", "go"], { cwd, env: server.env })
      assert.strictEqual(ended.stdout, "done\n", ended.stderr)
      assert.match(sentText(server), /guard\.sh\\+" denies it: not from here/u)
    }))

  it("of an untrusted project do not run, and no project key can run a hook as the operator", () =>
    run([command("echo prod-db"), say("ran")], async (place, server) => {
      putExamples(place)
      const ended = await bough(place, ["run", "go"], { env: server.env })
      assert.strictEqual(ended.stdout, "ran\n", ended.stderr)
      assert.include(sentText(server), "prod-db")
      assert.notInclude(sentText(server), "denies it")
      put(place, ".bough/config.jsonc", hooks({ stop: [{ command: "true", runAs: "operator" }] }))
      const refused = await bough(place, ["run", "--trust", "go"], { env: server.env })
      assert.strictEqual(refused.code, 2)
      assert.match(refused.stderr, /runAs/u)
    }))

  it("ask about calls that the rules allow, and allow none that the rules deny", () =>
    run([command("echo asked"), command("echo ruled"), say("end")], async (place, server) => {
      const ask = `grep -q asked && echo '{"decision":"ask","reason":"look at it"}'; true`
      const rules = { deny: ['run_command command="echo ruled"'] }
      configure(place, JSON.stringify({ rules, hooks: { beforeTool: [{ command: ask }] } }))
      const ended = await bough(place, ["run", "go"], { env: server.env })
      assert.strictEqual(ended.code, 3, ended.stderr)
      assert.match(ended.stderr, /pending approval: run_command .*your hook .* asks: look at it/u)
      assert.match(sentText(server), /rule .*echo ruled/u)
    }))

  it("that fail deny or continue as they declare, and are reported", () =>
    run([command("echo first"), command("echo second"), say("end")], async (place, server) => {
      configure(
        place,
        hooks({
          beforeTool: [
            { command: "grep -q first && exit 7; true", tools: ["run_*"] },
            { command: "echo no json", tools: ["run_command"], onFailure: "continue" },
            { command: "sleep 60", tools: ["read_file"] }
          ],
          afterTool: [{ command: "sleep 60", timeoutSeconds: 0.2 }]
        })
      )
      const ended = await bough(place, ["run", "go"], { env: server.env })
      assert.match(ended.stderr, /your hook "grep .* ended with exit code 7, so it denies/u)
      assert.match(ended.stderr, /your hook "echo no json" did not answer with JSON such as/u)
      assert.match(ended.stderr, /your hook "sleep 60" did not end within 0\.2 s/u)
      const last = sentText(server)
      assert.match(last, /ended with exit code 7/u)
      assert.match(last, /second\\n\[exit 0/u)
    }))

  it("screen messages, add context, and let the agent continue at its end at most three times", thoroughOnly, () =>
    run([say("one"), say("two"), say("three"), say("four")], async (place, server) => {
      configure(
        place,
        hooks({
          prompt: [{ command: `grep -q secret && echo "not here" >&2 && exit 2; echo '{"context":"it is late"}'` }],
          sessionStart: [{ command: `echo '{"context":"use tabs"}'` }],
          stop: [{ command: `echo '{"decision":"deny","reason":"run the tests"}'` }]
        })
      )
      for (const before of ["my", "x".repeat(100_000)]) {
        const denied = await bough(place, ["run", `${before} secret`], { env: server.env })
        assert.strictEqual(denied.code, 1)
        assert.match(denied.stderr, /message rejected: your hook .* denies it: not here/u)
      }
      assert.lengthOf(server.requests, 0)
      const ended = await bough(place, ["run", "hello"], { env: server.env })
      assert.strictEqual(ended.stdout, "four\n", ended.stderr)
      assert.lengthOf(server.requests, 4)
      assert.match(JSON.stringify(server.requests[0].messages), /use tabs.*it is late.*hello/u)
      assert.strictEqual(sentText(server).match(/Not done yet: your hook [^]*? denies it: run the tests/gu)?.length, 3)
    })
  )

  it("run in the sandbox, and as the operator only if the operator says so", () =>
    run([say("one")], async (place, server) => {
      const touch = (name: string): string => `touch '${join(place.root, name)}'`
      configure(
        place,
        hooks({ sessionStart: [{ command: touch("confined") }, { command: touch("outside"), runAs: "operator" }] })
      )
      await bough(place, ["run", "hi"], { env: server.env })
      assert.deepStrictEqual(
        ["confined", "outside"].map((name) => existsSync(join(place.root, name))),
        [false, true]
      )
    }))
})
