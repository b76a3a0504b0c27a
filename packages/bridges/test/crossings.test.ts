/**
 * The features that survive each crossing, by the table of the README: every "yes" there is a test here, with the real
 * framework.
 */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { AskedOutcome, Call, Driver, EndedOutcome, World } from "./drivers/Driver.ts"
import { effectAi } from "./drivers/effectAi.ts"
import { langChain } from "./drivers/langChain.ts"
import { mastra } from "./drivers/mastra.ts"
import { mcp } from "./drivers/mcp.ts"
import { openAiAgents } from "./drivers/openAiAgents.ts"
import { dot, openWorld } from "./World.ts"

const drivers: Readonly<Record<string, Driver>> = {
  "/openai-agents": openAiAgents,
  "/langchain": langChain,
  "/mastra": mastra,
  "/effect-ai": effectAi,
  "/mcp": mcp
}

const elevated: Call = { name: "write_note", input: { path: "elevated.txt", text: "x" } }

const ended = (outcome: EndedOutcome | AskedOutcome): string =>
  "told" in outcome ? outcome.told : assert.fail("it was asked about")
const expectAsked = (outcome: EndedOutcome | AskedOutcome): AskedOutcome =>
  "told" in outcome ? assert.fail(`no approval was requested: ${outcome.told}`) : outcome

const noteOf = ({ root }: World): string | null =>
  existsSync(join(root, "elevated.txt")) ? readFileSync(join(root, "elevated.txt"), "utf8") : null

type Check = (driver: Driver, world: World) => Promise<void>

/** The checks by the first cell of a row. */
const checks: Readonly<Record<string, Check>> = {
  "schema and descriptions of arguments": async (driver, world) => {
    const declared = (await driver.declared(world)) as {
      readonly properties: Record<string, { description?: string }>
      readonly required: unknown
    }
    assert.deepStrictEqual(Object.keys(declared.properties), ["path", "text"])
    assert.strictEqual(declared.properties["path"].description, "Where to")
    assert.deepStrictEqual(declared.required, ["path"])
  },
  "the tool's own text for the model": async (driver, world) => {
    const result = ended(await driver.run(world, { name: "read_day", input: {} }))
    assert.include(result, "the day is 2026-01-02")
  },
  "outputs cut for the model": async (driver, world) => {
    const result = ended(await driver.run(world, { name: "say_much", input: {} }))
    assert.include(result, "output truncated")
    assert.isBelow(result.length, 20_000)
  },
  "an approval, by the framework's own request": async (driver, world) => {
    const request = expectAsked(await driver.run(world, elevated))
    assert.include(request.shown, "elevated.txt: nothing becomes x")
    assert.isNull(noteOf(world))
    await request.decide(true)
    assert.strictEqual(noteOf(world), "x")
  },
  "a denial": async (driver, world) => {
    await expectAsked(await driver.run(world, elevated)).decide(false)
    assert.isNull(noteOf(world))
  },
  "an approval of only the call that was shown": async (driver, world) => {
    const request = expectAsked(await driver.run(world, elevated))
    writeFileSync(join(world.root, "elevated.txt"), "precious")
    await request.decide(true)
    assert.strictEqual(noteOf(world), "precious")
  },
  "refusals and errors as text": async (driver, world) => {
    const wrong = ended(await driver.run(world, { name: "write_note", input: { path: 7 } }))
    assert.match(wrong, /path/u)
    const broken = ended(await driver.run(world, { name: "fail_as", input: { how: "execution" } }))
    assert.include(broken, "the disk is full")
    const denied = ended(await driver.run(world, { name: "fail_as", input: { how: "permission" } }))
    assert.include(denied, "not for you")
  },
  progress: async (driver, world) => {
    const lines: Array<string> = []
    await driver.run(world, { name: "count_up", input: { to: 2 }, onProgress: (line) => lines.push(line) })
    assert.deepStrictEqual(lines, ["at 1", "at 2"])
  },
  media: async (driver, world) => {
    const result = ended(await driver.run(world, { name: "draw", input: {} }))
    assert.include(result, dot)
    assert.include(result, "image/png")
  },
  abort: async (driver, world) => {
    const controller = new AbortController()
    const running = driver.run(world, { name: "wait_forever", input: {}, signal: controller.signal }).catch(() => null)
    await world.waits.started.promise
    controller.abort()
    await running
    // Before the pack is closed, which would end the call too.
    await world.waits.interrupted.promise
  }
}

const table = readFileSync(new URL("../README.md", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", ""))
  )
const [head = [], ...rows] = table.filter((cells) => cells.length > 5 && !cells[0].startsWith("---"))

describe("the table of features", () => {
  it("has a row for each check, and a column for each framework", () => {
    assert.deepStrictEqual(
      rows.map(([what]) => what),
      Object.keys(checks)
    )
    assert.includeMembers(head, Object.keys(drivers))
  })

  for (const [what = "", ...cells] of rows) {
    for (const [index, cell] of cells.entries()) {
      const framework = head[index + 1] ?? ""
      const driver = drivers[framework]
      if (driver === undefined || !cell.startsWith("yes")) continue
      it(`${framework}: ${what}`, async () => {
        await using world = await openWorld()
        assert.property(checks, what)
        await checks[what](driver, world)
      })
    }
  }
})
