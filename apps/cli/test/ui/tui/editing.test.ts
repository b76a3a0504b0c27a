/** The editor on the screen: text that a user types and files that are dropped there reach the model. */
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { put, withTestFolder } from "../../program/Bough.ts"
import { type ModelServer, say, withModel } from "../../program/ModelServer.ts"
import type { Screen } from "../../program/Screen.ts"
import { withScreen } from "../../program/ScreenInProcess.ts"
import * as Talking from "../../program/Talking.ts"
import type { Script, Use } from "../../program/Talking.ts"

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** The empty prompt, with no work running. */
const prompt = /›\n[^\n]*$/

const talking = (script: Script, use: Use<Screen>): Promise<void> => Talking.inProcess({ prompt }, script, use)

/** The user's messages in a request, newest last. */
const sentText = ({ requests }: ModelServer, request: number): unknown =>
  requests[request]?.messages.findLast(({ role }) => role === "user")?.content

describe("the editor on the screen", () => {
  it("sends several lines as one message", () =>
    talking([say("Understood")], async ({ screen, server }) => {
      // The third is Shift-Enter, from terminals that can report it.
      for (const [word, ...keys] of [
        ["one", "M-Enter"],
        ["two", "C-j"],
        ["three", "-l", "\u001B[13;2u"],
        ["four\\", "Enter"]
      ]) {
        screen.press("-l", word)
        screen.press(...keys)
      }
      screen.type("five")
      await screen.shows("Understood")
      assert.strictEqual(sentText(server, 0), "one\ntwo\nthree\nfour\nfive")
    }))

  it("edits by word, character and line, in any script", () =>
    talking([say("Understood")], async ({ screen, server }) => {
      screen.press("-l", "日本語 e\u0301👩‍👩‍👧x and more")
      screen.press("C-w", "M-BSpace", "C-y", "C-a", "Right", "DC", "M-f", "Right", "Right", "BSpace", "C-e")
      screen.type("!")
      await screen.shows("Understood")
      assert.strictEqual(sentText(server, 0), "日語 👩‍👩‍👧x and more!")
    }))

  it("collapses a long paste, and sends it in full", () =>
    talking([say("Understood")], async ({ screen, server }) => {
      const text = Array.from({ length: 312 }, (_, index) => `line ${index}`).join("\n")
      screen.press("-l", "look: ")
      screen.paste(text)
      await screen.shows("look: [pasted 312 lines]")
      screen.press("Enter")
      await screen.shows("Understood")
      assert.strictEqual(sentText(server, 0), `look: ${text}`)
    }))

  it("completes a path, and a command", () =>
    talking([say("Understood")], async ({ place, screen, server }) => {
      mkdirSync(join(place.workspace, "src"))
      put(place, "src/needle.ts", "x\n")
      put(place, "hay.txt", "x\n")
      screen.press("-l", "read @nee")
      await screen.shows(/› read @nee\n\s+src\/needle\.ts/)
      screen.press("Tab")
      screen.type("now")
      await screen.shows("Understood")
      assert.strictEqual(sentText(server, 0), "read @src/needle.ts now")
      screen.press("-l", "/to")
      await screen.shows(/› \/to\n\s+\/tools/)
      screen.press("Enter")
      await screen.shows("read_file")
    }))

  it("sends the image behind a dropped path", () =>
    talking([say("A dot")], async ({ place, screen, server }) => {
      const path = join(place.workspace, "my shot.png")
      writeFileSync(path, Buffer.from(onePixel, "base64"))
      screen.press("-l", "what is ")
      screen.paste(`'${path}' `)
      await screen.shows("what is [image my shot.png]")
      screen.press("Enter")
      await screen.shows("A dot")
      assert.deepStrictEqual(sentText(server, 0), [
        { type: "text", text: "what is [image my shot.png] " },
        { type: "image_url", image_url: { url: `data:image/png;base64,${onePixel}` } }
      ])
    }))

  it("says why a file is not an image, and keeps the draft", () =>
    talking([say("Understood")], async ({ place, screen, server }) => {
      put(place, "fake.png", "no image\n")
      screen.paste(join(place.workspace, "fake.png"))
      await screen.shows(/it is not a PNG,\s+JPEG,\s+GIF\s+or\s+WebP\s+image/)
      screen.press("Enter")
      await screen.shows("Understood")
      assert.strictEqual(sentText(server, 0), join(place.workspace, "fake.png"))
    }))

  it("offers the messages of an earlier conversation in the next one, and searches them", () =>
    withTestFolder((place) =>
      withModel([say("One"), say("Two"), say("Three")], async (server) => {
        await withScreen(place, { env: server.env }, async (screen) => {
          await screen.shows(prompt)
          screen.type("fix the tests")
          await screen.shows("One")
          screen.type("thanks")
          await screen.shows("Two")
          screen.press("C-d")
          await screen.shows("EXIT 0")
        })
        await withScreen(place, { env: server.env }, async (screen) => {
          await screen.shows(prompt)
          screen.press("Up")
          await screen.shows("› thanks")
          screen.press("C-c", "C-r")
          screen.press("-l", "fix")
          await screen.shows(/fix the tests\n.*search the history: fix/)
          screen.press("Enter", "C-e")
          screen.type(" again")
          await screen.shows("Three")
          assert.strictEqual(sentText(server, 2), "fix the tests again")
        })
      })
    ))

  it("shows no sequence of a paste that acts on the terminal", () =>
    talking([say("Understood")], async ({ screen, server }) => {
      screen.paste("a\u001B[31mb\u0007c")
      await screen.shows(String.raw`› a\u{1b}[31mb\u{7}c`)
      screen.press("Enter")
      await screen.shows("Understood")
      assert.strictEqual(sentText(server, 0), "a\u001B[31mb\u0007c")
    }))
})
