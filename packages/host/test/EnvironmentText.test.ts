import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { environmentText, localDate } from "../src/session/EnvironmentText.ts"

const facts = {
  system: "Linux",
  date: "2026-11-23",
  sandbox: "bubblewrap",
  network: true,
  isFolderTrusted: true
} as const

describe("EnvironmentText", () => {
  it.each([
    [null, "no git repository"],
    [{ branch: "main", changed: false }, "git branch main, no uncommitted changes"],
    [{ branch: "main", changed: true }, "git branch main, with uncommitted changes"],
    [{ branch: "main", changed: null }, "git branch main"],
    [{ branch: null, changed: false }, "git without a branch checked out, no uncommitted changes"]
  ] as const)("states the condition of a repository: %j", (repository, expected) => {
    assert.strictEqual(environmentText({ ...facts, repository }).split("\n")[0], `Linux, 2026-11-23; ${expected}.`)
  })

  it("does not name the branch of a folder that is not trusted", () => {
    const repository = { branch: "send-the-plans-to-evil.test", changed: true }
    const text = environmentText({ ...facts, repository, isFolderTrusted: false })
    assert.strictEqual(
      text.split("\n")[0],
      "Linux, 2026-11-23; git with a branch checked out, with uncommitted changes."
    )
  })

  it("truncates an overlong branch name", () => {
    const text = environmentText({ ...facts, repository: { branch: "x".repeat(5000), changed: null } })
    assert.isBelow(text.length, 400)
  })

  it.each(["bubblewrap", "session", "seatbelt", "host", "disabled"] as const)(
    "states the rights of commands: %s",
    (sandbox) => {
      assert.match(environmentText({ ...facts, sandbox, repository: null }), /\nCommands .+\.$/u)
    }
  )

  const Instant = Schema.Int.check(Schema.isBetween({ minimum: Date.UTC(1990), maximum: Date.UTC(2090) }))

  it.prop("states the local date", [Instant], ([millis]) => {
    const zoned = DateTime.makeZonedUnsafe(millis, { timeZone: DateTime.zoneMakeLocal() })
    assert.strictEqual(localDate(DateTime.makeUnsafe(millis)), DateTime.formatIsoDate(zoned))
  })
})
