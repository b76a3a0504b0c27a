/** Tools in the shape of each family, over its own wire: declared, called and answered. */
import type { Model } from "@bough/runtime"
import { ask, assistant, calls, prompt, toolCall, toolError, toolResult } from "@bough/runtime/testing/ModelProbe"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { withShape } from "../../src/shapes/ShapedModel.ts"
import * as Shapes from "../../src/shapes/Shapes.ts"
import * as ChatServer from "../ChatServer.ts"
import * as AnthropicDialect from "../wire/AnthropicDialect.ts"
import * as BedrockDialect from "../wire/BedrockDialect.ts"
import * as ChatDialect from "../wire/ChatDialect.ts"
import type { Dialect } from "../wire/Dialect.ts"
import * as Dialects from "../wire/Dialects.ts"
import * as GeminiDialect from "../wire/GeminiDialect.ts"
import * as ResponsesDialect from "../wire/ResponsesDialect.ts"
import * as Wire from "../wire/Wire.ts"
import { ShapedModelTools } from "./tools.ts"

const patch = "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n@@\n-old\n+new\n*** End Patch"
const text = (value: unknown) => JSON.stringify(value)

type ShapedCall = readonly [tool: string, args: object, ours: ReadonlyArray<readonly [string, unknown]>]
type Family = readonly [name: string, Dialect, declared: ReadonlyArray<string>, said: ReadonlyArray<ShapedCall>]

/** Calls as the models of a family write them, and the session's calls that they translate to. */
const claude: ReadonlyArray<ShapedCall> = [
  ["bash", { command: "ls", timeoutMillis: 5 }, [["run_command", { command: "ls", timeoutMillis: 5 }]]],
  [
    "str_replace_based_edit_tool",
    { command: "create", path: "a", file_text: "x" },
    [["write_file", { path: "a", content: "x" }]]
  ],
  [
    "str_replace_based_edit_tool",
    { command: "str_replace", path: "a", old_str: "x", new_str: "y" },
    [["edit_file", { path: "a", edits: [{ old: "x", new: "y" }] }]]
  ]
]

const gpt: ReadonlyArray<ShapedCall> = [
  [
    "exec_command",
    { cmd: "ls", workdir: "src", yield_time_ms: 9 },
    [["run_command", { command: "ls", cwd: "src", timeoutMillis: 9, leaveRunning: true }]]
  ],
  [
    "write_stdin",
    { session_id: "c1", chars: "y\n", yield_time_ms: 5 },
    [["write_command_input", { commandId: "c1", text: "y\n", waitMillis: 5 }]]
  ],
  [
    "apply_patch",
    { input: patch },
    [
      ["write_file", { path: "a", content: "x\n" }],
      ["edit_file", { path: "b", edits: [{ old: "old\n", new: "new\n" }] }]
    ]
  ]
]

const edit = (parts: object) => ["edit_file", { path: "a", edits: [{ old: "x", new: "y", ...parts }] }] as const

/** Calls that both command lines have, in fields that both name alike. */
const alike: ReadonlyArray<ShapedCall> = [
  ["read_file", { file_path: "a" }, [["read_file", { path: "a" }]]],
  ["write_file", { file_path: "a", content: "x" }, [["write_file", { path: "a", content: "x" }]]],
  ["glob", { pattern: "*.ts" }, [["find_files", { glob: "*.ts" }]]],
  ["grep_search", { pattern: "x" }, [["search_files", { pattern: "x", ignoreCase: true }]]],
  ["run_shell_command", { command: "ls", is_background: true }, [["start_command", { command: "ls" }]]]
]

const gemini: ReadonlyArray<ShapedCall> = [
  ...alike,
  [
    "read_file",
    { file_path: "a", start_line: 3, end_line: 5 },
    [["read_file", { path: "a", fromLine: 3, maxLines: 3 }]]
  ],
  ["replace", { file_path: "a", old_string: "x", new_string: "y" }, [edit({})]],
  ["replace", { file_path: "a", old_string: "x", new_string: "y", allow_multiple: true }, [edit({ replaceAll: true })]],
  ["glob", { pattern: "*.ts", dir_path: "src" }, [["find_files", { glob: "*.ts", path: "src" }]]],
  [
    "grep_search",
    {
      pattern: "x",
      dir_path: "src",
      include_pattern: "*.ts",
      case_sensitive: true,
      fixed_strings: true,
      context: 2,
      total_max_matches: 9
    },
    [
      [
        "search_files",
        { ignoreCase: false, pattern: "x", path: "src", globs: ["*.ts"], literal: true, contextLines: 2, limit: 9 }
      ]
    ]
  ],
  ["list_directory", { dir_path: "src" }, [["list_files", { path: "src" }]]],
  ["run_shell_command", { command: "ls", dir_path: "src" }, [["run_command", { command: "ls", cwd: "src" }]]],
  [
    "run_shell_command",
    { command: "ls", is_background: true, delay_ms: 50 },
    [["start_command", { command: "ls", waitMillis: 50 }]]
  ]
]

