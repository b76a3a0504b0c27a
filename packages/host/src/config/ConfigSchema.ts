/**
 * The keys of the configuration files. The operator's file may have all of them; a project's file has no key that names
 * an endpoint, a credential, a sandbox or an allowance, because the authors of the project write it.
 */
import { Effort } from "@bough/models"
import { names as registryNames } from "@bough/network/proxy/Registries"
import { names } from "@bough/network/search/Providers"
import * as Schema from "effect/Schema"
import { describe } from "../ConfigFields.ts"
import * as HookSchema from "../hooks/HookSchema.ts"
import * as KeySchema from "../keys/KeySchema.ts"
import { LanguageServers } from "../languageServers/LanguageServerSchema.ts"
import { Provider } from "../login/LoginSchema.ts"
import { Servers } from "../mcp/McpConfigSchema.ts"

const steps = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 }))
const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
const depth = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 32 }))
const liveChildren = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 256 }))
const seconds = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 86_400 }))
const minutes = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0.01))
const dollars = Schema.Finite.check(Schema.isGreaterThan(0))
const price = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))
const text = Schema.NonEmptyString
const texts = Schema.Array(text)
const rule = Schema.Union([
  text,
  Schema.Struct({
    rule: text.annotate({ description: "The rule, such as: write_file path=src/" }),
    match: describe(texts, "Calls that the rule covers, such as: write_file path=src/a.ts"),
    notMatch: describe(texts, "Calls that the rule does not cover, such as: write_file path=srcs/a.ts")
  })
]).annotate({
  description:
    "TOOL FIELD=VALUE, for some sessions with @agent=NAME, @channel=NAME or @kind=Main, Branch or Worker, for some calls with @tier=System; alone or with examples, which are checked before the rule is used"
})
export type Rule = typeof rule.Type
const rules = Schema.Array(rule)

const model = describe(
  Schema.String.check(Schema.isPattern(/^[a-z0-9-]+\/\S+$/u, { expected: "a model as provider/model" })),
  "The model as provider/model, such as openai-compatible/llama3.2 or offline/planner"
)

const effort = describe(
  Schema.Literals(Effort.levels),
  "Reasoning effort of the model; default: medium if the model supports it"
)

const limits = describe(
  Schema.Struct({
    maxSteps: describe(steps, "Model calls in one turn"),
    maxCostUsd: describe(dollars, "US dollars that a session may cost; needs a model with a known price"),
    maxInputTokens: describe(count, "Input tokens of a session and all its descendants"),
    maxOutputTokens: describe(count, "Output tokens of a session and all its descendants"),
    maxActiveMinutes: describe(minutes, "Minutes of work of a session and all its descendants; waiting does not count"),
    maxTreeSteps: describe(count, "Model calls of a session and all its descendants, in all turns"),
    maxSpawns: describe(Schema.Natural, "Maximum number of descendants of a session; default 256"),
    maxDepth: describe(depth, "Levels of sessions below the first, 0: none are started; default 4"),
    maxLiveChildren: describe(liveChildren, "Sessions that one session may have running at the same time; default 8")
  }),
  "Limits at which a session stops"
)

/** The keys of an agent. None of them can extend the reach of a session. */
const agentKeys = {
  description: text.annotate({ description: "The work of the agent, in one sentence" }),
  model,
  tools: describe(texts, "Names of the tools of the agent, among those of its kind of session; default: all of them"),
  rules: describe(
    Schema.Struct({
      ask: describe(rules, "Calls that need an approval"),
      deny: describe(rules, "Calls that are denied")
    }),
    "Rules for the agent beside those for every session"
  ),
  limits
}
const agentName = Schema.String.check(
  Schema.isMaxLength(64),
  Schema.isPattern(/^[a-z0-9]+(?:-[a-z0-9]+)*$/u, {
    expected: "a name of lower-case letters, digits and single hyphens"
  })
)

/** The front matter of an agent's file, whose body is its instructions. */
export const AgentMatter = Schema.Struct({ name: agentName, ...agentKeys })

