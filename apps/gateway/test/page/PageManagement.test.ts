/** Notes, usage, colours, titles, and the states of a screen before and without its data, in a real browser. */
import { assert, describe, it } from "@effect/vitest"
import { requires } from "../../../../test/requirements.ts"
import { thoroughOnly } from "../../../../test/thorough.ts"
import type { Answer } from "../../../cli/test/program/ModelServer.ts"
import { openWorld } from "./openWorld.ts"
import { begin, openCommands, signIn, unexpected } from "./PageSteps.ts"
import { story } from "./Story.ts"

const chromium = requires("chromium")

const save = (content: string) => ({ name: "save_memory", arguments: { content, kind: "preference" } })

const remember = (step: number): Answer =>
  step < 1
    ? { text: "", calls: [save("Ida prefers tabs."), save("The billing service listens on port 4000.")] }
    : { text: "I remember both.", usage: { inputTokens: 12_000, outputTokens: 345 } }

const world = openWorld(
  story({ answers: (said, step) => (said.includes("Remember two things") ? remember(step) : null) })
)

describe.skipIf(chromium.skip)(`the management of the page${chromium.suffix}`, thoroughOnly, () => {
  it("finds, edits and deletes notes, and sums up usage", async () => {
    const page = await signIn(world, "acme/ida")
    await begin(page, "Remember two things")
    await page.getByText("I remember both.").waitFor()
    await page.goto("/#/notes")
    const notes = page.locator("#main .rows li")
    await notes.nth(1).waitFor()
    await page.getByPlaceholder("Search notes").fill("billing")
    await notes.nth(1).waitFor({ state: "detached" })
    await notes.getByText("The billing service listens on port 4000.").waitFor()
    await notes.getByRole("button", { name: "Edit" }).click()
    await page.getByLabel("Text of the note").fill("The billing service listens on port 5000.")
    await page.getByRole("button", { name: "Save" }).click()
    await notes.getByText("The billing service listens on port 5000.").waitFor()
    await notes.getByRole("button", { name: "Delete" }).click()
    await page.getByText("No note has these words.").waitFor()
    await page.getByPlaceholder("Search notes").fill("")
    await notes.getByText("Ida prefers tabs.").waitFor()
    // The list that was read before the deletion is shown until it has been read again.
    await notes.nth(1).waitFor({ state: "detached" })

    await page.goto("/#/usage")
    const row = page.locator("#main tbody tr")
    const today = new Date().toISOString().slice(0, 10)
    assert.match(await row.innerText(), new RegExp(`${today}\\s+12.4k\\s+2\\s`, "u"))
    await page.getByRole("tab", { name: "By model" }).click()
    assert.match(await row.innerText(), /openai-compatible\/scripted/u)
    await page.getByRole("tab", { name: "By session" }).click()
    await row.getByRole("link", { name: "Remember two things" }).waitFor()
    // The title of a session that is not among the newest ones is read by itself.
    await page.route("**/api/v1/sessions?limit=100", (route) => route.fulfill({ json: { items: [], next: null } }))
    await page.reload()
    await page.getByRole("tab", { name: "By session" }).click()
    await row.getByRole("link", { name: "Remember two things" }).click()
    await page.getByText("I remember both.").waitFor()
    await page.context().close()
  })

  it("has the colours that the user chooses, and a title for each screen", async () => {
    const page = await signIn(world, "acme/otto", { colorScheme: "light" })
    const ink = () => page.evaluate<string>("getComputedStyle(document.body).color")
    const light = await ink()
    assert.strictEqual(await page.title(), "New session · Bough")
    await openCommands(page)
    await page.keyboard.type("Dark colours")
    await page.getByRole("option", { name: "Dark colours", selected: true }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    const dark = await ink()
    assert.notStrictEqual(dark, light)
    await page.goto("/#/usage")
    await page.reload()
    await page.getByText("No model has been called yet.").waitFor()
    assert.deepStrictEqual([await page.title(), await ink()], ["Usage · Bough", dark])
    await page.context().close()
  })

  it("says that a screen is loading, and what failed, and needs no reload after that", async () => {
    const page = await signIn(world, "acme/pia")
    const answered = Promise.withResolvers<void>()
    const usage = "**/api/v1/usage"
    await page.route(usage, async (route) => {
      await answered.promise
      await route.fulfill({ status: 404, json: { status: 404, title: "The store is closed" } })
    })
    await page.goto("/#/usage")
    await page.locator("#main").getByText("Loading…").waitFor()
    answered.resolve()
    await page.locator("#main").getByRole("alert").getByText("The store is closed").waitFor()
    assert.strictEqual(await page.locator("#main").getByText("Loading…").count(), 0)
    await page.unroute(usage)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("No model has been called yet.").waitFor()
    assert.strictEqual(await page.locator("#main").getByRole("alert").count(), 0)
    await page.context().close()
  })

  it("keeps the focus on the screen when its address changes", async () => {
    const page = await signIn(world, "acme/kay")
    await begin(page, "Good morning")
    await page.getByText("Hello. Tell me what shall be done.").waitFor()
    await page.locator("#composer:focus").waitFor()
    await page.keyboard.type("And again")
    await page.keyboard.press("Enter")
    await page.locator(".item-text").nth(1).waitFor()
    await openCommands(page)
    await page.keyboard.type("Usage")
    await page.getByRole("option", { name: "Usage", selected: true }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor()
    // The window of the commands is closed, so the next Tab reaches the screen, not the first link of the page.
    await page.locator("#main:focus").waitFor()
    await page.getByRole("tab", { name: "By day" }).waitFor()
    await page.keyboard.press("Tab")
    assert.strictEqual(await page.locator(":focus").innerText(), "By day")
    await page.context().close()
  })

  it("logged no error to the console, and reached only its gateway", () => {
    assert.deepStrictEqual(unexpected(world.faults), [])
  })
})