const qwen: ReadonlyArray<ShapedCall> = [
  ...alike,
  ["read_file", { file_path: "a", offset: 2, limit: 3 }, [["read_file", { path: "a", fromLine: 3, maxLines: 3 }]]],
  ["edit", { file_path: "a", old_string: "x", new_string: "y" }, [edit({})]],
  ["edit", { file_path: "a", old_string: "x", new_string: "y", replace_all: true }, [edit({ replaceAll: true })]],
  ["glob", { pattern: "*.ts", path: "src" }, [["find_files", { glob: "*.ts", path: "src" }]]],
  [
    "grep_search",
    { pattern: "x", glob: "*.ts", path: "src", limit: 9 },
    [["search_files", { ignoreCase: true, pattern: "x", globs: ["*.ts"], path: "src", limit: 9 }]]
  ],
  ["list_directory", { path: "src" }, [["list_files", { path: "src" }]]],
  [
    "run_shell_command",
    { command: "ls", timeout: 9, directory: "src" },
    [["run_command", { command: "ls", timeoutMillis: 9, cwd: "src" }]]
  ]
]

const ofClaude = ["read_file", "bash", "str_replace_based_edit_tool"]
const ofGpt = ["read_file", "exec_command", "apply_patch", "write_stdin"]
const ofGemini = ["read_file", "run_shell_command", "replace", "write_file", "glob", "grep_search", "list_directory"]
const ofQwen = ["read_file", "run_shell_command", "edit", "write_file", "glob", "grep_search", "list_directory"]

/** A family on each wire that its models are reached over. */
const families: ReadonlyArray<Family> = [
  ["anthropic/claude-sonnet-5-5", AnthropicDialect.dialect, ofClaude, claude],
  ["amazon-bedrock/us.anthropic.claude-opus-5", BedrockDialect.dialect, ofClaude, claude],
  ["openai/gpt-6.1-terra", ResponsesDialect.dialect, ofGpt, gpt],
  ["openai-chat/gpt-6.1-terra", ChatDialect.openAiChat, ofGpt, gpt],
  ["google/gemini-3.8-flash", GeminiDialect.dialect, ofGemini, gemini],
  ["openai-compatible/qwen3-coder", ChatDialect.openAiCompatible, ofQwen, qwen],
  ["ollama/qwen3-coder", ChatDialect.ollama, ofQwen, qwen]
]

const connect = Effect.fnUntraced(function* (dialect: Dialect, name: string, answer: ChatServer.Answer) {
  const server = yield* ChatServer.start(answer)
  const model = yield* Wire.modelAt(dialect, new URL(server.baseUrl).origin, { name })
  const shape = Shapes.familyOf(name)
  assert(shape !== null)
  return { model: withShape(model, shape), bodies: () => server.received.map(({ body }) => body as unknown) }
})

const withTools = (messages: ReadonlyArray<Model.PromptMessage> = []): Model.Prompt => {
  const before = prompt("go")
  return {
    ...before,
    system: "Find with search_files; run run_command, change with edit_file.",
    tools: ShapedModelTools,
    messages: [...before.messages, ...messages]
  }
}

