/** Ctrl-V: the image of the desktop's clipboard, read by the program of the desktop, is part of the message. */
import { assert, describe, it } from "@effect/vitest"
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readerOf } from "../../../src/io/ClipboardImage.ts"
import * as Configured from "../../program/Configured.ts"
import { say } from "../../program/ModelServer.ts"

const talking = Configured.inProcess({ prompt: /›\n.* workspace.*$/ })

/** One pixel. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** The variables of a desktop whose `wl-paste` is this script. */
const desktop = (folder: string, script: string): Readonly<Record<string, string>> => {
  mkdirSync(folder)
  writeFileSync(join(folder, "wl-paste"), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, "wl-paste"), 0o755)
  return { WAYLAND_DISPLAY: "wayland-0", PATH: `${folder}:${process.env["PATH"]}` }
}

describe("the image of the clipboard", () => {
  it("is attached at the cursor, and its file is removed afterwards", () =>
    talking([say("A dot")], async ({ converse, env, place, server }) => {
      const script = `echo "$*" > '${place.workspace}/asked'; echo ${png} | base64 -d`
      await converse(
        async (screen) => {
          screen.press("-l", "what is ")
          await screen.shows("› what is")
          screen.press("C-v")
          await screen.shows("› what is [image clipboard-1.png]")
          screen.press("Enter")
          await screen.shows(/A dot\n.* out\n›\n/)
        },
        { env: { ...env, ...desktop(join(place.root, "desktop"), script) } }
      )
      const [words, image] = JSON.parse(JSON.stringify(server.requests[0].messages.at(-1)?.content))
      assert.strictEqual(words.text, "what is [image clipboard-1.png] ")
      assert.strictEqual(image.image_url.url, `data:image/png;base64,${png}`)
      assert.isTrue(existsSync(join(place.workspace, "asked")))
    }))

  it("that is missing or unreadable leaves the message unchanged", () =>
    talking([], async ({ converse, env, place }) => {
      const none = { WAYLAND_DISPLAY: "", DISPLAY: "" }
      for (const [variables, told] of [
        [desktop(join(place.root, "empty"), "exit 1"), "the clipboard has no image"],
        [{ ...none, PATH: process.env["PATH"] ?? "" }, "no desktop clipboard is available"],
        [{ WAYLAND_DISPLAY: "wayland-0", PATH: place.root }, "wl-paste is not installed"]
      ] as const) {
        await converse(
          async (screen) => {
            screen.press("-l", "a plum")
            await screen.shows("› a plum")
            screen.press("C-v")
            const shown = await screen.shows(told)
            assert.match(shown, /› a plum\n/u)
          },
          { env: { ...env, ...variables } }
        )
      }
    }))

  it("is read by the program of each desktop", () => {
    const commands = [
      readerOf({ WAYLAND_DISPLAY: "wayland-0", DISPLAY: ":0" }, "linux"),
      readerOf({ DISPLAY: ":0" }, "linux"),
      readerOf({}, "darwin")
    ].map((reader) => reader?.command)
    assert.deepStrictEqual(commands, ["wl-paste", "xclip", "osascript"])
    const printed = Buffer.from(`«data PNGf${Buffer.from(png, "base64").toString("hex").toUpperCase()}»\n`)
    assert.strictEqual(readerOf({}, "darwin")?.decode(printed).toString("base64"), png)
  })
})
