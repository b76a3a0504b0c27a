/**
 * The fixed part of every request of a session: the system prompt and the declarations, as chat completions carry them.
 */
import { environmentText } from "@bough/host/session/EnvironmentText"
import { guidanceFor, namedTools } from "@bough/host/session/Guidance"
import { SystemPrompt } from "@bough/runtime"
import * as SampleAgent from "@bough/runtime/testing/SampleAgent"
import { ToolSchema } from "@bough/tool"
import type { Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Packs from "../src/Packs.ts"

const kinds = { Main: Packs.main, Worker: Packs.worker } as const

/** The budget in bytes; OpenCode needs three times and Claude Code ten times as many. */
const budgetBytes = 8500

const requestOf = (kind: keyof typeof kinds) => {
  const tools = kinds[kind]
  const agent = SampleAgent.make(tools, {
    name: "bough",
    workspace: { root: "/home/ada/projects/garden" },
    tools: { core: Packs.core },
    prompt: { guidance: guidanceFor(tools) }
  })
  const declared = Object.values<Tool.Any>(tools.pack.tools).filter(({ name }) => Packs.core.has(name))
  const environment = environmentText({
    system: "Linux",
    date: "2026-11-23",
    repository: { branch: "main", changed: true },
    isFolderTrusted: true,
    sandbox: "bubblewrap",
    network: true
  })
  return {
    messages: [
      { role: "system", content: SystemPrompt.text(agent, kind) },
      { role: "user", content: `<context source="environment">\n${environment}\n</context>` },
      { role: "user", content: "hi" }
    ],
    tools: declared.map((tool) => ({
      type: "function",
      function: {
        name: tool.name,
        description: tool.description,
        parameters: ToolSchema.forModel(tool)
      }
    }))
  }
}

describe("The first request", () => {
  it.each(["Main", "Worker"] as const)("of a %s stays within its budget", (kind) => {
    assert.isBelow(
      Buffer.byteLength(JSON.stringify(requestOf(kind))),
      budgetBytes,
      `is ${Buffer.byteLength(JSON.stringify(requestOf(kind)))}`
    )
  })

  it("of a Main declares the tools of a coding agent, and tells it how to work", () => {
    const { messages, tools } = requestOf("Main")
    const names = new Set(tools.map((tool) => tool.function.name))
    for (const name of ["read_file", "run_command", "update_plan", "spawn_worker", "spawn_branch", "web_fetch"]) {
      assert.isTrue(names.has(name), name)
    }
    for (const name of names) assert.notInclude(messages[0].content.split("More tools")[1] ?? "", ` ${name},`)
    assert.match(messages[0].content, /Find before you read/u)
  })

  it("names no tool that no pack has", () => {
    assert.includeMembers(Object.keys(Packs.main.pack.tools), [...namedTools])
    assert.includeMembers([...namedTools], ["search_files", "update_plan", "spawn_worker"])
  })

  it("of a Worker names no tool that it lacks", () => {
    const [{ content }] = requestOf("Worker").messages
    for (const name of ["run_command", "edit_file", "spawn_worker", "update_plan"]) assert.notInclude(content, name)
  })
})
