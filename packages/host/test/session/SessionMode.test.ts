/**
 * A mode decides over the real tools: the calls that it denies, those that it asks about, and how a later process reads
 * it.
 */
import { DataPack } from "@bough/pack-data"
import { FilesPack } from "@bough/pack-files"
import { MemoryPack } from "@bough/pack-memory"
import { SessionPack } from "@bough/pack-session"
import { ShellPack } from "@bough/pack-shell"
import { Policy } from "@bough/policy"
import { type Tool, ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as SessionMode from "../../src/session/SessionMode.ts"

const pack = ToolPack.merge(FilesPack.all, ShellPack.all, DataPack.all, MemoryPack.all, SessionPack.all)
const tools = Object.values<Tool.Any>(pack.tools)

const decide = (mode: SessionMode.Mode, name: string, policy: Policy.Policy = Policy.defaults): Policy.Decision => {
  const tool = tools.find((one) => one.name === name)
  assert.isDefined(tool)
  return Policy.evaluate(SessionMode.policyIn(mode, policy, tools), {
    tool: name,
    tier: tool.tier,
    reach: "Confined",
    tainted: null,
    newHost: null,
    raised: null,
    arguments: {},
    defaults: {},
    workspaceRoot: "/work",
    destination: null,
    runsCommands: tool.role === "Command"
  })
}

describe("SessionMode", () => {
  it.each([
    ["plan", "read_file", "Allow"],
    ["plan", "update_plan", "Allow"],
    ["plan", "spawn_worker", "Allow"],
    ["plan", "edit_file", "Deny"],
    ["plan", "delete_path", "Deny"],
    ["plan", "run_command", "Deny"],
    ["plan", "save_memory", "Deny"],
    ["ask", "read_file", "Allow"],
    ["ask", "spawn_worker", "Allow"],
    ["ask", "save_memory", "Allow"],
    ["ask", "edit_file", "Ask"],
    ["ask", "run_command", "Ask"],
    ["auto", "edit_file", "Allow"],
    ["auto", "run_command", "Allow"]
  ] as const)("in %s mode %s is answered with %s", (mode, name, expected) => {
    assert.strictEqual(decide(mode, name)._tag, expected)
  })

  it("names the mode that denies", () => {
    const denied = decide("plan", "write_file", { rules: [], approve: "commands" })
    assert.deepStrictEqual(denied, { _tag: "Deny", reason: 'denied by the rule "plan mode (read-only)"' })
  })

  it("lets commands run in the mode all, unless asks are denied", () => {
    const open = (policy: Policy.Policy) => SessionMode.policyIn("all", policy, tools).approve
    assert.strictEqual(open(Policy.defaults), "commands")
    assert.strictEqual(open({ rules: [], approve: "deny" }), "deny")
  })

  it("never becomes all by a key", () => {
    for (const mode of SessionMode.modes) assert.notStrictEqual(SessionMode.next(mode), "all")
  })

  it.each([
    ["auto", "auto"],
    ["ask", "ask"],
    ["plan", "plan"],
    ["all", "auto"]
  ] as const)("is restored from the environment of a session: %s as %s", (mode, expected) => {
    assert.strictEqual(SessionMode.modeIn(SessionMode.withMode("Linux, 2026-11-23", mode)), expected)
  })
})
