/** Steps of a user on the page, for its tests. */
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import type { Download, Page } from "playwright-core"
import * as PageWorld from "./PageWorld.ts"

export const signIn = async (
  world: PageWorld.PageWorld,
  name: string,
  options?: Parameters<PageWorld.PageWorld["newPage"]>[0]
): Promise<Page> => {
  const page = await world.newPage(options)
  await page.goto(await world.link(name))
  await page.locator("#composer").waitFor()
  return page
}

export const begin = async (page: Page, words: string): Promise<void> => {
  await page.getByLabel("First message").fill(words)
  await page.keyboard.press("Enter")
  await page.waitForURL(/#\/sessions\//u)
  await page.locator(".item-user", { hasText: words }).waitFor()
}

/** Opens the command palette by its keys, and waits until it accepts input. */
export const openCommands = async (page: Page): Promise<void> => {
  await page.getByRole("dialog").waitFor({ state: "detached" })
  await page.keyboard.press("Control+k")
  await page.locator("[cmdk-input]:focus").waitFor()
}

/**
 * Waits until an expression of the page is true. Playwright's own wait evaluates its text in the page again and again,
 * which the content security policy of the page refuses after the first time.
 */
export const until = async (page: Page, expression: string): Promise<void> => {
  while ((await page.evaluate<unknown>(expression)) !== true) await sleep(20)
}

export const card = (page: Page) => page.locator("#main").getByRole("article")

export const call = (page: Page, tool: string, status: string) =>
  page.locator(`[data-tool="${tool}"][data-status="${status}"]`)

/** Drops the errors that the browser logs for refusals of the server and for lost connections, which tests provoke. */
export const unexpected = (faults: ReadonlyArray<string>) =>
  faults.filter((fault) => !/status of (?:401|404)|net::ERR_(?:INTERNET_DISCONNECTED|FAILED)/u.test(fault))

/** The file's text. The browser runs in another process, so the file has no path here. */
export const contentOf = async (download: Download): Promise<string> => text(await download.createReadStream())
