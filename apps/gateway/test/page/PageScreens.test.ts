/** Every screen of the page in a real browser: at phone width, light and dark, checked by axe. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { requires } from "../../../../test/requirements.ts"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { openWorld } from "./openWorld.ts"
import { begin, card, signIn, unexpected } from "./PageSteps.ts"
import * as PageWorld from "./PageWorld.ts"
import { story } from "./Story.ts"

const chromium = requires("chromium")

const screens = [
  ["notes", "Notes"],
  ["usage", "Usage"],
  ["tools", "Tools and agents"],
  ["rules", "Rules"],
  ["tokens", "Tokens"],
  ["tenants", "Tenants"],
  ["audit", "Audit log"]
] as const

const world = openWorld(story())

describe.skipIf(chromium.skip)(`the screens of the page${chromium.suffix}`, thoroughOnly, () => {
  it("fits a phone, and has no violation of axe on any screen, light or dark", async () => {
    const found: Array<string> = []
    for (const colorScheme of ["light", "dark"] as const) {
      const check = async (page: Page, screen: string): Promise<void> => {
        // In the dark only the colours differ.
        const faults = await PageWorld.violations(
          page,
          colorScheme === "dark" ? ["color-contrast", "link-in-text-block"] : undefined
        )
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
  })

  it("list the administrative acts of a tenant to its admins", async () => {
    const page = await signIn(world, "acme/nils")
    await page.goto("/#/audit")
    await page.getByText("user.added", { exact: true }).first().waitFor()
    assert.match(await page.locator(".audit").first().innerText(), /session\.signed-in|acme\/nils/u)
    await page.context().close()
  })

  it("logged no error to the console, and reached only its gateway", () => {
    assert.deepStrictEqual(unexpected(world.faults), [])
  })
})
