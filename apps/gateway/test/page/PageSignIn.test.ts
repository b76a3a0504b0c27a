/** Signing in to the page in a real browser, below a proxy too, and the servers that it contacts. */
import { assert, describe, it } from "@effect/vitest"
import { requires } from "../../../../test/requirements.ts"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { openWorld } from "./openWorld.ts"
import { begin, unexpected } from "./PageSteps.ts"
import { story } from "./Story.ts"

const chromium = requires("chromium")

const world = openWorld(story(), { hasProvider: true })

describe.skipIf(chromium.skip)(`the page at sign-in${chromium.suffix}`, thoroughOnly, () => {
  it("signs in by a link that works once, or by a token, and out again", async () => {
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
  })

  it("works below a path prefix, behind a reverse proxy", async () => {
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
  })

  it("signs in at a provider, which returns to the page below its prefix", async () => {
    await world.token("acme/ann")
    const page = await world.newPage({ extraHTTPHeaders: { "x-account": "carol" } })
    await page.goto(`${world.proxyUrl}/`)
    await page.getByRole("button", { name: "Sign in with Example" }).click()
    await page.locator("#composer").waitFor()
    assert.strictEqual(page.url(), `${world.proxyUrl}/`)
    await page.getByRole("button", { name: "carol", exact: true }).waitFor()
    const other = await world.newPage({ extraHTTPHeaders: { "x-account": "denied" } })
    await other.goto(`${world.proxyUrl}/`)
    await other.getByRole("button", { name: "Sign in with Example" }).click()
    await other.getByLabel("Token").waitFor()
    assert.strictEqual(await other.locator("#composer").count(), 0)
    await Promise.all([page.context().close(), other.context().close()])
  })

  it("contacts only its own server, whatever the address says", async () => {
    const page = await world.newPage()
    const requested: Array<string> = []
    page.on("request", (request) => void requested.push(request.url()))
    page.on("websocket", (socket) => void requested.push(socket.url()))
    await page.goto(await world.link("acme/mona"))
    await page.locator("#composer").waitFor()
    for (const query of ["gatewayUrl=ws://evil.test", "baseUrl=http://evil.test/&token=x", "redirect=//evil.test"]) {
      await page.goto(`/?${query}`)
      await page.locator("#composer").waitFor()
      await page.goto(`/?${query}#/sessions/https:%2f%2fevil.test`)
      await page.locator("#main").getByRole("alert").waitFor()
    }
    assert.deepStrictEqual(
      requested.filter((url) => !url.startsWith(`${world.gateway.url}/`)),
      []
    )
    await page.context().close()
  })

  it("logged no error to the console, and reached only its gateway", () => {
    assert.deepStrictEqual(unexpected(world.faults), [])
  })
})
