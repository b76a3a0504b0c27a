/**
 * `call` and `tools`: a manual call of one tool prints its envelope to stdout after success and failure; the list of
 * tools.
 */
import { Envelope } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { configure, lines, put, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Envelope.Envelope), { onExcessProperty: "error" })

describe("bough call", () => {
  it("prints the envelope of a success, with output in full that is cut for a model", () =>
    withTestFolder(async (place) => {
      put(place, "a.txt", "one\ntwo\n")
      const ended = await bough(place, ["call", "read_file", '{"path":"a.txt","fromLine":2}'])
      const envelope = decode(ended.stdout)
      assert.strictEqual(ended.code, 0)
      assert.isTrue(envelope.status === "success" && JSON.stringify(envelope.result.output).includes("two"))
      assert.notInclude(ended.stdout, "one")

      for (let index = 0; index < 300; index++) put(place, `${"long-name-".repeat(8)}${index}.md`, "")
      const long = decode((await bough(place, ["call", "find_files", '{"glob":"*.md","limit":2000}'])).stdout)
      const output = long.status === "success" ? long.result.output : null
      assert.lengthOf((output as { readonly paths: ReadonlyArray<string> }).paths, 300)
    }))

  it("works on the whole repository from one of its folders, and on directories that are added", () =>
    withTestFolder(async (place) => {
      const library = join(place.root, "library")
      mkdirSync(join(place.workspace, ".git"))
      mkdirSync(library)
      writeFileSync(join(library, "b.txt"), "library\n")
      put(place, "packages/app/a.txt", "app\n")
      put(place, "root.txt", "root\n")
      const cwd = join(place.workspace, "packages/app")
      const call = async (tool: string, parameters: object, ...flags: ReadonlyArray<string>) =>
        decode((await bough(place, ["call", tool, JSON.stringify(parameters), ...flags], { cwd })).stdout)
      assert.strictEqual((await call("read_file", { path: "a.txt" })).status, "success")
      assert.strictEqual((await call("read_file", { path: "../../root.txt" })).status, "success")
      assert.strictEqual((await call("write_file", { path: "../new.txt", content: "x" })).status, "success")
      assert.isTrue(existsSync(join(place.workspace, "packages/new.txt")))
      const path = join(library, "b.txt")
      assert.strictEqual((await call("read_file", { path })).status, "error")
      assert.strictEqual((await call("read_file", { path }, "--add-dir", "../../../library:ro")).status, "success")
      const write = { path: join(library, "c.txt"), content: "x" }
      assert.strictEqual((await call("write_file", write, "--add-dir", `${library}:ro`)).status, "error")
      configure(place, JSON.stringify({ workspace: { additionalDirectories: [{ path: library }] } }))
      assert.strictEqual((await call("write_file", write)).status, "success")
      configure(place, JSON.stringify({ workspace: { repository: false } }))
      assert.strictEqual((await call("read_file", { path: "../../root.txt" })).status, "error")
    }))

  it("takes the arguments from stdin", () =>
    withTestFolder(async (place) => {
      put(place, "a.txt", "one\n")
      const ended = await bough(place, ["call", "read_file", "-"], { stdin: '{"path":"a.txt"}' })
      assert.strictEqual(decode(ended.stdout).status, "success")
    }))

  it("prints the envelope of a failure, and exits with 1", () =>
    withTestFolder(async (place) => {
      const tags: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
        [["read_file", '{"path":"missing.txt"}'], "ExecutionError"],
        [["read_file", '{"path":"../../etc/passwd"}'], "PermissionDenied"],
        [["read_file", '{"pth":"a"}'], "ValidationError"],
        [["read_file", '{"path":'], "ValidationError"],
        [["reed_file", "{}"], "ValidationError"]
      ]
      for (const [args, tag] of tags) {
        const { code, stdout } = await bough(place, ["call", ...args])
        const envelope = decode(stdout)
        assert.deepStrictEqual([code, envelope.status === "error" && envelope.error._tag], [1, tag], stdout)
      }
    }))

  it("stops after the operator's time limit, and does not report it as an unknown tool", () =>
    withTestFolder(async (place) => {
      const call = ["call", "sleep", '{"millis":1000}']
      configure(place, '{ "timeoutSeconds": { "sleep": 0.1, "run_command": 3600 } }')
      const { code, stdout } = await bough(place, call)
      const envelope = decode(stdout)
      assert.deepStrictEqual([code, envelope.status === "error" && envelope.error._tag], [1, "Timeout"], stdout)

      const set = await bough(place, ["config", "set", "timeoutSeconds.slep", "9"])
      assert.match(set.stderr, /timeoutSeconds: unknown tool "slep"; did you mean sleep\?.*nothing is saved/)
      configure(place, '{ "timeoutSeconds": { "slep": 9 } }')
      const started = await bough(place, call)
      assert.deepStrictEqual([set.code, started.code, started.stdout], [2, 2, ""])
      assert.match(started.stderr, /^bough: timeoutSeconds: unknown tool "slep"; did you mean sleep\? — /)
      assert.match((await bough(place, ["doctor"])).stdout, /^problem +configuration: .*"slep"/m)
      configure(place, '{ "timeoutSeconds": { "sleep": 0 } }')
      assert.match((await bough(place, call)).stderr, /config\.jsonc:1: timeoutSeconds\.sleep: /)

      configure(place, "{}")
      put(place, ".bough/config.jsonc", '{ "timeoutSeconds": { "sleep": 0.1 } }')
      const project = await bough(place, ["run", "--trust", "hi"])
      assert.match(project.stderr, /timeoutSeconds is the operator's to decide/)
    }))

  it("gives a worker no tool that writes", () =>
    withTestFolder(async (place) => {
      const args = ["call", "write_file", '{"path":"a.txt","content":"x"}', "--kind", "worker"]
      const { code, stdout } = await bough(place, args)
      const envelope = decode(stdout)
      assert.isTrue(envelope.status === "error" && envelope.error._tag === "PermissionDenied")
      assert.include(stdout, "does not hold write_file: held by Main, Branch")
      assert.strictEqual(code, 1)
    }))

  it("exits with 3 if an approval is needed, obeys --approve and --allow, and uses the session that is named", () =>
    withTestFolder(async (place) => {
      const file = put(place, "a.txt", "precious\n")
      const args = ["call", "delete_path", '{"path":"a.txt"}']
      const parked = await bough(place, args)
      assert.strictEqual(parked.code, 3)
      assert.deepInclude(decode(parked.stdout), {
        status: "rejected",
        reason: "delete_path needs an approval and was not run"
      })
      assert.match(parked.stderr, /^bough: delete_path needs an approval and was not run — .* --allow RULE; /m)
      const refused = await bough(place, [...args, "--approve", "deny"])
      assert.deepStrictEqual([refused.code, decode(refused.stdout).status, existsSync(file)], [1, "rejected", true])
      const allowed = await bough(place, [...args, "--allow", "delete_path path=a.txt"])
      assert.deepStrictEqual([allowed.code, decode(allowed.stdout).status, existsSync(file)], [0, "success", false])
      const [session] = lines((await bough(place, ["sessions"])).stdout)[0].split(" ")
      assert.strictEqual((await bough(place, ["call", "current_time", "{}", "--session", session])).code, 0)
      const shown = lines((await bough(place, ["sessions", "show", session])).stdout)
      assert.deepStrictEqual(
        [shown[0].includes("opened: Main"), shown.some((row) => row.includes("current_time"))],
        [true, true]
      )
    }))

  it("redacts a secret in its output and in the store", () =>
    withTestFolder(async (place) => {
      put(place, "a.txt", "the key is sk-very-secret-1234\n")
      configure(place, '{ "secrets": ["${OTHER}"] }')
      const env = { OPENAI_API_KEY: "sk-very-secret-1234", OTHER: "hunter2-hunter2" }
      const { stdout } = await bough(place, ["call", "read_file", '{"path":"a.txt"}'], { env })
      assert.strictEqual(decode(stdout).status, "success")
      assert.notInclude(stdout, "sk-very-secret-1234")
      const [session] = lines((await bough(place, ["sessions"])).stdout)[0].split(" ")
      assert.notInclude((await bough(place, ["sessions", "export", session])).stdout, "sk-very-secret-1234")
      put(place, "b.txt", "hunter2-hunter2\n")
      assert.notInclude(
        (await bough(place, ["call", "read_file", '{"path":"b.txt"}'], { env })).stdout,
        "hunter2-hunter2"
      )
    }))
})