const Agents = Schema.Record(agentName, Schema.Struct({ ...agentKeys, instructions: describe(text, "How it works") }))
export type Agents = typeof Agents.Type

/**
 * The schema of `.bough/config.jsonc`, read once the user trusts it. Its limits can lower the operator's, never raise
 * them.
 */
export const Project = Schema.Struct({
  $schema: describe(Schema.String, "Path or URL of this schema, for editors"),
  model,
  limits,
  rules: describe(
    Schema.Struct({
      ask: describe(rules, "Calls that need an approval, such as: run_command"),
      deny: describe(rules, "Calls that are denied, such as: write_file path=deploy/")
    }),
    "Rules over typed fields of a call; a project can only narrow what is allowed"
  ),
  hooks: HookSchema.forProject
})
export type Project = typeof Project.Type
export type Limits = NonNullable<Project["limits"]>

const service = Schema.Struct({
  host: text.annotate({ description: "Name or address, such as localhost" }),
  port: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))
})

const network = describe(
  Schema.Struct({
    allow: describe(
      Schema.Array(service),
      "Services on this machine or a private network to which web tools can connect, and commands with network access to the host"
    ),
    headers: describe(
      Schema.Array(
        Schema.Struct({
          host: text.annotate({ description: "Name or address, such as api.example.com" }),
          port: describe(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 })), "Default: 443"),
          headers: Schema.Record(Schema.String, text).annotate({
            description: 'Values by name; "Bearer ${NAME}" reads the secret from an environment variable'
          })
        })
      ),
      "Headers that http_request sends to a host, such as Authorization: a model cannot set those that carry a credential"
    ),
    commands: describe(
      Schema.Struct({
        access: describe(
          Schema.Literals(["ask", "off"]),
          "Network of commands in the sandbox: ask (the default) requests an approval for a host that no rule names, off turns it off"
        ),
        registries: describe(
          Schema.Array(Schema.Literals(registryNames)),
          "Package registries that commands reach without an approval; none by default"
        ),
        hosts: describe(texts, "Further hosts that commands reach without an approval, such as git.example.com"),
        maxSentBytes: describe(Schema.Natural, "Bytes that one command may send to one host; default 16777216")
      }),
      "Hosts that commands in the sandbox reach"
    )
  }),
  "Services that the web tools reach beside the internet, and hosts that commands reach"
)

const search = describe(
  Schema.Struct({
    provider: Schema.Literals(names).annotate({ description: "Search provider" }),
    key: describe(text, "API key; write ${NAME} to read it from an environment variable"),
    endpoint: describe(text, "URL of the service, in place of the provider's own"),
    engine: describe(text, "Id of a Google search engine (cx)")
  }),
  "Web search; duckduckgo needs no key, searxng an endpoint"
)

const embedding = describe(
  Schema.Struct({
    model: describe(
      text,
      "static (comes with bough, English) or none. If @huggingface/transformers is installed beside bough, also a folder with a model, or the name of a model of the hub, such as Xenova/all-MiniLM-L6-v2; NAME@REVISION chooses a tag or commit"
    ),
    hub: describe(
      Schema.String.check(Schema.isPattern(/^https?:\/\/\S+$/u, { expected: "a URL of http or https" })),
      "URL from which a model of the hub is downloaded with its first use, such as a mirror; default: https://huggingface.co"
    )
  }),
  "Embedding model by which notes are compared, beside their words"
)

const weight = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 }))

const recallTokens = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 }))

const memory = describe(
  Schema.Struct({
    weights: describe(
      Schema.Struct({
        words: describe(weight, "Weight of words; default 1"),
        meaning: describe(weight, "Weight of meaning; default 1")
      }),
      "Weights of words and meaning in a search of notes, from 0 to 100"
    ),
    recall: describe(Schema.Boolean, "Add relevant notes to each message; default true"),
    recallTokens: describe(
      recallTokens,
      "Maximum number of tokens of notes that are added to a message, 0: none; default 500"
    ),
    preferenceTokens: describe(
      recallTokens,
      "Maximum number of tokens of the preferences that every prompt contains; 0: preferences are added only where they fit a message, like other notes; default 200"
    ),
    reflect: describe(
      Schema.Boolean,
      "Reflect on a conversation while you are idle, and save notes that will help later; default true at a terminal"
    ),
    reflectAfterSeconds: describe(
      seconds,
      "Idle seconds before a reflection starts; your next message ends it; 0: at once; default 5"
    )
  }),
  "Notes about you and their use"
)

