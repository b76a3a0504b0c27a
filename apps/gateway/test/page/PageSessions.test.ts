/** Conversations on the page in a real browser, over a real server and a real wire protocol of a model. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { requires } from "../../../../test/requirements.ts"
import { thoroughOnly } from "../../../../test/thorough.ts"
import type { Answer } from "../../../cli/test/program/ModelServer.ts"
import { pixel } from "../Files.ts"
import { openWorld } from "./openWorld.ts"
import { begin, card, openCommands, signIn, unexpected } from "./PageSteps.ts"
import * as PageWorld from "./PageWorld.ts"
import { gate, story } from "./Story.ts"

const chromium = requires("chromium")

const thinking = gate()
const telling = gate()
const holding = gate()

/** Two steps: reasoning with a call and no text, then a reply that waits. */
const thoughtAnswer = (step: number): Answer =>
  step < 1
    ? { text: "", reasoning: "Both ways are open.", calls: [{ name: "list_files", arguments: {} }] }
    : { text: "The first way is shorter.", after: thinking.opened }

const cells = Array.from({ length: 8 }, (_, index) => `12345${index}`).join(" | ")
const fullReport = `- [x] written\n- [ ] reviewed\n\n---\n\n| ${cells} |\n|${" --- |".repeat(8)}\n| ${cells} |\n\n\`\`\`sh\nnpm test\n\`\`\`\n`

/** The layout of `fullReport`: boxes beside their texts, the width of the rule, and cells with a broken word. */
const layout = `(() => {
  const lines = (node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
  }
  return {
    boxes: [...document.querySelectorAll(".task-list-item")].map((item) => item.clientHeight < 30),
    rule: document.querySelector(".markdown hr").clientWidth > 200,
    broken: [...document.querySelectorAll(".markdown td")].filter((cell) => lines(cell) > 1).length,
    isInside: document.documentElement.scrollWidth <= innerWidth
  }
})()`

const world = openWorld(
  story({
    answers: (said, step) => {
      if (said.includes("Think first")) return thoughtAnswer(step)
      if (said.includes("Write it down")) {
        const calls = [{ name: "write_file", arguments: { path: "note.txt", content: "x" } }]
        return step < 1 ? { text: "", calls } : { text: "I may not." }
      }
      if (said.includes("Mind the gap")) return { text: "I mind it." }
      if (said.includes("Tell a tale")) return { text: "Once upon a time there was a tree.", after: telling.opened }
      if (said.includes("Report in full")) return { text: fullReport }
      if (said.includes("Hold on")) return { text: "I hold on.", after: holding.opened }
      return said.includes("And then?") ? { text: "It grew." } : null
    }
  })
)

