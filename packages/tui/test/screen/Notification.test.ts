/** The sequences for a notification that terminals know, and none if the user wants none. */
import { assert, describe, it } from "@effect/vitest"
import * as Notification from "../../src/screen/Notification.ts"
import { text } from "../../src/text/SafeText.ts"
import * as VirtualTerminal from "./VirtualTerminal.ts"

describe("Notification", () => {
  it.each([
    ["off", ""],
    ["bell", "\u0007"],
    ["osc9", "\u001B]9;bough: finished\u0007"],
    ["osc777", "\u001B]777;notify;bough;finished\u0007"]
  ] as const)("%s", (way, expected) => {
    const terminal = VirtualTerminal.make(80, 24)
    Notification.send(terminal.stdout, way, { title: text`bough`, message: text`finished` })
    assert.strictEqual(terminal.writes.join(""), expected)
  })
})
