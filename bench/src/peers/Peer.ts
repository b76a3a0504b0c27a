/**
 * The coding agents that are compared: how each is started without a person, with an empty home directory and with a
 * model on this machine.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Dialect } from "../../../packages/models/test/wire/Dialect.ts"
import { dialectOf, key } from "../models/Providers.ts"
import { root } from "../PublishedLayout.ts"

export interface ToolCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** The folders of a run, and the address of the model's server without a path. */
export interface Surroundings {
  readonly home: string
  readonly workspace: string
  readonly origin: string
}

export interface Peer {
  readonly name: string
  /** The program: its name on PATH, or its path. */
  readonly command: string
  /** The dialect in which the agent speaks with its model. */
  readonly dialect: Dialect
  /** Writes the agent's configuration below its home directory; returns its environment variables. */
  readonly configure: (surroundings: Surroundings) => Readonly<Record<string, string>>
  readonly argv: (prompt: string) => ReadonlyArray<string>
  /** The call of the agent's tool that reads `file` of the workspace; null: the agent reads by commands. */
  readonly read: ((file: string, workspace: string) => ToolCall) | null
  readonly runCommand: (command: string) => ToolCall
}

const write = (file: string, content: string | object): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content))
}

const bough: Peer = {
  name: "bough",
  command: process.execPath,
  dialect: dialectOf("openai-compatible"),
  configure: ({ home, origin }) => ({
    BOUGH_HOME: join(home, "data"),
    OPENAI_COMPATIBLE_BASE_URL: `${origin}/v1`,
    OPENAI_COMPATIBLE_API_KEY: key
  }),
  argv: (prompt) => [join(root, "apps/cli/dist/bough.js"), "run", prompt, "--model", "openai-compatible/scripted"],
  read: (path) => ({ name: "read_file", arguments: { path } }),
  runCommand: (command) => ({ name: "run_command", arguments: { command } })
}

const pi: Peer = {
  name: "pi",
  command: "pi",
  dialect: dialectOf("openai-compatible"),
  configure: ({ home, origin }) => {
    const models = [{ id: "scripted", contextWindow: 128_000, maxTokens: 8000 }]
    const local = { baseUrl: `${origin}/v1`, api: "openai-completions", apiKey: key, models }
    write(join(home, ".pi/agent/models.json"), { providers: { local } })
    write(join(home, ".pi/agent/settings.json"), { defaultProvider: "local", defaultModel: "scripted" })
    return {}
  },
  argv: (prompt) => ["-p", prompt],
  read: (path) => ({ name: "read", arguments: { path } }),
  runCommand: (command) => ({ name: "bash", arguments: { command } })
}

const opencode: Peer = {
  name: "opencode",
  command: "opencode",
  dialect: dialectOf("openai-compatible"),
  configure: ({ home, origin }) => {
    const options = { baseURL: `${origin}/v1`, apiKey: key }
    const local = {
      npm: "@ai-sdk/openai-compatible",
      name: "local",
      options,
      models: { scripted: { name: "scripted" } }
    }
    const model = "local/scripted"
    write(join(home, ".config/opencode/opencode.json"), {
      autoupdate: false,
      provider: { local },
      model,
      small_model: model
    })
    // Without these it waits for addresses that a machine without a network does not reach.
    return {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1"
    }
  },
  argv: (prompt) => ["run", prompt],
  read: (file, workspace) => ({ name: "read", arguments: { filePath: join(workspace, file) } }),
  runCommand: (command) => ({ name: "bash", arguments: { command, description: "Prints a word" } })
}

const codex: Peer = {
  name: "codex",
  command: "codex",
  dialect: dialectOf("openai"),
  configure: ({ home, origin }) => {
    const provider = [`name = "local"`, `base_url = "${origin}/v1"`, `wire_api = "responses"`, `env_key = "LOCAL_KEY"`]
    const lines = [`model = "scripted"`, `model_provider = "local"`, `[model_providers.local]`, ...provider]
    write(join(home, ".codex/config.toml"), `${lines.join("\n")}\n`)
    return { LOCAL_KEY: key }
  },
  argv: (prompt) => ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt],
  read: null,
  runCommand: (command) => ({ name: "exec_command", arguments: { cmd: command } })
}

const claude: Peer = {
  name: "claude",
  command: "claude",
  dialect: dialectOf("anthropic"),
  configure: ({ home, origin }) => {
    write(join(home, ".claude.json"), { hasCompletedOnboarding: true })
    return {
      ANTHROPIC_BASE_URL: origin,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1"
    }
  },
  argv: (prompt) => ["-p", prompt, "--model", "claude-sonnet-4-5", "--allowedTools", "Bash,Read"],
  read: (file, workspace) => ({ name: "Read", arguments: { file_path: join(workspace, file) } }),
  runCommand: (command) => ({ name: "Bash", arguments: { command, description: "Prints a word" } })
}

export const peers: ReadonlyArray<Peer> = [bough, pi, opencode, codex, claude]
