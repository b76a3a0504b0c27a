/** `policy`: rules must satisfy their examples before they are used, and predict the decision for a call. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { configure, lines, type TestFolder, put, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"

const rule = (fields: object): string => JSON.stringify({ rules: { deny: ["delete_path"], allow: [fields] } })
const right = rule({
  rule: "http_request host=api.example.com method=POST",
  match: ['http_request method=POST url=https://api.example.com/v1 body="a b"'],
  notMatch: [
    "http_request method=POST url=https://example.com/",
    "http_request method=PUT url=https://api.example.com/"
  ]
})
const wrong = rule({ rule: "write_file path=src", match: ["write_file path=source/a"] })
const complaint =
  'the rule "write_file path=src" has the example "write_file path=source/a", which does not match, and should'

const test = async (place: TestFolder, tool: string, parameters: unknown, ...args: ReadonlyArray<string>) => {
  const ended = await bough(place, ["policy", "test", tool, JSON.stringify(parameters), "--format", "json", ...args])
  return { ...ended, tested: ended.stdout === "" ? null : JSON.parse(ended.stdout) }
}

describe("bough policy", () => {
  it("refuses a rule that contradicts its example: no session starts with it, and it cannot be configured", () =>
    withTestFolder(async (place) => {
      configure(place, wrong)
      for (const args of [
        ["run", "hello"],
        ["call", "list_files", "{}"]
      ]) {
        const ended = await bough(place, args)
        assert.deepStrictEqual([ended.code, ended.stdout], [2, ""])
        assert.include(ended.stderr, complaint)
      }
      configure(place, right)
      const value = JSON.stringify((JSON.parse(wrong) as { readonly rules: { readonly allow: unknown } }).rules.allow)
      const set = await bough(place, ["config", "set", "rules.allow", value])
      assert.deepStrictEqual([set.code, readFileSync(place.config, "utf8")], [2, right])
      assert.include(set.stderr, complaint)
      assert.strictEqual((await bough(place, ["call", "list_files", "{}"])).code, 0)
    }))

  it("denies a command of every tool that runs commands by a rule about one of them", () =>
    withTestFolder(async (place) => {
      configure(place, JSON.stringify({ rules: { deny: ['run_command command="git push *"'] } }))
      for (const tool of ["run_command", "start_command"]) {
        const { code, tested } = await test(place, tool, { command: "git push origin" })
        assert.deepStrictEqual([code, tested.decision], [1, "deny"], tool)
        assert.strictEqual((await test(place, tool, { command: "git log" })).code, 0, tool)
      }
    }))

  it("refuses a deny with a pattern of paths or hosts, which would never match", () =>
    withTestFolder(async (place) => {
      for (const text of ["* path=**/*.secret", "web_fetch host=*.example.com"]) {
        configure(place, JSON.stringify({ rules: { deny: [text] } }))
        const ended = await bough(place, ["call", "list_files", "{}"])
        assert.deepStrictEqual([ended.code, ended.stdout], [2, ""], text)
        assert.include(ended.stderr, "a pattern, which would never match")
      }
    }))

  it("decides a tool of an MCP server as a session would, and names a server that did not start", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const probe = new URL("../../../packages/host/test/mcp/probe.mjs", import.meta.url)
      put(place, "probe.mjs", readFileSync(probe, "utf8"))
      const mcpServers = {
        probe: { command: "node", args: ["probe.mjs"], startSeconds: 240 },
        dead: { command: "/no/such/program" }
      }
      configure(place, JSON.stringify({ mcpServers, rules: { allow: ["probe__peek"] } }))
      const look = await bough(place, ["policy", "explain", "probe__look", '{"text":"x"}'])
      assert.strictEqual(look.code, 3, look.stderr)
      assert.match(look.stdout, /^ask {2}System .*\nalways would allow: probe__look\n/u)
      const peek = await bough(place, ["policy", "explain", "probe__peek", '{"text":"x"}'])
      assert.include(peek.stdout, 'decided by: the rule "allow probe__peek"')
      const dead = await bough(place, ["policy", "test", "dead__look", "{}"])
      assert.deepStrictEqual([dead.code, dead.stdout], [2, ""])
      assert.include(dead.stderr, "dead__look is not available: the MCP server dead is unavailable")
      const unknown = await bough(place, ["policy", "test", "probe__nothing", "{}"])
      assert.include(unknown.stderr, "no configured MCP server has the tool probe__nothing")
    })
  )

  it("offers for an escalated command the rule that its approval would offer, and obeys it", () =>
    withTestFolder(async (place) => {
      const call = { command: "npm view left-pad", escalate: { to: "host", reason: "look" } }
      const { code, tested } = await test(place, "run_command", call)
      const always = 'run_command command="npm view *" escalate.to=host'
      assert.deepStrictEqual([code, tested.decision, tested.always], [3, "ask", always])
      const allowed = await bough(place, ["policy", "explain", "run_command", JSON.stringify(call), "--allow", always])
      assert.strictEqual(allowed.code, 0)
      assert.include(allowed.stdout, `decided by: the rule ${JSON.stringify(`allow ${always}`)}`)
      assert.include(allowed.stdout, "reach: Confined until it is approved")
    }))

  it("says how a tool of an MCP server is allowed, which only a session knows", () =>
    withTestFolder(async (place) => {
      const ended = await bough(place, ["policy", "test", "web__add", "{}"])
      assert.strictEqual(ended.code, 2)
      assert.include(ended.stderr, "tools of MCP servers are known only in a session")
      assert.include(ended.stderr, "--allow web__add")
    }))

  it("checks every rule and names all that are wrong, of the command line and of the folder too", () =>
    withTestFolder(async (place) => {
      configure(place, right)
      const fine = await bough(place, ["policy", "check"])
      assert.deepStrictEqual([fine.code, lines(fine.stdout).length], [0, 2])
      assert.match(fine.stdout, /^ok {5}allow http_request .*examples: 3\)$/m)
      configure(place, wrong)
      put(
        place,
        ".bough/config.jsonc",
        JSON.stringify({ rules: { ask: [{ rule: "edit_file", notMatch: ["edit_file"] }] } })
      )
      const untrusted = await bough(place, ["policy", "check"])
      assert.include(untrusted.stderr, ".bough/config.jsonc")
      assert.notInclude(untrusted.stdout, "edit_file")
      assert.strictEqual((await bough(place, ["run", "--trust", "hello"])).code, 2)
      const ended = await bough(place, ["policy", "check", "--allow", "nope", "--allow", "find_files"])
      assert.strictEqual(ended.code, 2)
      assert.deepStrictEqual(
        lines(ended.stdout).map((line) => line.slice(0, 35)),
        [
          'wrong  --allow: the rule "nope" nam',
          "ok     allow find_files  (--allow; e",
          "ok     deny delete_path  (the opera",
          "wrong  the operator's configuration",
          "wrong  the project's configuration:"
        ].map((line) => line.slice(0, 35))
      )
      assert.include(ended.stdout, complaint)
      assert.include(ended.stdout, 'has the example "edit_file", which matches, and should not')
    }))

  it("names the place of an invalid example in the file", () =>
    withTestFolder(async (place) => {
      configure(place, `{\n  "rules": {\n    "allow": [{ "rule": "find_files", "matchs": [] }]\n  }\n}`)
      const ended = await bough(place, ["policy", "check"])
      assert.strictEqual(ended.code, 2)
      assert.include(ended.stderr, `config.jsonc:3: unknown key "rules.allow.0.matchs"; did you mean "match"?`)
    }))

  it("predicts the decision for a call, and the reason, without running it", () =>
    withTestFolder(async (place) => {
      configure(place, rule({ rule: "delete_path path=tmp.txt" }))
      const written = { path: "a.txt", content: "x" }
      assert.deepInclude(await test(place, "write_file", written), {
        code: 0,
        tested: { decision: "allow", tier: "Workspace", reason: "automatic", always: null }
      })
      const spawned = await test(place, "spawn_worker", { task: "count" })
      assert.deepStrictEqual([spawned.code, spawned.tested?.decision], [0, "allow"], spawned.stderr)
      const denied = await test(place, "delete_path", { path: "a.txt" }, "--kind", "worker")
      assert.deepStrictEqual([denied.code, denied.tested?.decision], [1, "deny"])
      put(place, "kept.txt", "x")
      const refused = await test(place, "delete_path", { path: "kept.txt" })
      assert.deepStrictEqual([refused.code, refused.tested?.reason], [1, 'denied by the rule "deny delete_path"'])
      configure(place, "{}")
      const decision = await test(place, "delete_path", { path: "kept.txt" })
      assert.deepStrictEqual(
        [decision.code, decision.tested?.tier, decision.tested?.always],
        [3, "Elevated", "delete_path path=kept.txt"]
      )
      const allowed = await test(place, "delete_path", { path: "kept.txt" }, "--allow", decision.tested?.always ?? "")
      assert.deepStrictEqual([allowed.code, allowed.tested?.reason], [0, "rule delete_path path=kept.txt"])
      assert.strictEqual(readFileSync(join(place.workspace, "kept.txt"), "utf8"), "x")
    }))

  it("names the allow rules that match an Elevated call and do not cover it", () =>
    withTestFolder(async (place) => {
      const call = JSON.stringify({ command: "git push", escalate: { to: "host", reason: "to share it" } })
      for (const verb of ["test", "explain"]) {
        const ended = await bough(place, ["policy", verb, "run_command", call, "--allow", "run_command"])
        assert.strictEqual(ended.code, 3, ended.stderr)
        assert.include(ended.stderr, 'the rule "run_command" does not cover this call')
      }
      const fitting = 'run_command command="git push *" escalate.to=host'
      const allowed = await bough(place, ["policy", "test", "run_command", call, "--allow", fitting])
      assert.deepStrictEqual([allowed.code, allowed.stderr], [0, ""])
    }))

  it("explains which rule, label, tier or capability decides, and the other conditions", () =>
    withTestFolder(async (place) => {
      const explain = async (tool: string, parameters: unknown, ...args: ReadonlyArray<string>) => {
        const ended = await bough(place, [
          "policy",
          "explain",
          tool,
          JSON.stringify(parameters),
          "--format",
          "json",
          ...args
        ])
        return { code: ended.code, said: JSON.parse(ended.stdout) as Record<string, unknown> }
      }
      put(place, "kept.txt", "x")
      const file = { path: "kept.txt" }
      const free = await explain("read_file", file)
      assert.deepStrictEqual([free.code, free.said["decidedBy"], free.said["rules"]], [0, "nothing", []])
      const elevated = await explain("delete_path", file)
      assert.deepStrictEqual(
        [elevated.code, elevated.said["decidedBy"], elevated.said["tier"]],
        [3, "tier", "Elevated"]
      )
      assert.include(elevated.said["tierFrom"] as object, { tool: "Workspace" })
      const page = { url: "https://unknown.example/" }
      const labelled = await explain("web_fetch", page, "--label", "private")
      assert.deepStrictEqual([labelled.code, labelled.said["decidedBy"]], [3, "label"])
      assert.deepStrictEqual((await explain("web_fetch", page)).said["decidedBy"], "nothing")
      const opened = await explain("web_fetch", page, "--label", "private", "--allow", "web_fetch host=unknown.example")
      assert.deepStrictEqual(
        [opened.code, opened.said["decidedBy"], opened.said["rule"]],
        [0, "rule", "allow web_fetch host=unknown.example"]
      )
      configure(
        place,
        JSON.stringify({
          rules: {
            deny: ["read_file @kind=Branch"],
            ask: ["read_file @channel=web"],
            allow: ["read_file @agent=bough"]
          }
        })
      )
      const main = await explain("read_file", file)
      assert.deepStrictEqual([main.code, main.said["rules"]], [0, ["allow read_file @agent=bough"]])
      const branch = await explain("read_file", file, "--kind", "branch")
      assert.deepStrictEqual([branch.code, branch.said["rule"]], [1, "deny read_file @kind=Branch"])
      const web = await explain("read_file", file, "--channel", "web")
      assert.deepStrictEqual([web.code, web.said["rule"]], [3, "ask read_file @channel=web"])
      const worker = await explain("delete_path", file, "--kind", "worker")
      assert.deepStrictEqual([worker.code, worker.said["decidedBy"]], [1, "capabilities"])
      const shown = await bough(place, ["policy", "explain", "read_file", JSON.stringify(file), "--channel", "web"])
      assert.include(shown.stdout, 'decided by: the rule "ask read_file @channel=web"')
      assert.include(shown.stdout, "caller: agent bough, channel web, kind Main")
    }))

  it("reports an invalid call", () =>
    withTestFolder(async (place) => {
      const ended = await test(place, "write_file", { pth: "a" })
      assert.deepStrictEqual([ended.code, ended.stdout], [2, ""])
      assert.include(ended.stderr, 'did you mean "path"?')
      assert.strictEqual((await test(place, "wrote_file", {})).code, 2)
    }))

  it("ignores a saved rule that does not cover the call that it was given for", () =>
    withTestFolder(async (place) => {
      const directory = join(place.data, "rules")
      put(place, "a.txt", "precious\n")
      assert.strictEqual((await test(place, "delete_path", { path: "a.txt" })).code, 3)
      const kept = (match: ReadonlyArray<string>, rule = "delete_path path=a.txt"): void => {
        put({ ...place, workspace: directory }, "rul_0123456789ab.json", "")
        writeFileSync(
          join(directory, "rul_0123456789ab.json"),
          JSON.stringify({
            v: 1,
            rule,
            scope: "user",
            workspaceRoot: null,
            principal: "ada",
            keptAtMillis: 1,
            match
          })
        )
      }
      kept(["delete_path path=a.txt"])
      assert.strictEqual((await test(place, "delete_path", { path: "a.txt" })).code, 0)
      assert.strictEqual((await bough(place, ["policy", "check"])).code, 0)
      kept(["delete_path path=b.txt"])
      assert.strictEqual((await test(place, "delete_path", { path: "a.txt" })).code, 3)
      const listed = await bough(place, ["policy", "list"])
      assert.match(
        listed.stderr,
        /^rule rul_0123456789ab is ignored: the rule "delete_path path=a\.txt" has the example/m
      )
      const ended = await bough(place, ["policy", "check"])
      assert.strictEqual(ended.code, 2)
      assert.match(ended.stdout, /^wrong {2}rul_0123456789ab, given by ada: .*; it is ignored$/m)
      // Only a session knows the tools of a server.
      kept([], 'sky__weather host="127.0.0.1:4819"')
      assert.strictEqual((await bough(place, ["policy", "list"])).stderr, "")
      assert.strictEqual((await bough(place, ["policy", "check"])).code, 0)
    }))
})
