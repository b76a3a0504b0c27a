/** The API reference in a browser, as the gateway serves it and below a path prefix. */
import { Reference } from "@bough/gateway-api"
import { assert, describe, it } from "@effect/vitest"
import { requires } from "../../../../test/requirements.ts"
import { thoroughOnly } from "../../../../test/thorough.ts"
import * as ReferencePage from "../../src/page/ReferencePage.ts"
import * as PageWorld from "./PageWorld.ts"

const chromium = requires("chromium")

describe("the reference", () => {
  it.skipIf(chromium.skip)(
    `shows every operation and schema without a script, and is accessible in light and dark, wide and narrow${chromium.suffix}`,
    thoroughOnly,
    async () => {
      const world = await PageWorld.open([])
      try {
        const { groups, schemas } = Reference.make()
        for (const [colorScheme, width] of [
          ["light", 1280],
          ["dark", 390]
        ] as const) {
          const page = await world.newPage({ colorScheme, viewport: { width, height: 800 } })
          await page.goto(`${world.proxyUrl}/reference`)
          const operations = groups.flatMap(({ operations }) => operations)
          assert.isAbove(operations.length, 60)
          assert.strictEqual(await page.locator(".operation").count(), operations.length)
          assert.strictEqual(await page.locator(".schema").count(), schemas.length)
          assert.strictEqual(await page.locator("script").count(), 0)
          if (process.env["BOUGH_PICTURES"] !== undefined)
            await page.screenshot({ path: `${process.env["BOUGH_PICTURES"]}/reference-${colorScheme}.png` })
          const broken = await page.evaluate(
            `[...document.querySelectorAll('a[href^="#"]')].filter((a) => document.getElementById(a.hash.slice(1)) === null).map((a) => a.hash)`
          )
          assert.deepStrictEqual(broken, [])
          assert.isTrue(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
          // The page repeats few kinds of elements: one of each stays, since axe examines every element.
          await page.evaluate(
            `for (const kind of [".operation", ".schema"]) [...document.querySelectorAll(kind)].slice(4).forEach((each) => each.remove());
             document.querySelectorAll('main a[href^="#"]').forEach((link) => { if (!document.getElementById(link.hash.slice(1))) link.remove() })`
          )
          assert.deepStrictEqual(await PageWorld.violations(page), [])
          await page.getByRole("link", { name: "OpenAPI 3.1" }).click()
          await page.waitForURL(`${world.proxyUrl}/openapi.json`)
        }
        assert.deepStrictEqual(world.faults, [])
      } finally {
        await world.close()
      }
    }
  )

  it("shows text of the definition as text", () => {
    const name = '<img src=x onerror=alert(1)>&"'
    const written = ReferencePage.make({
      limits: [],
      groups: [],
      schemas: [{ name, fields: [], options: [], type: [{ text: name, as: "code" }] }]
    })
    assert.notInclude(written, "<img")
    assert.include(written, "&#60;img src=x onerror=alert(1)&#62;&#38;&#34;")
  })
})
