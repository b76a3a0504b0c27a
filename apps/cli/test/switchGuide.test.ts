/** docs/how-to/switch.md translates the commands of other agents into commands and flags that exist. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as SlashCommands from "../src/ui/conversation/SlashCommands.ts"
import { withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"

const guide = readFileSync(new URL("../../../docs/how-to/switch.md", import.meta.url), "utf8")
const [, commands = ""] = /^## Commands\n([\s\S]*?)^## /mu.exec(guide) ?? []

/** The cells of the column "here"; the last row says "the same" about the column before. */
const here = commands
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (?:elsewhere|---)/u.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, elsewhere = "", cell = ""]) => (cell === "the same" ? elsewhere : cell))
  .join("\n")

describe("the guide for users of other agents", () => {
  it("names slash commands that exist", () => {
    const named = [...here.matchAll(/(?<=`)\/[a-z]+/gu)].map(([name]) => name)
    assert.isAbove(named.length, 12)
    assert.deepStrictEqual(
      named.filter((name) => SlashCommands.refusal(SlashCommands.read(name)) !== null),
      []
    )
  })

  it("names flags that exist", () =>
    withTestFolder(async (place) => {
      const help = (await bough(place, ["--help"])).stdout + (await bough(place, ["run", "--help"])).stdout
      const named = [...here.matchAll(/(?<=[` ])--[a-z-]+/gu)].map(([name]) => name)
      assert.isAbove(named.length, 6)
      assert.deepStrictEqual(
        named.filter((name) => !new RegExp(String.raw`^ .*${name}\b`, "mu").test(help)),
        []
      )
    }))
})
