/**
 * What may stand in a configuration file. The operator's file may hold everything; a project's file nothing that names
 * an endpoint, a credential, a sandbox or an allowance, because whoever writes the project writes it.
 */
import { Effort } from "@bough/models"
import { names as registryNames } from "@bough/network/proxy/Registries"
import { names } from "@bough/network/search/Providers"
import * as Schema from "effect/Schema"

const described = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema.annotate({ description }))

const steps = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 }))
const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
const depth = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 32 }))
const live = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 256 }))
const seconds = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 86_400 }))
const minutes = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0.01))
const dollars = Schema.Finite.check(Schema.isGreaterThan(0))
const price = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))
const text = Schema.NonEmptyString
const texts = Schema.Array(text)
const rule = Schema.Union([
  text,
  Schema.Struct({
    rule: text.annotate({ description: "As it would stand alone" }),
    match: described(texts, "Calls that it covers, such as: write_file path=src/a.ts"),
    notMatch: described(texts, "Calls that it does not cover, such as: write_file path=srcs/a.ts")
  })
]).annotate({
  description:
    "TOOL FIELD=VALUE, for some sessions with @agent=NAME, @channel=NAME or @kind=Main, Branch or Worker; alone or with examples, which are tried before the rule is used"
})
export type Rule = typeof rule.Type
const rules = Schema.Array(rule)

const model = described(
  Schema.String.check(Schema.isPattern(/^[a-z0-9-]+\/\S+$/u, { expected: "a model as provider/model" })),
  "The model as provider/model, such as openai-compatible/llama3.2 or offline/planner"
)

const effort = described(
  Schema.Literals(Effort.levels),
  "How hard the model is to think before it answers; without it as its provider has it"
)

const limits = described(
  Schema.Struct({
    maxSteps: described(steps, "Model calls in one turn"),
    maxCostUsd: described(dollars, "US dollars that a session may cost; needs a model whose price is known"),
    maxInputTokens: described(count, "Tokens that a session and all that it starts may send"),
    maxOutputTokens: described(count, "Tokens that they may be answered with"),
    maxActiveMinutes: described(minutes, "Minutes that they may work; waiting is free"),
    maxTreeSteps: described(count, "Model calls of all of them, in all turns"),
    maxSpawns: described(Schema.Natural, "Sessions that may be started; default 256"),
    maxDepth: described(depth, "How far below the first session they go, 0: none are started; default 4"),
    maxLiveChildren: described(live, "Sessions that one may have at work at once; default 8")
  }),
  "Where a session stops"
)

/** `.bough/config.jsonc`, read once the folder is trusted. Its limits can lower the operator's, never raise them. */
export const Project = Schema.Struct({
  $schema: described(Schema.String, "Where an editor finds this schema"),
  model,
  limits,
  rules: described(
    Schema.Struct({
      ask: described(rules, "Calls that a person is asked about, such as: run_command"),
      deny: described(rules, "Calls that are refused, such as: write_file path=deploy/")
    }),
    "Rules over typed fields of a call; a project can only narrow what is allowed"
  )
})
export type Project = typeof Project.Type
export type Limits = NonNullable<Project["limits"]>

const provider = Schema.Struct({
  baseUrl: described(text, "Where its API is"),
  apiKey: described(text, "Its key, best as ${NAME} of an environment variable")
})

const service = Schema.Struct({
  host: text.annotate({ description: "Its name or address, such as localhost" }),
  port: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))
})

const network = described(
  Schema.Struct({
    allow: described(
      Schema.Array(service),
      "Services that the web tools, and commands that may reach the host, connect to although they are on this machine or a private network"
    ),
    headers: described(
      Schema.Array(
        Schema.Struct({
          host: text.annotate({ description: "Its name or address, such as api.example.com" }),
          port: described(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 })), "Default: 443"),
          headers: Schema.Record(Schema.String, text).annotate({
            description: 'By name, best as "Bearer ${NAME}" of an environment variable'
          })
        })
      ),
      "Headers that http_request sends to a host, such as Authorization: a model cannot set those that carry a credential"
    ),
    commands: described(
      Schema.Struct({
        access: described(
          Schema.Literals(["ask", "off"]),
          "Whether a command in the sandbox may ask for a host that no rule names (ask, the default), or has no network at all (off)"
        ),
        registries: described(
          Schema.Array(Schema.Literals(registryNames)),
          "Package registries that commands reach unasked; none by default"
        ),
        hosts: described(texts, "Further hosts that commands reach unasked, such as git.example.com"),
        maxSentBytes: described(Schema.Natural, "Bytes that one command may send to one host; default 16777216")
      }),
      "What commands in the sandbox reach"
    )
  }),
  "What the web tools reach beside the internet, and what commands reach at all"
)

const search = described(
  Schema.Struct({
    provider: Schema.Literals(names).annotate({ description: "Who is asked" }),
    key: described(text, "Its key, best as ${NAME} of an environment variable"),
    endpoint: described(text, "Where it is, in place of the provider's own place"),
    engine: described(text, "Google's id of a search engine (cx)")
  }),
  "Web search; duckduckgo needs no key, searxng an endpoint"
)

