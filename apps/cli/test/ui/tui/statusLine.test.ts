/** The last row of a conversation from the first prompt on, and how it follows later choices. */
import { Session, Usage } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import * as StatusLine from "../../../src/ui/tui/StatusLine.ts"
import * as Transcript from "../../../src/ui/tui/Transcript.ts"
import * as Configured from "../../program/Configured.ts"
import { say } from "../../program/ModelServer.ts"
import type { Screen } from "../../program/Screen.ts"

const talking = Configured.inProcess({ prompt: /›\n.* workspace.*$/ })
const idle = /› *\n(.*)$/u

/** Returns the last row once it holds the text. */
const rowWith = async (screen: Screen, text: string): Promise<string> =>
  idle.exec(
    await screen.shows(new RegExp(`› *\\n.*${text.replaceAll(/[()[\]%·.]/gu, String.raw`\$&`)}.*$`, "u"))
  )?.[1] ?? ""

describe("the status line of a conversation", () => {
  it("names model, folder and branch, and follows effort, mode, use of the context, and title", () =>
    talking([say("A pear"), say("An apple")], async ({ converse, place }) => {
      execFileSync("git", ["init", "-q", "-b", "trunk"], { cwd: place.workspace })
      await converse(async (screen) => {
        assert.strictEqual(await rowWith(screen, "workspace"), "openai-compatible/scripted · workspace (trunk)")
        screen.type("/effort high")
        assert.include(await rowWith(screen, "effort high"), "openai-compatible/scripted · effort high · workspace")
        screen.type("name a fruit")
        const used = await rowWith(screen, "tokens")
        assert.match(used, /effort high · context \S+ tokens · workspace \(trunk\) · name a fruit$/)
        screen.press("\u001B[Z")
        assert.match(await rowWith(screen, "ask mode"), /^ask mode · scripted · effort high/)
        screen.type("/rename Fruits")
        assert.match(await rowWith(screen, "Fruits"), /workspace \(trunk\) · Fruits$/)
        screen.type("/new")
        // The new session has no title yet.
        await screen.shows(/› *\nask mode · .*workspace \(trunk\)$/u)
      })
    }))

  it("names the model without its provider where the row is too narrow", () => {
    const view = Transcript.make(Session.SessionId.make("ses_1"), false, new Map())
    const model = { name: "provider/model", contextTokens: null, effort: null, folder: "app", branch: "main" }
    assert.strictEqual<string>(StatusLine.row(view, model, 27), "provider/model · app (main)")
    assert.strictEqual<string>(StatusLine.row(view, model, 26), "model · app (main)")
    assert.strictEqual<string>(StatusLine.row(view, model, 14), "model · on ma…")
  })

  it("shortens the other parts before it cuts the title", () => {
    const view = {
      ...Transcript.make(Session.SessionId.make("ses_1"), false, new Map()),
      usage: { total: Usage.zero, isEstimated: false, contextTokens: 24_000 }
    }
    const model = { name: "provider/model", contextTokens: 200_000, effort: "high", folder: "app", branch: "main" }
    const row = (columns: number): string =>
      StatusLine.row({ ...view, title: "Add a health check to the server" }, model, columns)
    const whole = "provider/model · effort high · context 24.0k of 200k (12%) · app (main)"
    assert.strictEqual(row(106), `${whole} · Add a health check to the server`)
    assert.strictEqual(row(98), `${whole} · Add a health check to t…`)
    assert.strictEqual(row(97), `${whole.slice("provider/".length)} · Add a health check to the server`)
    assert.strictEqual(row(72), "model · high · 24.0k (12%) · app (main) · Add a health check to the ser…")
    assert.strictEqual(row(60), "model · high · 24.0k (12%) · on main · Add a health check t…")
  })
})
