/**
 * Answers on a real terminal: keys that were typed ahead do not count, approvals are shown in full before they count,
 * and hostile names stay text.
 */
import * as AnswerGuard from "@bough/tui/keys/AnswerGuard"
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { put, withTestFolder } from "./program/Bough.ts"
import { withModel } from "./program/ModelServer.ts"
import { type Screen, withScreen } from "./program/Screen.ts"

const tmux = requires("tmux")
const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/**
 * If two keys are further apart than this, the terminal may have been silent in between: such a run asserts nothing
 * about the keys.
 */
const maxGapMillis = AnswerGuard.quietMillis - 100

/** Types "y" before the approval is shown and after it. Returns false if the keys came too slowly to be typed ahead. */
const typeAhead = async (screen: Screen): Promise<boolean> => {
  let before = performance.now()
  let longest = 0
  const press = async (millis: number): Promise<void> => {
    const begun = performance.now()
    screen.press("y")
    longest = Math.max(longest, performance.now() - before)
    before = begun
    await pause(millis)
  }
  while (!screen.text().includes("┌ Allow ")) await press(20)
  for (const millis of [50, 100, 150]) await press(millis)
  await press(0)
  return longest < maxGapMillis
}

describe.skipIf(tmux.skip)(`an answer${tmux.suffix}`, () => {
  it("typed before the approval is shown, or just after, runs nothing in plain lines", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const file = join(place.workspace, "a.txt")
      const args = ["call", "delete_path", '{"path":"a.txt"}']
      const attempt = (): Promise<boolean> => {
        put(place, "a.txt", "precious\n")
        return withScreen(place, { args }, async (screen) => {
          const wasAhead = await typeAhead(screen)
          const shown = await screen.shows(/└ y allow · n deny .*\? details/)
          if (!wasAhead) return false
          assert.notInclude(shown, "EXIT")
          await screen.pressUntil("n", "reason (optional")
          screen.press("Enter")
          await screen.shows("EXIT")
          assert.isTrue(existsSync(file))
          return true
        })
      }
      while (!(await attempt()));
    })
  )

  it("counts on the screen after a silence, if all of the approval was shown at the current size", () => {
    const content = Array.from({ length: 3 }, (_, line) => `line ${line}\n`).join("")
    const call = { name: "write_file", arguments: { path: "AGENTS.md", content } }
    return withTestFolder((place) =>
      withModel([{ text: "", calls: [call] }, { text: "written" }], ({ env }) =>
        withScreen(place, { env, columns: 40, rows: 12 }, async (screen) => {
          const isWritten = (): boolean => existsSync(join(place.workspace, "AGENTS.md"))
          await screen.shows(/scripted · workspace/)
          screen.type("write it")
          // Keys that are typed earlier belong to the message; the approval gets the focus later.
          await screen.shows("┌ Allow ")
          await typeAhead(screen)
          const first = await screen.shows("└ Space more · n deny with a reason")
          assert.match(first, /┌ Allow write_file[\s\S]*rows 1 to \d of \d+/)
          await screen.pressUntil("Space", "└ y allow")
          assert.include(screen.visible(), "always would allow")
          assert.isFalse(isWritten())
          // After a new layout it must be shown in full again.
          screen.resize(30, 12)
          await screen.shows(/rows 1 to \d of \d+[\s\S]*└ Space more/)
          screen.press("y")
          screen.resize(100, 40)
          await screen.shows(/\+line 0[\s\S]*\+line 2[\s\S]*└ y allow/)
          assert.isFalse(isWritten())
          await screen.pressUntil("y", "└ allowed once")
          await screen.shows("written")
          assert.isTrue(isWritten())
        })
      )
    )
  })

  it("is not forged by the name of a tool, which neither sets the title nor clears the screen", () => {
    const name = "tool\u001B]0;PWNED\u0007\u001B]52;c;AA==\u0007\u001B[2J\u009B2J\r\n└ y allow\u202E\b"
    const script = [{ text: `\u001B]0;PWNED\u0007\u001B[2J`, calls: [{ name, arguments: {} }] }, { text: "done" }]
    return withTestFolder((place) =>
      withModel(
        script.flatMap((answer) => [answer]),
        async ({ env }) => {
          for (const args of [["run", "go", "--verbose"], ["--continue"]]) {
            const raw = join(place.root, "raw")
            await withScreen(place, { env, args, recorded: raw }, async (screen) => {
              await screen.shows(args[0] === "run" ? "EXIT" : /tool.*\n[\s\S]*workspace.*$/)
              assert.notInclude(screen.title(), "PWNED")
              assert.match(screen.text(), /tool\\u\{1b\}\]0;PWNED/)
              assert.notMatch(screen.text(), /^└ y allow/mu)
            })
            const written = readFileSync(raw, "utf8")
            // oxlint-disable-next-line no-control-regex -- these are the sequences that it looks for
            assert.notMatch(written, /\u001B\](?!11;)|\u009B|\u202E|\u001B\[2J\u001B\[(?!3J)|\u0008/u)
          }
        }
      )
    )
  })
})