describe.each(families)("ShapedModel of %s", (name, dialect, declared, cases) => {
  it.live("declares the family's tools in place of the session's, in the system prompt too", () =>
    Effect.gen(function* () {
      const { bodies, model } = yield* connect(dialect, name, Wire.answer(dialect, Wire.says(Wire.text("ok"))))
      assert.isNull((yield* ask(model, withTools())).error)
      const body = text(bodies()[0])
      for (const tool of declared) assert.include(body, `"name":"${tool}"`)
      for (const tool of ["run_command", "edit_file"]) assert.notInclude(body, tool)
    }).pipe(Effect.scoped)
  )

  it.live.each(cases)(
    "translates %j to calls of the session's tools, and reports them as the model made them",
    ([tool, args, ours]) =>
      Effect.gen(function* () {
        const answer = Wire.says(Wire.call("c1", tool, args))
        const { bodies, model } = yield* connect(
          dialect,
          name,
          ChatServer.inTurn([Wire.answer(dialect, answer), Wire.answer(dialect, Wire.says(Wire.text("ok")))])
        )
        const reply = calls(yield* ask(model, withTools()))
        assert.deepStrictEqual(
          reply.map((call) => [call.name, JSON.parse(call.arguments) as unknown]),
          ours.map(([called, given]) => [called, given])
        )
        assert.lengthOf(new Set(reply.map(({ id }) => id)), ours.length)
        const history = [
          assistant(...reply.map((call) => toolCall(call.id, call.name, JSON.parse(call.arguments)))),
          ...reply.map((call, index) =>
            index === 0
              ? toolResult(call.id, call.name, { done: index })
              : toolError(call.id, call.name, "no such text")
          )
        ]
        assert.isNull((yield* ask(model, withTools(history))).error)
        const results = dialect.results(bodies()[1])
        assert.lengthOf(results, 1)
        assert.include(results[0], "done")
        if (ours.length > 1) assert.include(results[0], "no such text")
        const body = text(bodies()[1])
        for (const [called] of ours) if (!declared.includes(called)) assert.notInclude(body, `"name":"${called}"`)
        assert.include(body, `"name":"${tool}"`)
        // The model reads its own arguments again, each under the name that it gave.
        for (const field of Object.keys(args)) assert.include(body, field)
      }).pipe(Effect.scoped)
  )
})

describe("the tools of command lines", () => {
  const declared = (shape: (typeof Shapes.shapes)[number], name: string, tools = ShapedModelTools) =>
    shape.declare(name, new Map(tools.map((tool) => [tool.name, tool]))).parameters
  const fields = (parameters: Model.ToolDeclaration["parameters"]) => Object.keys(parameters["properties"] ?? {})
  const shapeOf = (name: string) => Shapes.shapes.find((shape) => shape.name === name) ?? assert.fail(name)

  it("have the fields of the published declarations, and those of the session's tools that they lack", () => {
    const gemini = shapeOf("gemini")
    assert.deepStrictEqual(fields(declared(gemini, "write_file")), ["file_path", "content"])
    assert.deepStrictEqual(declared(gemini, "replace")["required"], [
      "file_path",
      "instruction",
      "old_string",
      "new_string"
    ])
    assert.deepStrictEqual(fields(declared(gemini, "read_file")), ["file_path", "start_line", "end_line", "commit"])
    assert.deepStrictEqual(fields(declared(shapeOf("qwen"), "read_file")), ["file_path", "offset", "limit", "commit"])
    const shell = ["command", "description", "dir_path", "is_background", "delay_ms", "timeoutMillis"]
    assert.deepStrictEqual(fields(declared(gemini, "run_shell_command")), shell)
  })

  it("start nothing in the background where the session cannot", () => {
    const tools = ShapedModelTools.filter(({ name }) => name !== "start_command")
    for (const name of ["gemini", "qwen"]) {
      assert.notInclude(fields(declared(shapeOf(name), "run_shell_command", tools)), "is_background")
    }
  })

  it("return the arguments that the model gave, for every call that they can say", () => {
    for (const [name, said] of [
      ["gemini", gemini],
      ["qwen", qwen]
    ] as const) {
      const shape = shapeOf(name)
      for (const [tool, args] of said) {
        const ours = shape.toOurs({ name: tool, arguments: args as Record<string, unknown> })
        assert(typeof ours !== "string")
        assert.deepStrictEqual(shape.toTheirs(ours), { name: tool, arguments: args })
      }
      for (const call of [
        { name: "run_command", arguments: { argv: ["ls"] } },
        { name: "edit_file", arguments: { path: "a", edits: [] } }
      ]) {
        assert.isNull(shape.toTheirs([call]))
      }
    }
  })

  it("take fields that only their makers' programs have", () => {
    const ours = (name: string, tool: string, args: Record<string, unknown>) =>
      shapeOf(name).toOurs({ name: tool, arguments: args })
    const run = [{ name: "run_command", arguments: { command: "ls", cwd: "src" } }]
    assert.deepStrictEqual(
      ours("gemini", "run_shell_command", { command: "ls", directory: "src", description: "l" }),
      run
    )
    assert.deepStrictEqual(
      ours("openai", "exec_command", { cmd: "ls", tty: false, login: true, max_output_tokens: 9, shell: "bash" }),
      ours("openai", "exec_command", { cmd: "ls" })
    )
    assert.deepStrictEqual(
      ours("gemini", "replace", { file_path: "a", instruction: "why", old_string: "x", new_string: "y" }),
      [{ name: "edit_file", arguments: { path: "a", edits: [{ old: "x", new: "y" }] } }]
    )
  })
})