describe("bough tools", () => {
  it("lists every tool with its tier and the kinds that hold it", () =>
    withTestFolder(async (place) => {
      const listed = JSON.parse((await bough(place, ["tools", "list", "--format", "json"])).stdout) as ReadonlyArray<{
        readonly name: string
        readonly tier: string
        readonly kinds: ReadonlyArray<string>
      }>
      const find = (name: string) => listed.find((tool) => tool.name === name)
      assert.deepInclude(find("read_file"), { tier: "ReadOnly", kinds: ["Main", "Branch", "Worker"] })
      assert.deepInclude(find("write_file"), { tier: "Workspace", kinds: ["Main", "Branch"] })
      assert.deepInclude(find("run_command"), { tier: "System" })
      const rows = lines((await bough(place, ["tools"])).stdout)
      assert.deepStrictEqual(
        rows.map((row) => row.split(" ")[0]),
        listed.map(({ name }) => name)
      )
    }))

  it("shows one tool in full", () =>
    withTestFolder(async (place) => {
      const shown = JSON.parse((await bough(place, ["tools", "show", "write_file", "--format", "json"])).stdout)
      assert.deepInclude(shown, { name: "write_file", tier: "Workspace", version: 1 })
      assert.include(shown.capabilities, "WorkspaceWrite")
      assert.deepStrictEqual(Object.keys(shown.parameters.properties), ["path", "content"])
      assert.deepStrictEqual(shown.parameters.additionalProperties, false)
      const text = (await bough(place, ["tools", "show", "write_file"])).stdout
      assert.match(text, /tier +Workspace/)
      assert.match(text, /replay +(Safe|Idempotent|Unsafe)/)
      assert.match(text, /capabilities .*WorkspaceWrite/)
    }))
})
