/** The page in a real browser, once from its link to an approval. The other tests of the page vary this one. */
import { assert, describe, it } from "@effect/vitest"
import { requires } from "../../../../test/requirements.ts"
import { openWorld } from "./openWorld.ts"
import { begin, call, card, signIn, unexpected } from "./PageSteps.ts"
import { story } from "./Story.ts"

const chromium = requires("chromium")

const world = openWorld(story())

describe.skipIf(chromium.skip)(`the page${chromium.suffix}`, () => {
  it("signs in by a link, shows an answer and the preview of an approval, and sends the decision", async () => {
    const page = await signIn(world, "acme/ada")
    await begin(page, "Delete the draft")
    const preview = card(page).getByRole("region", { name: "Preview" })
    assert.include(await preview.innerText(), "draft.md")
    await card(page).getByRole("button", { name: "Approve once" }).click()
    await call(page, "delete_path", "ended").waitFor()
    assert.strictEqual(await call(page, "delete_path", "ended").getByText("denied", { exact: true }).count(), 0)
    await page.locator(".item-text").getByText("I leave it as it is decided.").waitFor()
    await card(page).waitFor({ state: "detached" })
    await page.context().close()
    assert.deepStrictEqual(unexpected(world.faults), [])
  })
})
