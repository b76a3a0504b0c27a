/** `doctor`: each thing that the program needs, and how to mend what is missing. */
import { assert, describe, it } from "@effect/vitest"
import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { bough, configure, lines, type Options, type Place, put, withPlace } from "./program/Bough.ts"

interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  readonly mend: string
}

const checks = async (place: Place, options: Options = {}): Promise<ReadonlyMap<string, Check>> => {
  const { stdout } = await bough(place, ["doctor", "--format", "json"], options)
  return new Map((JSON.parse(stdout) as ReadonlyArray<Check>).map((check) => [check.name, check]))
}

const bubblewrap = requires("bubblewrap")

describe("bough doctor", { timeout: 90_000 }, () => {
  it("names every check once, in text as in JSON, and exits with 1 if there is a problem", () =>
    withPlace(async (place) => {
      const names = ["node", "home", "database", "configuration", "model", "sandbox", "ripgrep", "git"]
      assert.deepStrictEqual([...(await checks(place)).keys()], names)
      configure(place, '{ "sandbox": "disabled" }')
      const well = await bough(place, ["doctor"])
      assert.deepStrictEqual([well.code, lines(well.stdout).length], [0, names.length])
      assert.isTrue(
        lines(well.stdout).every((line) => line.startsWith("ok ")),
        well.stdout
      )
      configure(place, '{ "sandbx": "disabled" }')
      const ill = await bough(place, ["doctor"])
      assert.strictEqual(ill.code, 1)
      assert.match(ill.stdout, /^problem +configuration: .*config\.jsonc:1: .*did you mean "sandbox"\?/m)
    }))

  it("finds a home that others can look into, and says how to close it", () =>
    withPlace(async (place) => {
      await bough(place, ["run", "--model", "offline/planner", "what time is it"])
      assert.isTrue((await checks(place)).get("home")?.ok)
      chmodSync(place.data, 0o755)
      assert.deepInclude((await checks(place)).get("home"), { ok: false, mend: `chmod 700 ${place.data}` })
    }))

  it("finds damage in the database", () =>
    withPlace(async (place) => {
      await bough(place, ["run", "--model", "offline/planner", "a word that is easy to find"])
      assert.deepInclude((await checks(place)).get("database"), { ok: true, detail: "whole" })
      const file = join(place.data, "bough.db")
      const bytes = readFileSync(file)
      // As an entry, and as a title that nothing protects.
      const places: Array<number> = []
      for (let at = bytes.indexOf("that is easy"); at !== -1; at = bytes.indexOf("that is easy", at + 1))
        places.push(at)
      assert.isAbove(places.length, 1)
      for (const at of places) bytes.write("THAT", at)
      writeFileSync(file, bytes)
      assert.isFalse((await checks(place)).get("database")?.ok)
    }))

  it("says which model would be used and why, and what an unusable one lacks", () =>
    withPlace(async (place) => {
      assert.match((await checks(place)).get("model")?.detail ?? "", /^offline\/planner: /)
      const found = await checks(place, { env: { OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:1/v1" } })
      assert.match(found.get("model")?.detail ?? "", /OPENAI_COMPATIBLE_BASE_URL is set/)
      const keyless = await checks(place, { env: { OPENAI_COMPATIBLE_BASE_URL: "https://models.example/v1" } })
      assert.deepInclude(keyless.get("model"), { ok: false })
      assert.match(keyless.get("model")?.mend ?? "", /OPENAI_COMPATIBLE_API_KEY/)
    }))

  it("says which project files are not used", () =>
    withPlace(async (place) => {
      put(place, "AGENTS.md", "Answer in verse.")
      const configuration = (await checks(place)).get("configuration")
      assert.isTrue(configuration?.ok)
      assert.include(configuration?.detail ?? "", "AGENTS.md")
    }))

  it.skipIf(bubblewrap.skip)(`tries the sandbox for real${bubblewrap.suffix}`, () =>
    withPlace(async (place) => {
      assert.match((await checks(place)).get("sandbox")?.detail ?? "", /^bubblewrap, \d+ properties tried$/)
    })
  )
})