const embedding = described(
  Schema.Struct({
    model: described(
      text,
      "static (comes with bough, English), none, or, where @huggingface/transformers is installed beside bough, a folder with a model or one of the hub, such as Xenova/all-MiniLM-L6-v2, or NAME@REVISION for a tag or commit of it"
    ),
    hub: described(
      Schema.String.check(Schema.isPattern(/^https?:\/\/\S+$/u, { expected: "a URL of http or https" })),
      "Where a model of the hub is downloaded from with its first use, in place of https://huggingface.co, such as a mirror of it"
    )
  }),
  "What notes are compared by, beside their words"
)

const weight = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 }))

const recallTokens = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 }))

const memory = described(
  Schema.Struct({
    weights: described(
      Schema.Struct({
        words: described(weight, "Of a note's words; default 1"),
        meaning: described(weight, "Of its meaning; default 1")
      }),
      "How much words and meaning count when notes are searched, from 0 to 100"
    ),
    recall: described(Schema.Boolean, "Whether notes that bear on a message join it by themselves; default true"),
    recallTokens: described(recallTokens, "Tokens that such notes may take of each message, 0: none join; default 500"),
    preferenceTokens: described(
      recallTokens,
      "Tokens that your preferences may take of each session's prompt, 0: they join as other notes do; default 200"
    ),
    reflect: described(
      Schema.Boolean,
      "Whether a conversation is looked back on while you are silent, and what will help later remembered; default true at a terminal"
    ),
    reflectAfterSeconds: described(
      seconds,
      "How long you say nothing before that begins, which what you say ends; 0: at once; default 5"
    )
  }),
  "What is remembered about you"
)

const reflection = described(
  Schema.Struct({
    model: described(
      Schema.String.check(
        Schema.isPattern(/^(?:session|[a-z0-9-]+\/\S+)$/u, { expected: "session, or a model as provider/model" })
      ),
      "Who looks back on a conversation, as provider/model, or session: the conversation's own model; default the provider's small model where bough knows one (claude-haiku-5-5, gpt-6-luna, gemini-3.5-flash-lite), else session"
    )
  }),
  "Looking back on conversations, which memory.reflect turns on and off"
)

const rates = {
  inputPerMillionUsd: price.annotate({ description: "Input" }),
  cachedInputPerMillionUsd: described(price, "Input read from the provider's cache; as other input without it"),
  writtenInputPerMillionUsd: described(price, "Input written to the provider's cache; as other input without it"),
  outputPerMillionUsd: price.annotate({ description: "Output, reasoning included" })
}

const prices = described(
  Schema.Record(
    Schema.String,
    Schema.Struct({
      ...rates,
      longPrompt: described(
        Schema.Struct({ aboveTokens: Schema.Natural.annotate({ description: "Tokens of the prompt" }), ...rates }),
        "What a request costs whose prompt has more tokens"
      )
    })
  ),
  "US dollars per million tokens, by provider/model; they win over the prices that bough knows"
)

const workspace = described(
  Schema.Struct({
    repository: described(
      Schema.Boolean,
      "Whether all of the repository around the folder belongs to the workspace; default true"
    ),
    additionalDirectories: described(
      Schema.Array(
        Schema.Struct({
          path: text.annotate({ description: "Absolute, from ~/, or relative to the folder" }),
          access: described(
            Schema.Literals(["read-only", "writable"]),
            "What file tools and commands may do there; default writable"
          )
        })
      ),
      "Directories that belong to the workspace too, for file tools and commands; --add-dir adds more"
    )
  }),
  "What belongs to the workspace beside the folder that bough was started in"
)

/** `~/.config/bough/config.jsonc`. */
export const User = Schema.Struct({
  $schema: described(Schema.String, "Where an editor finds this schema"),
  model,
  effort,
  limits,
  rules: described(
    Schema.Struct({
      allow: described(rules, 'Calls that need no question, such as: run_command argv=["npm","test"]'),
      ask: described(rules, "Calls that a person is asked about"),
      deny: described(rules, "Calls that are refused")
    }),
    "Rules over typed fields of a call: deny before ask before allow"
  ),
  approve: described(
    Schema.Literals(["ask", "deny", "allow"]),
    "What answers an ask that no rule answers; allow answers System asks, Elevated ones still need a person"
  ),
  approvalGraceSeconds: described(
    seconds,
    "How long a step waits for your answer before the call is put aside and the work goes on; default 30"
  ),
  timeoutSeconds: described(
    Schema.Record(Schema.String, Schema.Finite.check(Schema.isGreaterThan(0), Schema.isLessThanOrEqualTo(86_400))),
    "How long a call may take, by tool, in place of the tool's own limit; what the call itself sets, such as timeoutMillis of run_command, holds within it"
  ),
  sandbox: described(
    Schema.Literals(["bubblewrap", "host", "disabled"]),
    "Where commands run; on the host every call is asked about"
  ),
  workspace,
  network,
  search,
  embedding,
  memory,
  reflection,
  providers: described(Schema.Record(Schema.String, provider), "Model providers by name, such as openai-compatible"),
  prices,
  terminal: described(
    Schema.Struct({
      plain: described(Schema.Boolean, "Converse in plain lines that are written once, for screen readers")
    }),
    "How the conversation looks"
  ),
  secrets: described(texts, "Further values to keep out of everything stored, shown or sent; best as ${NAME}")
})
export type User = typeof User.Type
