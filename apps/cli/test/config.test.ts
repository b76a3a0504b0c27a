/** `config`: values of the user's file and of the project's are read and changed, through the built program. */
import { assert, describe, it } from "@effect/vitest"
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { configSchemas } from "../build/derived.ts"
import { configure, type TestFolder, put, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"

const textOf = (place: TestFolder): string => readFileSync(place.config, "utf8")

/** An editor that replaces the text of a file with this text. */
const editor = (place: TestFolder, text: string): Readonly<Record<string, string>> => {
  writeFileSync(join(place.root, "new.jsonc"), text)
  return { EDITOR: `cp '${join(place.root, "new.jsonc")}'` }
}

describe("bough config", () => {
  it("sets a value that the next start uses, in a file that only its owner can read", () =>
    withTestFolder(async (place) => {
      const set = await bough(place, ["config", "set", "model", "offline/planner"])
      assert.deepStrictEqual(
        [set.code, set.stdout, set.stderr],
        [0, "", "model is set in ~/.config/bough/config.jsonc\n"]
      )
      assert.strictEqual(statSync(place.config).mode & 0o777, 0o600)
      assert.strictEqual(statSync(dirname(place.config)).mode & 0o777, 0o700)
      assert.strictEqual((await bough(place, ["config", "get", "model"])).stdout, "offline/planner\n")
      const run = await bough(place, ["run", "--verbose", "what time is it"])
      assert.match(run.stderr, /using offline\/planner: it is set as the model/)
    }))

  it("parses JSON for keys that take it, and text for the others", () =>
    withTestFolder(async (place) => {
      await bough(place, ["config", "set", "limits.maxSteps", "7"])
      await bough(place, ["config", "set", "providers.anthropic.apiKey", "-"], { stdin: "12345678\n" })
      await bough(place, ["config", "set", "rules.deny", '["write_file path=deploy/"]'])
      const rates = { inputPerMillionUsd: 1, writtenInputPerMillionUsd: 1.25, outputPerMillionUsd: 2 }
      const price = { ...rates, longPrompt: { aboveTokens: 100_000, ...rates } }
      await bough(place, ["config", "set", 'prices."a/b-1.5"', JSON.stringify(price)])
      assert.deepStrictEqual(JSON.parse(textOf(place)), {
        limits: { maxSteps: 7 },
        providers: { anthropic: { apiKey: "12345678" } },
        rules: { deny: ["write_file path=deploy/"] },
        prices: { "a/b-1.5": price }
      })
      assert.strictEqual((await bough(place, ["config", "get", 'prices."a/b-1.5".outputPerMillionUsd'])).stdout, "2\n")
    }))

  it("keeps comments and the rest of the file unchanged", () =>
    withTestFolder(async (place) => {
      configure(
        place,
        '// mine\n{\n    "model": "a/b", // the fast one\n    /* careful */ "sandbox": "disabled" // why\n}\n'
      )
      assert.strictEqual((await bough(place, ["config", "set", "limits.maxSteps", "3"])).code, 0)
      assert.strictEqual(
        textOf(place),
        '// mine\n{\n    "model": "a/b", // the fast one\n    /* careful */ "sandbox": "disabled", // why\n' +
          '    "limits": {\n        "maxSteps": 3\n    }\n}\n'
      )
      await bough(place, ["config", "unset", "limits"])
      assert.include(textOf(place), '"a/b", // the fast one\n    /* careful */ "sandbox": "disabled"')
      assert.notInclude(textOf(place), "limits")
    }))

  it("refuses a value that a start would refuse, and names its line", () =>
    withTestFolder(async (place) => {
      const before = '{\n  // mine\n  "model": "a/b"\n}\n'
      configure(place, before)
      const refused: ReadonlyArray<readonly [string, string, RegExp]> = [
        ["modle", "a/b", /config\.jsonc:4: unknown key "modle"; did you mean "model"\? — nothing is saved/],
        ["model", "llama", /config\.jsonc:3: model: .*provider\/model/],
        ["limits.maxSteps", "many", /config\.jsonc:5: limits\.maxSteps: /],
        ["providers.anthropic.apiKye", "x", /did you mean "apiKey"\?/],
        ["secrets", '["${NOT_THERE}"]', /environment variable NOT_THERE/],
        ["rules.allow", '["delete_pth"]', /delete_pth/],
        ["model.name", "x", /model\.name is inside a value that is not an object/],
        ["a..b", "x", /invalid key "a\.\.b"/]
      ]
      for (const [key, value, says] of refused) {
        const ended = await bough(place, ["config", "set", key, value])
        assert.deepStrictEqual([ended.code, ended.stdout], [2, ""], key)
        assert.match(ended.stderr, says)
        assert.strictEqual(textOf(place), before, key)
      }
      assert.deepStrictEqual(readdirSync(dirname(place.config)), ["config.jsonc"])
    }))

  it("fixes the one key that makes the file invalid, and leaves an unreadable file alone", () =>
    withTestFolder(async (place) => {
      configure(place, '{ "sandbox": "hst" }')
      assert.strictEqual((await bough(place, ["config", "set", "sandbox", "host"])).code, 0)
      configure(place, '{ "sandbox": "host" ')
      const broken = await bough(place, ["config", "set", "model", "a/b"])
      assert.strictEqual(broken.code, 2)
      assert.match(broken.stderr, /config\.jsonc:\d+: .* — nothing is saved/)
      assert.strictEqual(textOf(place), '{ "sandbox": "host" ')
    }))

  it("prints the file, a value of it, its path and its schema", () =>
    withTestFolder(async (place) => {
      const text = '{ /* mine */ "limits": { "maxSteps": 3 }, "secrets": ["${NOT_THERE}"] }\n'
      assert.match((await bough(place, ["config"])).stderr, /does not exist yet/)
      configure(place, text)
      assert.strictEqual((await bough(place, ["config"])).stdout, text)
      assert.strictEqual((await bough(place, ["config", "path"])).stdout, `${place.config}\n`)
      assert.deepStrictEqual(JSON.parse((await bough(place, ["config", "get", "limits"])).stdout), { maxSteps: 3 })
      const absent = await bough(place, ["config", "get", "model"])
      assert.deepStrictEqual([absent.code, absent.stdout], [1, ""])
      assert.match(absent.stderr, /model is not set in .* — "bough config set model VALUE" sets it/)
      const unknown = await bough(place, ["config", "get", "limits.maxStep"])
      assert.strictEqual(unknown.code, 2)
      assert.match(unknown.stderr, /did you mean "maxSteps"\?/)
      const schemas = configSchemas()
      for (const [args, file] of [
        [[], "config.schema.json"] as const,
        [["--project"], "project-config.schema.json"] as const
      ]) {
        assert.deepStrictEqual(JSON.parse((await bough(place, ["config", "schema", ...args])).stdout), schemas[file])
      }
    }))

  it("saves the editor's text once it is valid, and keeps an invalid one as a draft", () =>
    withTestFolder(async (place) => {
      const good = '{\n  // by hand\n  "sandbox": "host"\n}\n'
      assert.strictEqual((await bough(place, ["config", "edit"], { env: editor(place, good) })).code, 0)
      assert.strictEqual(textOf(place), good)
      const bad = await bough(place, ["config", "edit"], { env: editor(place, '{\n  "sandbox": "hst"\n}\n') })
      assert.strictEqual(bad.code, 2)
      assert.match(
        bad.stderr,
        /config\.jsonc:2: sandbox: .* — nothing is saved; "bough config edit" resumes from ~.*edit\.jsonc/
      )
      assert.strictEqual(textOf(place), good)
      const again = await bough(place, ["config", "edit"], { env: { EDITOR: "sed -i s/hst/disabled/" } })
      assert.strictEqual(again.code, 0)
      assert.match(again.stderr, /resuming the unsaved draft/)
      assert.strictEqual(textOf(place), '{\n  "sandbox": "disabled"\n}\n')
      const failing = await bough(place, ["config", "edit"], { env: { VISUAL: "false", EDITOR: "true" } })
      assert.deepStrictEqual([failing.code, /nothing was saved/.test(failing.stderr)], [1, true])
      assert.strictEqual((await bough(place, ["config", "edit"], { env: { EDITOR: "true" } })).code, 0)
      assert.deepStrictEqual(readdirSync(dirname(place.config)), ["config.jsonc"])
      const none = await bough(place, ["config", "edit"], { env: { PATH: "" } })
      assert.deepStrictEqual([none.code, /set VISUAL or EDITOR/.test(none.stderr)], [2, true])
    }))

  it("changes the keys that a project may set, and no others", () =>
    withTestFolder(async (place) => {
      const own = join(place.workspace, ".bough/config.jsonc")
      const set = await bough(place, ["config", "set", "--project", "limits.maxSteps", "2"])
      assert.strictEqual(set.code, 0, set.stderr)
      assert.match(set.stderr, /the file is used once it is trusted again/)
      assert.deepStrictEqual(JSON.parse(readFileSync(own, "utf8")), { limits: { maxSteps: 2 } })
      assert.isFalse(existsSync(place.config))
      const refused = await bough(place, ["config", "set", "--project", "sandbox", "host"])
      assert.strictEqual(refused.code, 2)
      assert.match(refused.stderr, /sandbox is the operator's to decide/)
      assert.deepStrictEqual(JSON.parse(readFileSync(own, "utf8")), { limits: { maxSteps: 2 } })
    }))

  it("names the encoding of a file that is in UTF-16", () =>
    withTestFolder(async (place) => {
      mkdirSync(dirname(place.config), { recursive: true })
      for (const mark of ["\uFEFF", ""]) {
        writeFileSync(place.config, `${mark}{ "sandbox": "host" }`, "utf16le")
        const { code, stderr } = await bough(place, ["config", "get", "sandbox"])
        assert.strictEqual(code, 1)
        assert.match(stderr, /it is in UTF-16; save it as UTF-8/)
      }
    }))

  it("writes through a link of the user's, and through no link of a project", () =>
    withTestFolder(async (place) => {
      const elsewhere = join(place.root, "dotfiles.jsonc")
      writeFileSync(elsewhere, "{}")
      mkdirSync(dirname(place.config), { recursive: true })
      symlinkSync(elsewhere, place.config)
      await bough(place, ["config", "set", "sandbox", "disabled"])
      assert.deepStrictEqual(JSON.parse(readFileSync(elsewhere, "utf8")), { sandbox: "disabled" })
      assert.isTrue(lstatSync(place.config).isSymbolicLink())

      rmSync(elsewhere)
      await bough(place, ["config", "set", "sandbox", "host"])
      assert.deepStrictEqual(JSON.parse(readFileSync(elsewhere, "utf8")), { sandbox: "host" })
      assert.isTrue(lstatSync(place.config).isSymbolicLink())
      rmSync(place.config)
      symlinkSync(join(place.root, "missing", "dotfiles.jsonc"), place.config)
      const lost = await bough(place, ["config", "set", "sandbox", "host"])
      assert.strictEqual(lost.code, 1)
      assert.match(lost.stderr, /it is a link to .*missing\/dotfiles\.jsonc, whose directory does not exist/)
      assert.isTrue(lstatSync(place.config).isSymbolicLink())

      const target = put(place, "elsewhere/config.jsonc", "{}")
      symlinkSync(dirname(target), join(place.workspace, ".bough"))
      const refused = await bough(place, ["config", "set", "--project", "model", "a/b"])
      assert.strictEqual(refused.code, 1)
      assert.match(refused.stderr, /is a link/)
      assert.strictEqual(readFileSync(target, "utf8"), "{}")
    }))
})
