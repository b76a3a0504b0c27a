/**
 * Takes the pictures of the documents: `node apps/gateway/test/page/screenshots.ts`. Look at them before you commit
 * them.
 */
import { mkdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import * as PageWorld from "./PageWorld.ts"
import { story } from "./Story.ts"

const folder = fileURLToPath(new URL("../../../../docs/page", import.meta.url))
mkdirSync(folder, { recursive: true })

const world = await PageWorld.open(story())

const take = async (colorScheme: "light" | "dark"): Promise<void> => {
  const shot = (page: Page, name: string) => page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` })
  const page = await world.newPage({ colorScheme, viewport: { width: 1200, height: 760 } })
  await page.goto("/")
  await page.getByLabel("Token").waitFor()
  await shot(page, "sign-in")
  await page.goto(await world.link(`acme/ada-${colorScheme}`))
  for (const first of ["Delete the draft", "Prepare the release"]) {
    await page.getByLabel("First message").fill(first)
    await page.keyboard.press("Enter")
    await page.locator("#main").getByRole("article").waitFor()
    if (first === "Delete the draft") await page.locator(".side").getByRole("link", { name: "New" }).click()
  }
  await page.locator('.session > .panel [data-state="asks you"]').waitFor()
  await page.locator('[data-tool="edit_file"] summary').click()
  await page.locator('[data-tool="edit_file"]').scrollIntoViewIfNeeded()
  await shot(page, "session")
  const session = page.url()
  await page.goto("/#/approvals")
  await page.getByRole("article").nth(1).waitFor()
  await shot(page, "approvals")
  await page.keyboard.press("Control+k")
  await page.locator("[cmdk-input]:focus").waitFor()
  await shot(page, "commands")
  await page.keyboard.press("Escape")
  for (const screen of ["usage", "tools", "tokens"]) {
    await page.goto(`/#/${screen}`)
    await page.locator(".rows li, .bars").first().waitFor()
    await shot(page, screen)
  }
  await page.setViewportSize({ width: 390, height: 760 })
  await page.goto(session)
  await page.locator("#main").getByRole("article").waitFor()
  await shot(page, "phone")
  await page.context().close()
}

await take("light")
await take("dark")
await world.close()