const reflection = describe(
  Schema.Struct({
    model: describe(
      Schema.String.check(
        Schema.isPattern(/^(?:session|[a-z0-9-]+\/\S+)$/u, { expected: "session, or a model as provider/model" })
      ),
      "Model of reflections as provider/model, or session for the conversation's own model; default: the provider's small model where bough knows one (claude-haiku-5-5, gpt-6-luna, gemini-3.5-flash-lite), else session"
    )
  }),
  "Reflections on conversations, which memory.reflect turns on and off"
)

const mebibytes = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1024 }))

const undo = describe(
  Schema.Struct({
    enabled: describe(Schema.Boolean, "Record file changes so that they can be undone; default true"),
    maxFileMebibytes: describe(
      mebibytes,
      "Larger files cannot be restored, and deleting them needs an approval; default 32"
    ),
    maxStoreMebibytes: describe(
      Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
      "Maximum size of the states of one folder on the disk, the oldest are removed first; default 4096"
    ),
    maxAgeDays: describe(
      Schema.Finite.check(Schema.isGreaterThan(0)),
      "Days for which a state can be restored; default 30"
    )
  }),
  "States of the folder before each change, which bough undo restores"
)

const rates = {
  inputPerMillionUsd: price.annotate({ description: "Input" }),
  cachedInputPerMillionUsd: describe(price, "Input read from the provider's cache; default: as other input"),
  writtenInputPerMillionUsd: describe(price, "Input written to the provider's cache; default: as other input"),
  outputPerMillionUsd: price.annotate({ description: "Output, reasoning included" })
}

const prices = describe(
  Schema.Record(
    Schema.String,
    Schema.Struct({
      ...rates,
      longPrompt: describe(
        Schema.Struct({ aboveTokens: Schema.Natural.annotate({ description: "Tokens of the prompt" }), ...rates }),
        "Prices of a request whose prompt has more tokens"
      )
    })
  ),
  "US dollars per million tokens, by provider/model; they replace the prices that bough knows"
)

const bytes = Schema.NullOr(Schema.Natural)

const commands = describe(
  Schema.Struct({
    environment: describe(
      texts,
      "Further variables of yours that commands get, by name, such as MAVEN_OPTS; variables that are named like secrets or contain one are omitted"
    ),
    readOnlyPaths: describe(texts, "Further absolute paths that commands in the sandbox see, read-only"),
    unixSockets: describe(
      Schema.Boolean,
      "Let commands create Unix sockets, and connect to sockets in directories that they can see; default false"
    ),
    maxOutputBytes: describe(count, "Bytes kept of a command's output; default 1048576"),
    bubblewrap: describe(text, "Path of the bwrap program, if it is not at one of the usual places"),
    limits: describe(
      Schema.Struct({
        memoryBytes: describe(bytes, "Private memory of each process; null: no limit; default 8 GiB"),
        processes: describe(bytes, "Processes and threads together; does not bind root; default 2048"),
        fileBytes: describe(bytes, "The largest file that may be written; default 8 GiB"),
        cpuSeconds: describe(bytes, "Processor time of each process; default null"),
        openFiles: describe(bytes, "Open files of each process; default 65536"),
        temporaryBytes: describe(bytes, "Files in the private /tmp, which are held in memory; default 2 GiB")
      }),
      "Limits of one command and all processes that it starts"
    )
  }),
  "Environment and limits of commands"
)

