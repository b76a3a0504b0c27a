/** Long sessions, and a gateway that restarts, on the page in a real browser. */
import { assert, describe, it } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"
import { requires } from "../../../../test/requirements.ts"
import { thoroughOnly } from "../../../../test/thorough.ts"
import type { Answer } from "../../../cli/test/program/ModelServer.ts"
import { openWorld } from "./openWorld.ts"
import { begin, signIn } from "./PageSteps.ts"
import { story } from "./Story.ts"

const chromium = requires("chromium")

const tale = "Once upon a time there was a tree."

/** The number of requests for the tale: the first one is never answered in full. */
let taleRequests = 0

const taleAnswer = (): Answer => {
  taleRequests += 1
  return taleRequests === 1 ? { hangAfter: "Once upon a time" } : { text: tale }
}

/** Each step is three items of the conversation. */
const work = (step: number): Answer =>
  step < 25
    ? {
        text: `This is step ${step}.`,
        calls: [
          { name: "list_files", arguments: {} },
          { name: "current_time", arguments: {} }
        ]
      }
    : { text: "The work is done." }

const world = openWorld(
  story({
    answers: (said, step) => {
      if (said.includes("Work for long")) return work(step)
      if (said.includes("Tell a tale")) return taleAnswer()
      return null
    }
  })
)

const items = (page: Page) => page.locator(".item")

/** Scrolls the conversation to its top, and waits until the browser has drawn the result. */
const scrollToTop = (page: Page) =>
  page.evaluate(`new Promise((resolve) => {
    document.querySelector(".thread").scrollTop = 0
    requestAnimationFrame(() => setTimeout(resolve))
  })`)

/** The distance from the top of the window. */
const topOf = async (found: Locator): Promise<number> => (await found.first().boundingBox())?.y ?? Number.NaN

describe.skipIf(chromium.skip)(`the page with long sessions${chromium.suffix}`, thoroughOnly, () => {
  it("draws the newest items of a long session first, and the earlier ones as its reader scrolls up", async () => {
    const page = await signIn(world, "acme/lou")
    await begin(page, "Work for long")
    await page.getByText("The work is done.").waitFor()
    await page.getByLabel("Message", { exact: true }).fill("Work for long again")
    await page.keyboard.press("Enter")
    await page.getByText("The work is done.").nth(1).waitFor()
    const all = await items(page).count()
    assert.strictEqual(all, 2 * (1 + 25 * 3 + 1))
    await page.reload()
    await page.getByText("The work is done.").last().waitFor()
    const drawn = await items(page).count()
    assert.isBelow(drawn, all)
    await page.getByRole("button", { name: `Show earlier (${all - drawn})` }).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Newest" }).count(), 0)
    // The reader's place stays where it is while items are added above it.
    const first = await items(page).first().getAttribute("data-entry")
    await scrollToTop(page)
    await items(page)
      .nth(all - 1)
      .waitFor()
    assert.closeTo(
      await topOf(page.locator(`[data-entry="${first}"]`)),
      (await topOf(page.locator(".thread"))) + 70,
      80
    )
    await scrollToTop(page)
    assert.isAbove(await topOf(page.locator(".item-user", { hasText: "Work for long" })), 0)
    await page.getByRole("button", { name: "Newest" }).click()
    await page.getByRole("button", { name: "Newest" }).waitFor({ state: "detached" })
    assert.isBelow(await topOf(page.locator(".item-user", { hasText: "Work for long" })), 0)
    await page.context().close()
  })

  it("shows a reply whose gateway restarts in the middle of it, and a message after it", async () => {
    const page = await world.newPage()
    await page.goto(`${world.proxyUrl}${await world.link("acme/tess")}`)
    await page.locator("#composer").waitFor()
    await begin(page, "Tell a tale")
    await page.getByText("Once upon a time", { exact: true }).waitFor()
    await world.restart()
    await page.getByText(tale).waitFor()
    await page.locator('[data-connection="open"]').waitFor({ state: "attached" })
    await page.locator(".working").waitFor({ state: "detached" })
    const replies = page.locator(".item-text .markdown")
    assert.deepStrictEqual(await replies.allInnerTexts(), ["Once upon a time", tale])
    await page.getByText("interrupted here").waitFor()
    await page.getByLabel("Message", { exact: true }).fill("Good morning")
    await page.keyboard.press("Enter")
    await page.getByText("Hello. Tell me what shall be done.").waitFor()
    await page.reload()
    await page.getByText("Hello. Tell me what shall be done.").waitFor()
    assert.strictEqual(await page.getByText(tale).count(), 1)
    await page.context().close()
  })
})
