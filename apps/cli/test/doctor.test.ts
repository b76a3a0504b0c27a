/** `doctor`: each requirement of the program, and how to fix a missing one. */
import { assert, describe, it } from "@effect/vitest"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as DiskCheck from "../src/doctor/DiskCheck.ts"
import { configure, lines, type Options, type TestFolder, put, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"

interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  readonly fix: string
}

const checks = async (place: TestFolder, options: Options = {}): Promise<ReadonlyMap<string, Check>> => {
  const { stdout } = await bough(place, ["doctor", "--format", "json"], options)
  return new Map((JSON.parse(stdout) as ReadonlyArray<Check>).map((check) => [check.name, check]))
}

const bubblewrap = requires("bubblewrap")

describe("bough doctor", () => {
  it("names every check once, in text as in JSON, and exits with 1 if there is a problem", () =>
    withTestFolder(async (place) => {
      const names = [
        "node",
        "home",
        "disk",
        "database",
        "configuration",
        "trust",
        "model",
        "providers",
        "ollama",
        "embedding",
        "search",
        "sandbox",
        "mcp",
        "language servers",
        "ripgrep",
        "git"
      ]
      assert.deepStrictEqual([...(await checks(place)).keys()], names)
      configure(place, '{ "sandbox": "disabled" }')
      const well = await bough(place, ["doctor"])
      assert.deepStrictEqual([well.code, lines(well.stdout).length], [0, names.length])
      assert.isTrue(
        lines(well.stdout).every((line) => /^(?:ok|warning) /u.test(line)),
        well.stdout
      )
      configure(place, '{ "sandbx": "disabled" }')
      const ill = await bough(place, ["doctor"])
      assert.strictEqual(ill.code, 1)
      assert.match(ill.stdout, /^problem +configuration: .*config\.jsonc:1: .*did you mean "sandbox"\?/m)
    }))

  it("does not report a home as usable that cannot be created", () =>
    withTestFolder(async (place) => {
      const file = join(place.root, "file")
      writeFileSync(file, "")
      const { ok, fix } = (await checks(place, { env: { BOUGH_HOME: join(file, "home") } })).get("home") ?? {}
      assert.deepStrictEqual([ok, fix], [false, "make it writable, or set BOUGH_HOME"])
    }))

  it("finds a home that other accounts can read, and says how to close it", thoroughOnly, () =>
    withTestFolder(async (place) => {
      await bough(place, ["run", "--model", "offline/planner", "what time is it"])
      assert.isTrue((await checks(place)).get("home")?.ok)
      chmodSync(place.data, 0o755)
      assert.deepInclude((await checks(place)).get("home"), { ok: false, fix: `chmod 700 ${place.data}` })
    })
  )

  it("finds damage in the database", () =>
    withTestFolder(async (place) => {
      await bough(place, ["run", "--model", "offline/planner", "a word that is easy to find"])
      assert.deepInclude((await checks(place)).get("database"), { ok: true, detail: "ok" })
      const file = join(place.data, "bough.db")
      const bytes = readFileSync(file)
      // Damages an entry, and a title that no digest protects.
      const places: Array<number> = []
      for (let at = bytes.indexOf("that is easy"); at !== -1; at = bytes.indexOf("that is easy", at + 1))
        places.push(at)
      assert.isAbove(places.length, 1)
      for (const at of places) bytes.write("THAT", at)
      writeFileSync(file, bytes)
      assert.isFalse((await checks(place)).get("database")?.ok)
    }))

  it("names the model that would be used and the reason, and the missing parts of an unusable one", () =>
    withTestFolder(async (place) => {
      const none = (await checks(place)).get("model")
      assert.match(none?.detail ?? "", /^offline\/planner: /)
      // The program works without a model: the check passes, and its fix names the commands that set one.
      assert.isTrue(none?.ok)
      assert.match(none?.fix ?? "", /"bough login".*ANTHROPIC_API_KEY/)
      assert.match(
        (await bough(place, ["doctor"])).stdout,
        /^warning +model: offline\/planner: .* — run "bough login"/m
      )
      const wanted = await checks(place, { env: { BOUGH_MODEL: "offline/planner" } })
      assert.deepInclude(wanted.get("model"), { ok: true, fix: "" })
      const found = await checks(place, { env: { OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:1/v1" } })
      assert.match(found.get("model")?.detail ?? "", /OPENAI_COMPATIBLE_BASE_URL is set/)
      const keyless = await checks(place, { env: { OPENAI_COMPATIBLE_BASE_URL: "https://models.example/v1" } })
      assert.deepInclude(keyless.get("model"), { ok: false })
      assert.match(keyless.get("model")?.fix ?? "", /OPENAI_COMPATIBLE_API_KEY/)
    }))

  it("names the embedding model that compares notes, and reports a missing one", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const embedding = async (model: string) => {
        await bough(place, ["config", "set", "embedding.model", model])
        return (await checks(place)).get("embedding")
      }
      assert.deepInclude((await checks(place)).get("embedding"), { ok: true, detail: "static, included in bough" })
      assert.match((await embedding("none"))?.detail ?? "", /^none: notes are found by words/)
      const folder = join(place.root, "own")
      const missing = await embedding(folder)
      assert.deepInclude(missing, { ok: false, detail: `${folder} contains no model: config.json is missing` })
      assert.match(missing?.fix ?? "", /config set embedding\.model static/)
      put(place, "own/config.json", "{}")
      assert.deepInclude(await embedding(join(place.workspace, "own")), { ok: true })
      const name = "owner/words@v1"
      assert.match((await embedding(name))?.detail ?? "", /^owner\/words@v1 will be downloaded from huggingface\.co/)
      mkdirSync(join(place.data, "models/owner/words/v1"), { recursive: true })
      writeFileSync(join(place.data, "models/owner/words/v1/config.json"), "{}")
      assert.deepInclude(await embedding(name), { ok: true, detail: `${name}, downloaded` })
    })
  )

  it("says which project files are trusted, and which are not used", () =>
    withTestFolder(async (place) => {
      const trust = async () => (await checks(place)).get("trust")
      assert.match((await trust())?.detail ?? "", /^no AGENTS\.md/)
      put(place, "AGENTS.md", "Answer in verse.")
      assert.match(
        (await trust())?.detail ?? "",
        /^AGENTS\.md is not trusted in its current state and is not used; --trust /
      )
      await bough(place, ["run", "--trust", "--model", "offline/planner", "what time is it"])
      assert.deepInclude(await trust(), { ok: true, detail: "AGENTS.md is trusted" })
      put(place, "AGENTS.md", "Answer in prose.")
      assert.match((await trust())?.detail ?? "", /^AGENTS\.md is not trusted/)
    }))

  it("names every problem of the configuration with its line, and rules that never match", () =>
    withTestFolder(async (place) => {
      configure(place, '{\n  "sandbx": "host",\n  "limits": { "maxSteps": 0 }\n}\n')
      const found = (await checks(place)).get("configuration")
      assert.deepInclude(found, { ok: false, fix: "bough config edit" })
      assert.match(found?.detail ?? "", /config\.jsonc:2: .*"sandbox"\?; .*config\.jsonc:3: limits\.maxSteps: /)
      configure(place, '{ "rules": { "deny": ["delete_pth"] } }')
      assert.match((await checks(place)).get("configuration")?.detail ?? "", /delete_pth/)
    }))

  it("names the providers with a key, and no key", () =>
    withTestFolder(async (place) => {
      assert.match((await checks(place)).get("providers")?.detail ?? "", /^none configured: set a key/)
      configure(place, '{ "providers": { "google": { "apiKey": "google-key-4711" } } }')
      const { stdout } = await bough(place, ["doctor"], { env: { ANTHROPIC_API_KEY: "anthropic-key-4711" } })
      assert.match(
        stdout,
        /^ok +providers: anthropic \(ANTHROPIC_API_KEY is set\), google \(providers\.google\.apiKey is set\)$/m
      )
      assert.notMatch(stdout, /4711/)
    }))

  it("asks an Ollama on this machine for its models, and no other one", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const requested: Array<string> = []
      const server = createServer((request, response) => {
        requested.push(request.url ?? "")
        response.end(JSON.stringify({ data: [{ id: "llama3.2:latest" }] }))
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
      const ollama = async (env: Readonly<Record<string, string>>) => (await checks(place, { env })).get("ollama")
      try {
        const found = await ollama({ OLLAMA_HOST: host, BOUGH_MODEL: "ollama/llama3.2" })
        assert.deepInclude(found, { ok: true, detail: `http://${host}/v1 has ollama/llama3.2:latest` })
        const lacks = await ollama({ OLLAMA_HOST: host, BOUGH_MODEL: "ollama/qwen3" })
        assert.deepInclude(lacks, { ok: false, fix: `run "ollama pull qwen3"` })
        assert.deepStrictEqual(requested, ["/v1/models", "/v1/models"])
      } finally {
        server.closeAllConnections()
        server.close()
      }
      const gone = await ollama({ OLLAMA_HOST: host, BOUGH_MODEL: "ollama/llama3.2" })
      assert.deepInclude(gone, { ok: false, fix: `run "ollama serve"` })
      assert.deepInclude(await ollama({ OLLAMA_HOST: host, BOUGH_MODEL: "offline/planner" }), { ok: true })
      const away = await ollama({ OLLAMA_HOST: "models.example:11434", BOUGH_MODEL: "offline/planner" })
      assert.match(away?.detail ?? "", /models\.example:11434.* is on another machine and was not contacted/)
    })
  )

  it("reports the free disk space, and warns if it is low", () =>
    withTestFolder(async (place) => {
      assert.match((await checks(place)).get("disk")?.detail ?? "", /^\d+ MiB free for \//)
      assert.deepInclude(DiskCheck.free("/data", 199 * 1024 * 1024), { ok: false, detail: "199 MiB free for /data" })
      assert.isTrue(DiskCheck.free("/data", 200 * 1024 * 1024).ok)
    }))

  it.skipIf(bubblewrap.skip)(`tries the sandbox for real${bubblewrap.suffix}`, () =>
    withTestFolder(async (place) => {
      assert.match((await checks(place)).get("sandbox")?.detail ?? "", /^bubblewrap, \d+ checks passed$/)
    })
  )
})