describe.skipIf(chromium.skip)(`the page with sessions${chromium.suffix}`, thoroughOnly, () => {
  it("shows a reply once, completely and in order when it is loaded again in the middle of it", async () => {
    const page = await signIn(world, "acme/bea")
    await begin(page, "Tell a tale")
    const reply = page.locator(".item-text")
    await reply.getByText("Once upon a time there was a tree.").waitFor()
    await page.reload()
    await reply.getByText("Once upon a time there was a tree.").waitFor()
    await page.getByRole("button", { name: "Stop" }).waitFor()
    // Messages that are sent during a turn wait for its end.
    await page.getByLabel("Message", { exact: true }).fill("And then?")
    await page.keyboard.press("Enter")
    await page.locator(".queued").waitFor()
    telling.open()
    await reply.getByText("It grew.").waitFor()
    await page.locator(".queued").waitFor({ state: "detached" })
    await page.locator(".cursor").waitFor({ state: "detached" })
    assert.deepStrictEqual(
      (await page.locator(".item-text .markdown, .item-user .said").allInnerTexts()).map((text) => text.trim()),
      ["Tell a tale", "Once upon a time there was a tree.", "And then?", "It grew."]
    )
    await page.context().close()
  })

  it("folds reasoning, steers a running turn, shows its budget, and forks after a step without words", async () => {
    const page = await signIn(world, "acme/remi")
    await begin(page, "Think first")
    const reasoning = page.locator(".reasoning")
    await reasoning.getByText("4 words").waitFor()
    assert.isFalse(await reasoning.getByText("Both ways are open.").isVisible())
    await reasoning.locator("summary").click()
    await reasoning.getByText("Both ways are open.").waitFor()
    await page.getByLabel("Message", { exact: true }).fill("Mind the gap")
    await page.keyboard.press("Control+Enter")
    await page.locator(".queued", { hasText: "steering" }).getByText("Mind the gap").waitFor()
    thinking.open()
    await page.getByText("I mind it.").waitFor()
    const used = page.locator(".session > .panel").getByRole("progressbar", { name: "Budget used" })
    await used.waitFor()
    const main = page.url()
    const call = page.locator(".item-call")
    await call.hover()
    await call.getByRole("button", { name: "Fork after this step" }).click()
    await page.waitForURL((url) => url.href !== main)
    await page.locator('[data-tool="list_files"]').waitFor()
    assert.strictEqual(await page.getByText("The first way is shorter.").count(), 0)
    await page.goto(main)
    await page.getByText("I mind it.").waitFor()
    const message = page.locator(".item-user", { hasText: "Mind the gap" })
    await message.hover()
    await message.getByRole("button", { name: "Fork before this message" }).click()
    await page.waitForURL((url) => url.href !== main)
    await page.locator('[data-tool="list_files"]').waitFor()
    assert.strictEqual(await page.locator(".item-user", { hasText: "Mind the gap" }).count(), 0)
    await page.context().close()
  })

  it("stops a turn, and shows each of two users only their own sessions", async () => {
    const [eve, finn] = await Promise.all([signIn(world, "acme/eve"), signIn(world, "other/finn")])
    await begin(eve, "Hold on")
    await eve.getByText("I hold on.").waitFor()
    await eve.getByRole("button", { name: "Stop" }).click()
    await eve.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" })
    await eve.getByRole("button", { name: "Send" }).waitFor()
    holding.open()
    await begin(finn, "Good morning")
    await finn.getByText("Hello. Tell me what shall be done.").waitFor()

    // An image is shown to the model, another file is in the workspace; a removed one is not sent.
    await finn.locator('.composer input[type="file"]').setInputFiles([
      { name: "cat.png", mimeType: "image/png", buffer: pixel },
      { name: "list.txt", mimeType: "text/plain", buffer: Buffer.from("a list of names\n") },
      { name: "wrong.txt", mimeType: "text/plain", buffer: Buffer.from("not this one\n") }
    ])
    await finn.locator('.attached [data-state="Stored"]').nth(2).waitFor()
    await finn.getByRole("button", { name: "Remove wrong.txt" }).click()
    await finn.getByLabel("Message", { exact: true }).fill("Look at these")
    await finn.keyboard.press("Enter")
    const message = finn.locator(".item-user[data-entry]", { hasText: "Look at these" })
    await message.locator("img").waitFor()
    assert.match(await message.innerText(), /attachments\/\S+-list\.txt/u)
    assert.strictEqual(await finn.locator(".attached li").count(), 0)
    await finn.locator(".item-text").nth(1).waitFor()
    const found = world.model.bodies.findLast((body) => body.includes("Look at these")) ?? ""
    assert.include(found, pixel.toString("base64"))
    assert.include(found, "list.txt")
    assert.notInclude(found, "wrong.txt")

    const rows = (page: Page) => page.locator(".side .session-title").allInnerTexts()
    await eve.reload()
    await eve.locator(".side .session-title").first().waitFor()
    assert.deepStrictEqual([await rows(eve), await rows(finn)], [["Hold on"], ["Good morning"]])
    await finn.goto(eve.url())
    await finn.reload()
    await finn.getByRole("alert").getByText("does not exist, or it belongs to another user").waitFor()
    assert.notInclude(await finn.locator("#main").innerText(), "hold on")
    await Promise.all([eve.context().close(), finn.context().close()])
  })

  it("changes the mode of a session, which its agent obeys at once, and shows it when the page is loaded again", async () => {
    const page = await signIn(world, "acme/mona")
    await begin(page, "Good morning")
    await page.getByText("Hello. Tell me what shall be done.").waitFor()
    const mode = page.getByLabel("Mode")
    assert.strictEqual(await mode.inputValue(), "auto")
    await mode.selectOption("plan")
    await page.locator(".mode-choice select:enabled").waitFor()
    await page.reload()
    await page.locator('.mode-choice select[title^="nothing is changed"]').waitFor()
    assert.strictEqual(await mode.inputValue(), "plan")
    await page.getByLabel("Message", { exact: true }).fill("Write it down")
    await page.keyboard.press("Enter")
    await page.locator('[data-tool="write_file"]').getByText("plan mode (read-only)").first().waitFor()
    assert.deepStrictEqual(await PageWorld.violations(page), [])
    await page.context().close()
  })

  it("lays out task lists, rules and wide tables on a phone, and copies code", async () => {
    const page = await signIn(world, "acme/hal", {
      viewport: { width: 390, height: 760 },
      permissions: ["clipboard-read", "clipboard-write"]
    })
    await begin(page, "Report in full")
    await page.locator(".markdown pre").waitFor()
    assert.deepStrictEqual(await page.evaluate(layout), { boxes: [true, true], rule: true, broken: 0, isInside: true })
    await page.getByRole("button", { name: "Copy", exact: true }).click()
    await page.getByRole("button", { name: "Copied" }).waitFor()
    assert.strictEqual(await page.evaluate("navigator.clipboard.readText()"), "npm test\n")
    assert.deepStrictEqual(await PageWorld.violations(page), [])
    await page.context().close()
  })

  it("returns a message that it could not send, and sends it once when the gateway is reached again", async () => {
    const page = await signIn(world, "acme/ivy")
    await begin(page, "Good morning")
    await page.getByText("Hello. Tell me what shall be done.").waitFor()
    const box = page.getByLabel("Message", { exact: true })
    const unreachable = page.locator(".composer").getByText("the gateway cannot be reached")
    const userMessage = page.locator(".item-user .said")

    await page.context().setOffline(true)
    await box.fill("Without a network")
    await page.keyboard.press("Enter")
    await unreachable.waitFor()
    assert.strictEqual(await box.inputValue(), "Without a network")
    await page.context().setOffline(false)
    await page.keyboard.press("Enter")
    await userMessage.getByText("Without a network").waitFor()

    // The request arrives, and its answer is lost.
    await page.route("**/messages", async (route) => {
      await route.fetch()
      await route.abort()
    })
    await box.fill("Without an answer")
    await page.keyboard.press("Enter")
    await unreachable.waitFor()
    await page.unroute("**/messages")
    await page.keyboard.press("Enter")
    await unreachable.waitFor({ state: "detached" })
    await box.fill("The last one")
    await page.keyboard.press("Enter")
    await userMessage.getByText("The last one").waitFor()
    await page.locator(".queued").first().waitFor({ state: "detached" })
    const texts = ["Good morning", "Without a network", "Without an answer", "The last one"]
    assert.deepStrictEqual(await userMessage.allInnerTexts(), texts)
    await page.context().close()
  })

  it("is used by keyboard alone", async () => {
    const page = await signIn(world, "acme/gwen")
    await begin(page, "Delete the draft")
    await card(page).waitFor()
    const approve = card(page).getByRole("button", { name: "Approve once" })
    const tabs = async (): Promise<void> => {
      for (let count = 0; count < 60; count += 1) {
        if ((await approve.and(page.locator(":focus")).count()) > 0) return
        await page.keyboard.press("Tab")
      }
      assert.fail("Tab never reaches the approval")
    }
    await tabs()
    await page.keyboard.press("Enter")
    await page.getByText("I leave it as it is decided.").waitFor()
    await openCommands(page)
    await page.keyboard.type("Approvals")
    await page.getByRole("option", { name: "Approvals", selected: true }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Approvals", level: 1 }).waitFor()
    await openCommands(page)
    await page.keyboard.type("Delete the draft")
    await page.getByRole("option", { name: "Delete the draft", selected: true }).waitFor()
    await page.keyboard.press("Enter")
    await page.waitForURL(/#\/sessions\//u)
    await openCommands(page)
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.context().close()
  })

  it("logged no error to the console, and reached only its gateway", () => {
    assert.deepStrictEqual(unexpected(world.faults), [])
  })
})