const workspace = describe(
  Schema.Struct({
    repository: describe(
      Schema.Boolean,
      "Include the whole repository around the folder, or without git the whole monorepo, in the workspace; default true"
    ),
    additionalDirectories: describe(
      Schema.Array(
        Schema.Struct({
          path: text.annotate({ description: "Absolute, from ~/, or relative to the folder" }),
          access: describe(
            Schema.Literals(["read-only", "writable"]),
            "Access of file tools and commands to the directory; default writable"
          )
        })
      ),
      "Directories that belong to the workspace too, for file tools and commands; --add-dir adds more"
    )
  }),
  "Further directories of the workspace, in addition to the folder that bough was started in"
)

/** The schema of `~/.config/bough/config.jsonc`. */
export const User = Schema.Struct({
  $schema: describe(Schema.String, "Path or URL of this schema, for editors"),
  model,
  effort,
  limits,
  rules: describe(
    Schema.Struct({
      allow: describe(rules, 'Calls that need no approval, such as: run_command argv=["npm","test"]'),
      ask: describe(rules, "Calls that need an approval"),
      deny: describe(rules, "Calls that are denied")
    }),
    "Rules over typed fields of a call: deny before ask before allow"
  ),
  approve: describe(
    Schema.Literals(["ask", "deny", "allow", "commands"]),
    "Answer to an approval request that no rule decides; allow covers System calls, Elevated calls still need your approval; commands covers all commands, outside of the sandbox too, and the hosts that they reach"
  ),
  approvalGraceSeconds: describe(
    seconds,
    "Seconds that a step waits for your approval before the call is deferred and the agent continues; default 30"
  ),
  timeoutSeconds: describe(
    Schema.Record(Schema.String, Schema.Finite.check(Schema.isGreaterThan(0), Schema.isLessThanOrEqualTo(86_400))),
    "Timeouts of calls in seconds by tool, in place of the tool's own; a timeout in the arguments of a call, such as timeoutMillis of run_command, can only be shorter"
  ),
  sandbox: describe(
    Schema.Literals(["bubblewrap", "session", "seatbelt", "host", "disabled"]),
    "Where commands run: each in a separate sandbox (bubblewrap on Linux, seatbelt on macOS), those of a session in one shell in one sandbox, or on the host, where every call needs an approval"
  ),
  workspace,
  commands,
  network,
  search,
  embedding,
  memory,
  reflection,
  undo,
  providers: describe(Schema.Record(Schema.String, Provider), "Model providers by name, such as openai-compatible"),
  prices,
  terminal: describe(
    Schema.Struct({
      plain: describe(Schema.Boolean, "Write plain lines, each once, for screen readers"),
      notify: describe(
        Schema.Literals(["off", "bell", "osc9", "osc777"]),
        "Notification when an approval is needed or a turn of ten seconds or more ends: the bell (default), or that of the desktop in terminals that know OSC 9 or 777"
      ),
      theme: describe(
        Schema.NonEmptyString,
        "Colours of the conversation: auto (default), dark, light, or the name of a file in ~/.config/bough/themes"
      )
    }),
    "Appearance of the conversation"
  ),
  keys: describe(
    KeySchema.Keys,
    'Keys of the conversation by action, in place of their defaults: one, a list, or [] for none, such as "open transcript": "ctrl-x"'
  ),
  editor: describe(KeySchema.Editor, "Keys of the prompt: default, or vim for its normal and insert modes"),
  hooks: HookSchema.forUser,
  agents: describe(Agents, "Agents by name, for --agent; more are in files: ~/.config/bough/agents/*.md"),
  mcpServers: describe(Servers, "Servers of the Model Context Protocol by name, whose tools the agent may use"),
  languageServers: describe(
    LanguageServers,
    "Language servers by name, for the tools lsp_*; installed ones that bough knows need no entry"
  ),
  editDiagnostics: describe(
    Schema.Boolean,
    "Report new problems of an edited file with the result of the edit, if its language server is running; default true"
  ),
  secrets: describe(
    texts,
    "More values that are redacted wherever text is stored, shown or sent; ${NAME} reads one from an environment variable"
  )
})
export type User = typeof User.Type
