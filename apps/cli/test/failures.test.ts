/** Every failure is one line on stderr with a hint, nothing on stdout, and the exit code of its kind. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as Built from "./program/Bough.ts"
import { binary, configure, lines, put, withTestFolder } from "./program/Bough.ts"
import { faultsOf, faultsOfAll, offline } from "./program/Faults.ts"
import { bough } from "./program/InProcess.ts"
import { withModel } from "./program/ModelServer.ts"

describe("bough", () => {
  it("reports the same as the built program", () =>
    withTestFolder(async (place) => {
      const lines = [
        { args: ["rum"], code: 2, says: /unknown command "rum".*run.* — / },
        { args: ["verify", "."], code: 1, says: /cannot read an export in \.: there is no file or directory .* — / }
      ]
      for (const line of lines) assert.deepStrictEqual(faultsOf(await Built.bough(place, line.args), line), [])
    }))

  it("reports errors of the command line", () =>
    withTestFolder(async (place) => {
      const faults = await faultsOfAll(place, [
        { args: ["rum"], code: 2, says: /unknown command "rum".*run.* — / },
        { args: ["run", "--modle", "x", "hi"], code: 2, says: /unknown flag --modle; did you mean --model\?/ },
        {
          args: ["run", "two", "words"],
          code: 2,
          says: /unexpected argument "words" — put text with spaces in quotes/
        },
        {
          args: ["run", "--format", "yaml", "hi"],
          code: 2,
          says: /--format cannot be "yaml": choose one of text, json,/
        },
        { args: ["run", "--max-steps", "0", "hi"], code: 2, says: /--max-steps cannot be 0 — / },
        { args: ["run", "--max-steps", "many", "hi"], code: 2, says: /--max-steps cannot be "many"/ },
        { args: ["run", "--max-cost", "-1", "hi"], code: 2, says: /--max-cost cannot be -1 — / },
        { args: ["run", "--session"], code: 2, says: /--session/ },
        // The value of one flag cannot contain another flag.
        { args: ["run", "--session", "--approve=allow", "hi"], code: 2, says: /--session/ },
        { args: ["call", "read_file"], code: 2, says: /JSON is required/ },
        { args: ["sessions", "show"], code: 2, says: /ID is required/ },
        {
          args: ["mcp", "serve", "--http", "127.0.0.1:80"],
          code: 2,
          says: /--http cannot be "127\.0\.0\.1:80": write a number — /
        },
        { args: ["run", "--model"], code: 2, says: /--model needs a value: PROVIDER\/MODEL — / },
        {
          args: ["help", "sessions", "lst"],
          code: 2,
          says: /"lst"; did you mean list\? — "bough sessions --help" lists/
        },
        // Aliases that other agents use.
        { args: ["-p", "hi"], code: 2, says: /unknown flag -p — 'bough run "…"' sends one prompt; / },
        { args: ["sessions", "--json"], code: 2, says: /unknown flag --json — --format json / },
        // An equivalent that the command lacks is not suggested.
        {
          args: ["sessions", "show", "a", "--json"],
          code: 2,
          says: /unknown flag --json — run "bough sessions show --help"/
        },
        { args: ["run", "--max-turns=3", "hi"], code: 2, says: /unknown flag --max-turns — --max-steps N / },
        { args: ["verify", ""], code: 2, says: /DIR\|SESSION needs a value: directory written by .* or a session id/ },
        { args: ["sessions", "show", ""], code: 2, says: /ID needs a value: session id or its prefix/ },
        { args: ["send", "", "hi"], code: 2, says: /ID needs a value: session, by its id/ },
        { args: ["log", ""], code: 2, says: /no session "" — / },
        // A flag that the named command lacks.
        { args: ["--model", "a/b", "doctor"], code: 2, says: /unknown flag --model — run "bough doctor --help"/ },
        { args: ["tools", "--yolo"], code: 2, says: /unknown flag --yolo — run "bough tools --help"/ },
        {
          args: ["exec", "hi"],
          code: 2,
          says: /unknown command "exec" — 'bough run "…"' sends one prompt, "bough --help"/
        },
        {
          args: ["run", "--approve"],
          code: 2,
          says: /--approve needs a value: choose one of ask, deny, allow, commands — /
        },
        { args: ["run", "--model", "", "hi"], code: 2, says: /--model is empty — / },
        { args: ["sessions", "lst"], code: 2, says: /"lst"; did you mean list\? — "bough sessions --help" lists/ },
        {
          args: ["sessions", "list", "all"],
          code: 2,
          says: /unexpected argument "all" — .*"bough sessions list --help"/
        },
        { args: ["memory", "search", " "], code: 2, says: /the query is empty — / },
        { args: ["memory", "search", "x", "--limit", "0"], code: 2, says: /--limit cannot be 0 — / },
        { args: ["memory", "list", "--limit", "-1"], code: 2, says: /--limit cannot be -1 — / }
      ])
      assert.deepStrictEqual(faults, [])
    }))

  it("reports errors in the values of flags", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const faults = await faultsOfAll(place, [
        { args: ["run", "--cwd", "nowhere", "hi"], code: 2, says: /cannot work in nowhere: .* — give --cwd / },
        {
          args: ["run", "--model", "nobody/at-all", "hi"],
          code: 2,
          says: /no provider .*"nobody\/at-all" — .*offline/
        },
        { args: ["run", ...offline, "--continue", "hi"], code: 2, says: /no session in .* yet — / },
        {
          args: ["run", ...offline, "--session", "ses_no", "hi"],
          code: 2,
          says: /no session ses_no — "bough sessions"/
        },
        {
          args: ["run", ...offline, "--session", "a", "--continue", "hi"],
          code: 2,
          says: /no session a — "bough sessions"/
        },
        { args: ["run", ...offline, "--allow", "delete_pth", "hi"], code: 2, says: /--allow: .*"delete_pth".* — / },
        { args: ["run", ...offline, "--allow", "delete_path pth=a", "hi"], code: 2, says: /--allow: .*"pth".*path/ },
        {
          args: ["run", ...offline, "--allow", "deny delete_path", "hi"],
          code: 2,
          says: /--allow: .*begins with "deny"/
        },
        { args: ["run", ...offline, ""], code: 2, says: /the prompt is empty — / },
        { args: ["run", ...offline], code: 2, says: /the prompt is empty — /, options: { stdin: " \n" } },
        {
          args: ["tools", "show", "reed_file"],
          code: 2,
          says: /unknown tool "reed_file"; did you mean read_file\? — /
        },
        {
          args: ["policy", "test", "reed_file", "{}"],
          code: 2,
          says: /unknown tool "reed_file"; did you mean read_file\? — /
        },
        { args: ["verify", "no"], code: 2, says: /no session no — .*; for an export, give its directory/ },
        { args: ["sessions", "rm", "ses_no"], code: 2, says: /no session ses_no — / },
        { args: ["verify", "."], code: 1, says: /cannot read an export in \.: there is no file or directory .* — / },
        { args: ["memory", "import", "no"], code: 1, says: /cannot use .*no: there is no file or directory .* — / }
      ])
      assert.deepStrictEqual(faults, [])
    })
  )

  it("reports an empty result, which is not a failure", () =>
    withTestFolder(async (place) => {
      const cases: ReadonlyArray<readonly [args: ReadonlyArray<string>, stderr: string]> = [
        [["log"], "no calls yet\n"],
        [["stats"], "no calls yet\n"],
        [["sessions"], "no sessions in this workspace yet\n"],
        [["memory", "list"], "no notes yet\n"],
        [["config", "unset", "model"], "model is not set: ~/.config/bough/config.jsonc does not exist\n"]
      ]
      for (const [args, expected] of cases) {
        const { code, stderr, stdout } = await bough(place, args)
        assert.deepStrictEqual([code, stdout, stderr], [0, "", expected], args.join(" "))
      }
    }))

  it("asks for parts of a session that are missing: its entries, its folder, a directory to write to", () =>
    withTestFolder(async (place) => {
      const first = await bough(place, ["run", ...offline, "--format", "json", "what time is it"])
      const { sessionId } = JSON.parse(first.stdout) as { readonly sessionId: string }
      put(place, "file", "")
      const faults = await faultsOfAll(place, [
        { args: ["sessions", "fork", sessionId, "--at", "999"], code: 2, says: /no entry 999: its last is \d+ — / },
        { args: ["sessions", "fork", sessionId, "--at", "-1"], code: 2, says: /no entry -1 — / },
        { args: ["sessions", "export", sessionId, "--to", "file"], code: 2, says: /file is not a directory — / },
        {
          args: ["run", ...offline, "--session", sessionId, "--cwd", "..", "hi"],
          code: 2,
          says: /session ses_\w+ works in .*workspace, not in .* — go there, or add --cwd .*workspace$/
        }
      ])
      assert.deepStrictEqual(faults, [])
    }))

  it("continues with a session whose folder has another name now", () =>
    withTestFolder(async (place) => {
      assert.strictEqual((await bough(place, ["run", ...offline, "what time is it"])).code, 0)
      const [line] = lines((await bough(place, ["sessions"])).stdout)
      const moved = join(place.root, "moved")
      renameSync(place.workspace, moved)
      const args = ["run", ...offline, "--session", line.split(" ")[0], "what time is it"]
      assert.strictEqual((await bough(place, args, { cwd: moved })).code, 0)
    }))

  it.skipIf(!existsSync("/dev/full"))("reports that the answer could not be written", thoroughOnly, () =>
    withTestFolder(async (place) => {
      for (const line of [
        `run ${offline.join(" ")} "what time is it"`,
        "tools",
        "tools show read_file --format json"
      ]) {
        const words = ["-c", `exec "$0" "$1" ${line} >/dev/full`, process.execPath, binary]
        const { status, stderr } = spawnSync("sh", words, { cwd: place.workspace, env: place.env, encoding: "utf8" })
        assert.strictEqual(status, 1, line)
        assert.match(stderr, /bough: cannot write the answer: no space is left on the disk — /)
      }
    })
  )

  it("prints the help that is asked for by name", () =>
    withTestFolder(async (place) => {
      const [asked, named] = [
        await bough(place, ["help", "sessions", "fork"]),
        await bough(place, ["sessions", "fork", "-h"])
      ]
      assert.deepStrictEqual([asked.code, asked.stderr, asked.stdout], [0, "", named.stdout])
      assert.match(asked.stdout, /bough sessions fork/)
    }))

  it("refuses a cost limit where the price is not known", () =>
    withTestFolder((place) =>
      withModel([], async ({ env, requests }) => {
        const args = ["run", "--max-cost", "1", "hi"]
        assert.deepStrictEqual(
          faultsOf(await bough(place, args, { env }), {
            args,
            code: 2,
            says: /price of openai-compatible\/scripted .* — /
          }),
          []
        )
        assert.lengthOf(requests, 0)
      })
    ))

  it("reports why a model did not answer", () =>
    withTestFolder((place) =>
      withModel([{ status: 401, message: "bad key" }, { cutAfter: "Once upon" }], async ({ env }) => {
        const args = ["run", "hi"]
        assert.deepStrictEqual(
          faultsOf(await bough(place, args, { env }), { args, code: 1, says: /answered 401: bad key — check / }),
          []
        )
        const cut = await bough(place, args, { env: { ...env, BOUGH_RETRIES: "0" } })
        assert.deepStrictEqual(faultsOf(cut, { args, code: 1, says: /the response was cut off — / }), [])
        const refused = { OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1" }
        assert.deepStrictEqual(
          faultsOf(await bough(place, args, { env: refused }), {
            args,
            code: 1,
            says: /connection refused — start the server/
          }),
          []
        )
        const keyless = { OPENAI_COMPATIBLE_BASE_URL: "https://models.example/v1" }
        assert.deepStrictEqual(
          faultsOf(await bough(place, args, { env: keyless }), { args, code: 1, says: /no API key .* — set / }),
          []
        )
      })
    ))

  it("keeps the session for every error of the model, and continues with it", () =>
    withTestFolder((place) =>
      withModel(
        [
          { text: "A pear" },
          { status: 404, message: "no such model" },
          { page: "<!doctype html><h1>Sign in</h1>" },
          { cutAfter: "Once upon" },
          { text: "Of the pear" }
        ],
        async ({ env, requests }) => {
          assert.strictEqual((await bough(place, ["run", "remember the pear"], { env })).code, 0)
          const args = ["run", "--continue", "well?"]
          for (const says of [
            /answered 404: no such model — /,
            /a web page instead of a stream of events — .*OPENAI_COMPATIBLE_BASE_URL/,
            /the response was cut off — /
          ]) {
            const once = { env: { ...env, BOUGH_RETRIES: "0" } }
            assert.deepStrictEqual(faultsOf(await bough(place, args, once), { args, code: 1, says }), [])
          }
          const refused = { ...env, OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1" }
          const closed = await bough(place, args, { env: refused })
          assert.deepStrictEqual(faultsOf(closed, { args, code: 1, says: /connection refused — / }), [])
          const again = await bough(place, ["run", "--continue", "which fruit?"], { env })
          assert.deepStrictEqual([again.code, again.stdout], [0, "Of the pear\n"], again.stderr)
          assert.match(JSON.stringify(requests.at(-1)?.messages), /remember the pear.*A pear.*which fruit\?/)
          assert.strictEqual((await bough(place, ["sessions", "list"])).stdout.match(/ses_/gu)?.length, 1)
        }
      )
    ))

  it("repeats a request whose answer was cut off, and says so", () =>
    withTestFolder((place) =>
      withModel([{ cutAfter: "Once" }, { cutAfter: "Once upon" }, { text: "Of a pear" }], async ({ env, requests }) => {
        const run = await bough(place, ["run", "a tale"], { env })
        assert.deepStrictEqual([run.code, requests.length], [0, 3], run.stderr)
        assert.match(run.stdout, /Of a pear\n$/)
        assert.match(run.stderr, /the response was cut off.*; asking again in 1 s/)
      })
    ))

  it("prints the failure as an object too if objects are requested", thoroughOnly, () =>
    withTestFolder((place) =>
      withModel([{ status: 401, message: "bad key" }], async ({ env }) => {
        const ended = await bough(place, ["run", "--format", "json", "hi"], { env })
        const printed = JSON.parse(ended.stdout) as { readonly status: string; readonly reason: string }
        assert.deepStrictEqual([ended.code, printed.status], [1, "failed"])
        assert.include(printed.reason, "bad key")
      })
    )
  )

  it("prints more with --verbose", () =>
    withTestFolder(async (place) => {
      const env = { OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1" }
      const [short, long] = [
        await bough(place, ["run", "hi"], { env }),
        await bough(place, ["run", "hi", "--verbose"], { env })
      ]
      assert.notMatch(short.stderr, /\n\s+at /)
      assert.match(long.stderr, /\n\s+at /)
    }))

  it("refuses a store of another program, and leaves it unchanged", () =>
    withTestFolder(async (place) => {
      mkdirSync(place.data, { recursive: true })
      writeFileSync(join(place.data, "bough.db"), "somebody else's notes")
      const args = ["run", ...offline, "what time is it"]
      assert.deepStrictEqual(
        faultsOf(await bough(place, args), {
          args,
          code: 1,
          says: /bough\.db is not a session store — set BOUGH_HOME/
        }),
        []
      )
    }))

  it("names file, line and the likely key of an error in the configuration", () =>
    withTestFolder(async (place) => {
      const args = ["run", ...offline, "what time is it"]
      const wrong: ReadonlyArray<readonly [string, RegExp]> = [
        [
          `{\n  // models\n  "modle": "a/b"\n}`,
          /~\/\.config\/bough\/config\.jsonc:3: .*"modle"; did you mean "model"\?/
        ],
        [`{\n  "limits": { "maxSteps": 0 }\n}`, /config\.jsonc:2: limits\.maxSteps: /],
        [`{\n  "model": "a/b",\n  "model": "c/d"\n}`, /config\.jsonc:3: .*duplicate key "model"/],
        [`{\n  "model": \n}`, /config\.jsonc:3: value expected.* — .*bough config schema/],
        [`{\n\n  "secrets": ["\${NOT_SET}"]\n}`, /config\.jsonc:3: environment variable NOT_SET/],
        [`{ "rules": { "allow": ["no_such_tool"] } }`, /the operator's configuration: .*"no_such_tool"/]
      ]
      for (const [text, says] of wrong) {
        configure(place, text)
        assert.deepStrictEqual(faultsOf(await bough(place, args), { args, code: 2, says }), [])
      }
      configure(place, `{ "modle": 1,\n "limts": 2 }`)
      assert.deepStrictEqual(
        faultsOf(await bough(place, args), { args, code: 2, says: /:1: .*and 1 more, with --verbose/ }),
        []
      )
      assert.match((await bough(place, [...args, "--verbose"])).stderr, /\n.*:2: .*"limts"; did you mean "limits"\?/)
    }))

  it("does not wait for a configuration that is not a regular file", () =>
    withTestFolder(async (place) => {
      mkdirSync(place.config, { recursive: true })
      const args = ["run", ...offline, "what time is it"]
      const says = /cannot read ~\/\.config\/bough\/config\.jsonc: .*not a regular file — /
      assert.deepStrictEqual(faultsOf(await bough(place, args), { args, code: 1, says }), [])
    }))
})
