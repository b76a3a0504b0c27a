/** The page in a real browser, over a real server and a real wire protocol of a model. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { requires } from "../../../../test/requirements.ts"
import { pixel } from "../Files.ts"
import * as PageWorld from "./PageWorld.ts"
import { gate, story } from "./Story.ts"

const chromium = requires("chromium")
const minutes = 60_000

const telling = gate()
const holding = gate()

let world: PageWorld.PageWorld

beforeAll(async () => {
  if (chromium.skip) return
  world = await PageWorld.open(
    story({
      answers: (said) => {
        if (said.includes("Tell a tale")) return { text: "Once upon a time there was a tree.", after: telling.opened }
        if (said.includes("Hold on")) return { text: "I hold on.", after: holding.opened }
        return said.includes("And then?") ? { text: "It grew." } : null
      }
    })
  )
}, 2 * minutes)

afterAll(async () => {
  if (!chromium.skip) await world.close()
})

const signIn = async (name: string, options?: Parameters<PageWorld.PageWorld["newPage"]>[0]): Promise<Page> => {
  const page = await world.newPage(options)
  await page.goto(await world.link(name))
  await page.locator("#composer").waitFor()
  return page
}

const begin = async (page: Page, words: string): Promise<void> => {
  await page.getByLabel("First message").fill(words)
  await page.keyboard.press("Enter")
  await page.waitForURL(/#\/sessions\//u)
  await page.locator(".item-user", { hasText: words }).waitFor()
}

/** Opens the command palette by its keys, and waits until it takes what is typed. */
const openCommands = async (page: Page): Promise<void> => {
  await page.getByRole("dialog").waitFor({ state: "detached" })
  await page.keyboard.press("Control+k")
  await page.locator("[cmdk-input]:focus").waitFor()
}

const card = (page: Page) => page.locator("#main").getByRole("article")
const call = (page: Page, tool: string, status: string) =>
  page.locator(`[data-tool="${tool}"][data-status="${status}"]`)

const screens = [
  ["notes", "Notes"],
  ["usage", "Usage"],
  ["tools", "Tools and agents"],
  ["rules", "Rules"],
  ["tokens", "Tokens"],
  ["tenants", "Tenants"]
] as const

/** The server's refusals that a test provokes are told by the browser as errors. */
const unexpected = (faults: ReadonlyArray<string>) => faults.filter((fault) => !/status of (?:401|404)/u.test(fault))