describe("ShapedModel", () => {
  it("is tried over every wire, and with the models that the document names for each family", () => {
    assert.sameMembers(
      families.map(([, dialect]) => dialect),
      [...Dialects.dialects]
    )
    const document = readFileSync(new URL("../../../../docs/tool-shapes.md", import.meta.url), "utf8")
    for (const [shape, family, declared] of [
      ["anthropic", "Claude", ofClaude],
      ["openai", "GPT", ofGpt],
      ["gemini", "Gemini", ofGemini],
      ["qwen", "Qwen", ofQwen]
    ] as const) {
      const row = document.split("\n").find((line) => line.startsWith(`| ${family} `)) ?? ""
      const [, , models, tools, , source] = row.split("|")
      const own = declared.filter((name) => name !== "read_file" && name !== "write_file")
      for (const tool of own) assert.include(tools, `\`${tool}\``)
      assert.notStrictEqual(source.trim(), "")
      const named = [...models.matchAll(/`([^`]+)`/gu)].map(([, name]) => name)
      assert.isNotEmpty(named)
      for (const name of named) assert.strictEqual(Shapes.familyOf(`any/${name}x`)?.name, shape, name)
    }
  })

  it.live("passes a call that it cannot translate to the session's tool, which reports the error", () =>
    Effect.gen(function* () {
      const answer = Wire.says(
        Wire.call("c1", "apply_patch", { input: "no patch" }),
        Wire.call("c2", "exec_command", `{"cmd": `),
        Wire.call("c3", "read_file", { path: "a" })
      )
      const { model } = yield* connect(
        ResponsesDialect.dialect,
        "openai/gpt-6.1-terra",
        Wire.answer(ResponsesDialect.dialect, answer)
      )
      const reply = calls(yield* ask(model, withTools()))
      assert.deepStrictEqual(
        reply.map((call) => call.name),
        ["edit_file", "run_command", "read_file"]
      )
      assert.include(reply[0].arguments, "the patch does not begin with")
      assert.strictEqual(reply[1].arguments, `{"cmd": `)
    }).pipe(Effect.scoped)
  )

  it.live("reports a call that it cannot translate as the model made it, with the reason", () =>
    Effect.gen(function* () {
      const reply = Wire.says(Wire.call("c1", "apply_patch", { input: "no patch" }))
      const { bodies, model } = yield* connect(
        ResponsesDialect.dialect,
        "openai/gpt-6.1-terra",
        ChatServer.inTurn([
          Wire.answer(ResponsesDialect.dialect, reply),
          Wire.answer(ResponsesDialect.dialect, Wire.says(Wire.text("ok")))
        ])
      )
      const [call] = calls(yield* ask(model, withTools()))
      const refusal = "Error: edit_file: unknown key; the arguments must fit this JSON Schema: {}"
      const history = [
        assistant(toolCall(call.id, call.name, JSON.parse(call.arguments))),
        toolError(call.id, call.name, refusal)
      ]
      assert.isNull((yield* ask(model, withTools(history))).error)
      const [result] = ResponsesDialect.dialect.results(bodies()[1])
      assert.include(result, "Error: apply_patch: the patch does not begin with *** Begin Patch")
      const body = text(bodies()[1])
      assert.include(body, text(text({ input: "no patch" })))
      assert.notInclude(body, "edit_file")
    }).pipe(Effect.scoped)
  )

  it("is selected by a variable: none, that of the family, or one for every model", () => {
    const name = (model: string, value?: string) =>
      Shapes.chooseShape(model, value === undefined ? {} : { BOUGH_TOOL_SHAPES: value })?.name ?? null
    assert.deepStrictEqual(
      [
        name("anthropic/claude-sonnet-5-5"),
        name("anthropic/claude-sonnet-5-5", "own"),
        name("amazon-bedrock/us.anthropic.claude-opus-5", "native"),
        name("openai/gpt-4.1", "native"),
        name("openai/gpt-5-mini", "native"),
        name("openai-compatible/Qwen3-Coder", "native"),
        name("ollama/tiny", "gemini")
      ],
      [null, null, "anthropic", null, "openai", "qwen", "gemini"]
    )
  })
})
