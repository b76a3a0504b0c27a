/** Models of a provider of one's own choice, from the built program to the wire. */
import { assert, describe, it } from "@effect/vitest"
import { bough, configure, lines, put, withPlace } from "./program/Bough.ts"
import { anthropic, google, type Provider, withProvider } from "./program/ProviderServer.ts"

const eachProvider = it.each<Provider>([anthropic, google])

describe("bough run with a provider's model", { timeout: 90_000 }, () => {
  eachProvider("answers with $model, by its tools, with its key and nothing else of it", (provider) =>
    withPlace((place) => {
      put(place, "notes.txt", "the word is thistle\n")
      const script = [{ call: { name: "read_file", arguments: { path: "notes.txt" } } }, { text: "It is thistle." }]
      return withProvider(provider, script, async ({ env, requests }) => {
        const run = await bough(place, ["run", "--model", provider.model, "which word?"], { env })
        assert.deepStrictEqual([run.code, run.stdout], [0, "It is thistle.\n"], run.stderr)
        assert.lengthOf(requests, 2)
        for (const { headers, path } of requests) {
          assert.match(path, provider.path)
          assert.strictEqual(headers[provider.keyHeader], provider.key)
        }
        assert.include(requests[1].body, "the word is thistle")
      })
    })
  )

  eachProvider("says in one line what $model lacks, and keeps the session", (provider) =>
    withPlace((place) => {
      const refusals = [
        { status: 401, message: "the key is wrong" },
        { status: 404, message: "there is no such model" },
        { text: "here again" }
      ]
      return withProvider(provider, refusals, async ({ env }) => {
        const run = (...args: ReadonlyArray<string>) =>
          bough(place, ["run", "--model", provider.model, ...args], { env })
        const keyless = await bough(place, ["run", "--model", provider.model, "hi"])
        const wrong = await run("hi")
        const unknown = await run("--continue", "hi")
        const table = [
          [keyless, /_KEY is not set|no key|_API_KEY/],
          [wrong, /401.*the key is wrong — .*_API_KEY/],
          [unknown, /there is no such model — /]
        ] as const
        for (const [ended, says] of table) {
          assert.deepStrictEqual([ended.code, ended.stdout], [1, ""], ended.stderr)
          const said = lines(ended.stderr).filter((line) => line.startsWith("bough: "))
          assert.lengthOf(said, 1, ended.stderr)
          assert.match(said[0], says)
          assert.notInclude(ended.stderr, provider.key)
        }
        const again = await run("--continue", "and now?")
        assert.deepStrictEqual([again.code, again.stdout], [0, "here again\n"], again.stderr)
      })
    })
  )

  it("keeps keys of providers from commands, and out of what is sent and stored", () =>
    withPlace((place) => {
      const bedrock = "a bearer 4711"
      const script = [
        { call: { name: "run_command", arguments: { argv: ["sh", "-c", "env; cat keys.txt"] } } },
        { text: "done" }
      ]
      configure(place, '{ "sandbox": "host" }')
      put(place, "keys.txt", `first ${anthropic.key} second ${bedrock} end\n`)
      return withProvider(anthropic, script, async ({ env, requests }) => {
        const keys = { ...env, AWS_BEARER_TOKEN_BEDROCK: bedrock }
        const allow = 'run_command argv=["sh","-c","env; cat keys.txt"]'
        const args = ["run", "--model", anthropic.model, "--allow", allow, "show it"]
        const run = await bough(place, args, { env: keys })
        assert.strictEqual(run.code, 0, run.stderr)
        const { stdout } = await bough(place, ["sessions", "list", "--format", "json"])
        const [{ sessionId }] = JSON.parse(stdout) as ReadonlyArray<{ readonly sessionId: string }>
        const stored = (await bough(place, ["sessions", "export", sessionId])).stdout
        for (const text of [requests[1].body, stored]) {
          assert.match(text, /first .* second .* end/)
          assert.notInclude(text, anthropic.key)
          assert.notInclude(text, bedrock)
          assert.notInclude(text, "AWS_BEARER_TOKEN_BEDROCK")
        }
      })
    }))
})