describe.skipIf(chromium.skip)(`the page${chromium.suffix}`, () => {
  it(
    "signs in by a link that works once, or by a token, and out again",
    async () => {
      const link = await world.link("acme/ann")
      const page = await world.newPage()
      await page.goto(link)
      await page.locator("#composer").waitFor()
      assert.strictEqual(page.url(), `${world.gateway.url}/`)
      await page.reload()
      await page.locator("#composer").waitFor()

      const other = await world.newPage()
      await other.goto(link)
      await other.getByRole("alert").waitFor()
      await other.getByLabel("Token").fill(await world.token("acme/ann"))
      await other.keyboard.press("Enter")
      await other.locator("#composer").waitFor()

      await page.getByRole("button", { name: "ann", exact: true }).click()
      await page.getByRole("menuitem", { name: "Sign out" }).click()
      await page.getByLabel("Token").waitFor()
      await page.reload()
      await page.getByLabel("Token").waitFor()
      await Promise.all([page.context().close(), other.context().close()])
    },
    2 * minutes
  )

  it(
    "works below a path prefix, behind a reverse proxy",
    async () => {
      const page = await world.newPage()
      const elsewhere: Array<string> = []
      page.on("request", (request) => {
        if (!request.url().startsWith(`${world.proxyUrl}/`)) elsewhere.push(request.url())
      })
      await page.goto(world.proxyUrl + (await world.link("acme/ada")))
      await page.locator("#composer").waitFor()
      assert.strictEqual(page.url(), `${world.proxyUrl}/`)
      await begin(page, "Good evening")
      await page.getByText("Hello. Tell me what shall be done.").waitFor()
      await page.reload()
      await page.getByText("Hello. Tell me what shall be done.").waitFor()
      assert.isTrue(page.url().startsWith(`${world.proxyUrl}/#/sessions/`))
      assert.deepStrictEqual(elsewhere, [])
      await page.context().close()
    },
    2 * minutes
  )

  it(
    "shows a reply once, whole and in order when it is loaded again in the middle of it",
    async () => {
      const page = await signIn("acme/bea")
      await begin(page, "Tell a tale")
      const reply = page.locator(".item-text")
      await reply.getByText("Once upon a time there was a tree.").waitFor()
      await page.reload()
      await reply.getByText("Once upon a time there was a tree.").waitFor()
      await page.getByRole("button", { name: "Stop" }).waitFor()
      // Words that come while the turn goes on wait for its end.
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
    },
    2 * minutes
  )

  it(
    "has an approval of a Branch two levels down decided in one tab, and the other tab sees it",
    async () => {
      const page = await signIn("acme/cora")
      const second = await world.newTab(page)
      await second.goto("/#/approvals")
      await begin(page, "Prepare the release")
      await Promise.all([card(page).waitFor(), card(second).waitFor()])
      assert.include(await card(second).innerText(), "Main “Prepare the release”")
      assert.include(await card(second).innerText(), "Branch “Remove the old notes”")
      await page.waitForFunction(`document.title === "(1) Bough"`)
      const nodes = page.locator(".session > .panel .tree-node")
      await nodes.nth(3).waitFor()
      await page.locator('.session > .panel [data-state="asks you"]').waitFor()
      await page.locator('.session > .panel [data-state="waits"]').first().waitFor()

      assert.deepStrictEqual(await page.evaluate(PageWorld.cutTitles), [])
      // A link to the approval marks it, and says so when it waits no more.
      const approvalId = (await card(second).getAttribute("data-approval")) ?? ""
      await second.goto(`/#/approvals/${approvalId}`)
      await second.locator(`[data-approval="${approvalId}"][aria-current="true"]`).waitFor()
      await card(page).getByRole("button", { name: "Approve once" }).click()
      await card(second).waitFor({ state: "detached" })
      await second.getByText("The approval of this link is decided or has expired.").waitFor()
      await page.getByText("Here is what I found").waitFor()
      await page.waitForFunction(`document.title === "Bough"`)

      // A model's HTML is text, and its images load nothing.
      const report = page.locator(".item-text", { hasText: "Here is what I found" })
      assert.include(await report.innerText(), '<img src="https://example.org/pixel.png"')
      assert.strictEqual(await page.locator("#main img").count(), 0)
      await call(page, "edit_file", "ended").locator("summary").click()
      await call(page, "edit_file", "ended").locator(".call-body").waitFor()

      // Files that any session of the tree changed, with coloured lines; the deleted one came and went.
      const panel = page.locator(".session > .panel")
      await panel.getByRole("tab", { name: "Changed files" }).click()
      const notes = panel.locator('[data-path="notes.md"]')
      await notes.locator("summary").click()
      await notes.locator(".diff-added").first().waitFor()
      assert.deepStrictEqual(await notes.locator(".diff-added .diff-text").allInnerTexts(), [
        "# Release notes",
        "",
        "- sessions over HTTP",
        "- a page for approvals"
      ])
      assert.strictEqual(await panel.locator('[data-path="old-notes.md"]').count(), 0)
      await panel.getByRole("tab", { name: "Tree" }).click()

      // A fork has the conversation up to the reply, and goes on by itself.
      const main = page.url()
      await report.hover()
      await report.getByRole("button", { name: "Fork after this reply" }).click()
      await page.waitForURL((url) => url.href !== main)
      await page.locator(".item-text", { hasText: "Here is what I found" }).waitFor()
      await page.getByRole("button", { name: "Send" }).waitFor()
      await page.goBack()

      await page.locator(".tree-node", { hasText: "Remove the old notes" }).first().click()
      await call(page, "delete_path", "ended").waitFor()
      await page.getByText("I am done with the old notes.").waitFor()
      await page.context().close()
    },
    2 * minutes
  )

  it(
    "denies with words, which the model reads",
    async () => {
      const page = await signIn("acme/dora")
      await begin(page, "Delete the draft")
      await card(page).getByRole("button", { name: "Deny…" }).click()
      await page.keyboard.type("the draft is still needed")
      await card(page).getByRole("button", { name: "Deny", exact: true }).click()
      await page.getByText("I leave it as it is decided.").waitFor()
      await call(page, "delete_path", "ended").getByText("denied", { exact: true }).waitFor()
      const menu = async (name: string): Promise<void> => {
        await page.getByRole("button", { name: "Session actions" }).click()
        await page.getByRole("menuitem", { name }).click()
      }
      await menu("Rename…")
      await page.getByLabel("Title", { exact: true }).fill("The draft stays")
      await page.keyboard.press("Enter")
      const row = page.locator(".side").getByRole("link", { name: "The draft stays" })
      await row.waitFor()
      await page.getByRole("heading", { name: "The draft stays", level: 1 }).waitFor()
      const downloading = page.waitForEvent("download")
      await menu("Export as JSON lines")
      const lines = readFileSync(await (await downloading).path(), "utf8")
        .trim()
        .split("\n")
      assert.isTrue(lines.map((line) => JSON.parse(line)).some(({ body }) => body._tag === "UserMessage"))
      await menu("Archive")
      await row.waitFor({ state: "detached" })
      await page.locator(".side").getByRole("button", { name: "Archive" }).click()
      await row.waitFor()
      await menu("Restore from the archive")
      await row.waitFor({ state: "detached" })
      await page.locator(".side").getByRole("button", { name: "Archive" }).click()
      await row.waitFor()
      assert.isTrue(world.model.bodies.some((body) => body.includes("the draft is still needed")))
      await page.context().close()
    },
    2 * minutes
  )

  it(
    "stops a turn, and shows each of two users their own sessions alone",
    async () => {
      const [eve, finn] = await Promise.all([signIn("acme/eve"), signIn("other/finn")])
      await begin(eve, "Hold on")
      await eve.getByText("I hold on.").waitFor()
      await eve.getByRole("button", { name: "Stop" }).click()
      await eve.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" })
      await eve.getByRole("button", { name: "Send" }).waitFor()
      holding.open()
      await begin(finn, "Good morning")
      await finn.getByText("Hello. Tell me what shall be done.").waitFor()

      // An image is shown to the model, another file lies in the workspace; one that was removed is not sent.
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
      const asked = world.model.bodies.findLast((body) => body.includes("Look at these")) ?? ""
      assert.include(asked, pixel.toString("base64"))
      assert.include(asked, "list.txt")
      assert.notInclude(asked, "wrong.txt")

      const rows = (page: Page) => page.locator(".side .session-title").allInnerTexts()
      await eve.reload()
      await eve.locator(".side .session-title").first().waitFor()
      assert.deepStrictEqual([await rows(eve), await rows(finn)], [["Hold on"], ["Good morning"]])
      await finn.goto(eve.url())
      await finn.reload()
      await finn.locator("#main").getByRole("alert").waitFor()
      assert.notInclude(await finn.locator("#main").innerText(), "hold on")
      await Promise.all([eve.context().close(), finn.context().close()])
    },
    2 * minutes
  )

  it(
    "is used by keyboard alone",
    async () => {
      const page = await signIn("acme/gwen")
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
    },
    2 * minutes
  )

  it(
    "fits a phone, and has no violation of axe on any screen, light or dark",
    async () => {
      const found: Array<string> = []
      for (const colorScheme of ["light", "dark"] as const) {
        const check = async (page: Page, screen: string): Promise<void> => {
          const faults = await PageWorld.violations(page)
          found.push(...faults.map((fault) => `${colorScheme} ${screen}: ${fault}`))
          const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
          if (overflow > 0) found.push(`${colorScheme} ${screen}: ${overflow} px too wide`)
        }
        const page = await world.newPage({ colorScheme })
        await page.goto("/")
        await page.getByLabel("Token").waitFor()
        await check(page, "sign-in")
        await page.goto(await world.link(`acme/hal-${colorScheme}`))
        await page.locator("#composer").waitFor()
        await check(page, "start")
        await begin(page, "Prepare the release")
        await card(page).waitFor()
        await check(page, "session")
        await page.keyboard.press("Control+k")
        await page.getByRole("dialog").waitFor()
        await check(page, "commands")
        await page.keyboard.press("Escape")
        await page.goto("/#/approvals")
        await card(page).getByRole("button", { name: "Deny…" }).click()
        await check(page, "approvals")
        for (const [path, heading] of screens) {
          await page.goto(`/#/${path}`)
          await page.getByRole("heading", { name: heading, level: 1 }).waitFor()
          await page.locator("#main").locator(".rows li, .bars, .muted").first().waitFor()
          await check(page, path)
        }
        await page.locator(".side").getByRole("link", { name: "Prepare the release" }).click()
        await page.setViewportSize({ width: 390, height: 780 })
        await card(page).waitFor()
        await check(page, "phone")
        assert.strictEqual(await page.evaluate<number>(PageWorld.linesOfTimeLeft), 1)
        await page.getByRole("button", { name: "Tree and details" }).click()
        await page.getByRole("dialog").waitFor()
        await check(page, "phone tree")
        await page.getByRole("dialog").getByRole("tab", { name: "Changed files" }).click()
        await page.getByRole("dialog").locator('[data-path="notes.md"] summary').click()
        await check(page, "phone changes")
        await page.keyboard.press("Escape")
        await page.getByRole("button", { name: "Menu" }).click()
        await page.getByRole("dialog").getByRole("link", { name: "Prepare the release" }).waitFor()
        await check(page, "phone menu")
        await page.context().close()
      }
      assert.deepStrictEqual(found, [])
    },
    3 * minutes
  )

  it("told the console of no error, and reached nothing but its gateway", () => {
    assert.deepStrictEqual(unexpected(world.faults), [])
  })
})
