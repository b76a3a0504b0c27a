/** Models of a configurable provider, from the built program to the wire. */
import { assert, describe, it } from "@effect/vitest"
import { dialect as anthropic } from "../../../packages/models/test/wire/AnthropicDialect.ts"
import { dialect as bedrock } from "../../../packages/models/test/wire/BedrockDialect.ts"
import { ollama, openAiChat } from "../../../packages/models/test/wire/ChatDialect.ts"
import type { Dialect } from "../../../packages/models/test/wire/Dialect.ts"
import { dialect as gemini } from "../../../packages/models/test/wire/GeminiDialect.ts"
import { dialect as responses } from "../../../packages/models/test/wire/ResponsesDialect.ts"
import { call, failure, key, says, text } from "../../../packages/models/test/wire/Wire.ts"
import { configure, lines, put, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { withProvider } from "./program/ProviderServer.ts"

interface Case {
  readonly dialect: Dialect
  /** The cost of two answers of `Wire.tokens`; null: its price is not known. */
  readonly costUsd: number | null
  readonly keyName: string
  /** True if it needs a key on this machine too. */
  readonly needsKey: boolean
}

const cases: ReadonlyArray<Case> = [
  { dialect: anthropic, costUsd: 0.00426, keyName: "ANTHROPIC_API_KEY", needsKey: true },
  { dialect: responses, costUsd: 0.00043, keyName: "OPENAI_API_KEY", needsKey: true },
  { dialect: openAiChat, costUsd: 0.003, keyName: "OPENAI_API_KEY", needsKey: true },
  { dialect: gemini, costUsd: 0.000526, keyName: "GOOGLE_GENERATIVE_AI_API_KEY", needsKey: true },
  { dialect: bedrock, costUsd: null, keyName: "AWS_BEARER_TOKEN_BEDROCK", needsKey: true },
  { dialect: ollama, costUsd: null, keyName: "OLLAMA_API_KEY", needsKey: false }
]

const eachProvider = it.each(cases.map((each) => [each.dialect.model, each] as const))

describe("bough run with a provider's model", () => {
  eachProvider("answers with %s, by its tools and with its key, and says what that took", (model, each) =>
    withTestFolder((place) => {
      const { costUsd, dialect } = each
      put(place, "notes.txt", "the word is thistle\n")
      const script = [says(call("c1", "read_file", { path: "notes.txt" })), says(text("It is thistle."))]
      return withProvider(dialect, script, async ({ env, received }) => {
        const run = await bough(place, ["run", "--model", model, "--format", "json", "which word?"], { env })
        assert.strictEqual(run.code, 0, run.stderr)
        const answered = JSON.parse(run.stdout)
        assert.strictEqual(answered.text, "It is thistle.")
        const { costUsd: cost, ...tokens } = answered.usage
        assert.deepStrictEqual(tokens, { inputTokens: 2000, cachedInputTokens: 1200, outputTokens: 100 })
        if (costUsd === null) assert.isNull(cost)
        else assert.closeTo(cost, costUsd, 1e-9)
        assert.lengthOf(received, 2)
        for (const { headers, path } of received) {
          assert.match(path, dialect.path)
          assert.include(headers[dialect.keyHeader], key)
        }
        const [result] = dialect.results(received[1].body)
        assert.include(result, "the word is thistle")
      })
    })
  )

  eachProvider("says in one line what %s lacks, and keeps the session", (model, each) =>
    withTestFolder((place) => {
      const { dialect, keyName, needsKey } = each
      const script = [
        failure(dialect, 401, "the key is wrong"),
        failure(dialect, 404, "there is no such model"),
        says(text("here again"))
      ]
      return withProvider(dialect, script, async ({ env }) => {
        const run = (...args: ReadonlyArray<string>) => bough(place, ["run", "--model", model, ...args], { env })
        const wrong = await run("hi")
        const unknown = await run("--continue", "hi")
        const keyless = needsKey ? [await bough(place, ["run", "--model", model, "hi"])] : []
        const table = [
          [wrong, `401.*the key is wrong — .*${keyName}`],
          [unknown, "there is no such model — "],
          ...keyless.map((ended) => [ended, `no API key.*${keyName}`] as const)
        ] as const
        for (const [ended, says] of table) {
          assert.deepStrictEqual([ended.code, ended.stdout], [1, ""], ended.stderr)
          const messages = lines(ended.stderr).filter((line) => line.startsWith("bough: "))
          assert.lengthOf(messages, 1, ended.stderr)
          assert.match(messages[0], new RegExp(says))
          assert.notInclude(ended.stderr, key)
        }
        const again = await run("--continue", "and now?")
        assert.deepStrictEqual([again.code, again.stdout], [0, "here again\n"], again.stderr)
      })
    })
  )

  it("keeps keys of providers from commands, and out of requests and the store", () =>
    withTestFolder((place) => {
      const bearer = "a bearer 4711"
      const script = [says(call("c1", "run_command", { argv: ["sh", "-c", "env; cat keys.txt"] })), says(text("done"))]
      configure(place, '{ "sandbox": "host" }')
      put(place, "keys.txt", `first ${key} second ${bearer} end\n`)
      return withProvider(anthropic, script, async ({ env, received }) => {
        const keys = { ...env, AWS_BEARER_TOKEN_BEDROCK: bearer }
        const allow = 'run_command argv=["sh","-c","env; cat keys.txt"]'
        const args = ["run", "--model", anthropic.model, "--allow", allow, "show it"]
        const run = await bough(place, args, { env: keys })
        assert.strictEqual(run.code, 0, run.stderr)
        const { stdout } = await bough(place, ["sessions", "list", "--format", "json"])
        const [{ sessionId }] = JSON.parse(stdout) as ReadonlyArray<{ readonly sessionId: string }>
        const stored = (await bough(place, ["sessions", "export", sessionId])).stdout
        for (const text of [JSON.stringify(received[1].body), stored]) {
          assert.match(text, /first .* second .* end/)
          assert.notInclude(text, key)
          assert.notInclude(text, bearer)
          // The key's name replaces the redacted value, and the key is in no environment.
          assert.notInclude(text, "AWS_BEARER_TOKEN_BEDROCK=")
        }
      })
    }))
})
