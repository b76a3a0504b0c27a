/** Starting, finding and telling apart sessions on the page, and its tokens, in a real browser. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { requires } from "../../../../test/requirements.ts"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { tar } from "../archives.ts"
import { upload } from "../Files.ts"
import * as Gateway from "../Gateway.ts"
import { openWorld } from "./openWorld.ts"
import { begin, card, openCommands, signIn, unexpected } from "./PageSteps.ts"
import * as PageWorld from "./PageWorld.ts"
import { story } from "./Story.ts"

const chromium = requires("chromium")

const reviewer = `---
name: reviewer
description: Reviews changes
tools: [read_file, list_files]
---
Only read, and list what is wrong.
`

const world = openWorld(story(), { hostName: "bough.test" })

describe.skipIf(chromium.skip)(`the page for new sessions${chromium.suffix}`, thoroughOnly, () => {
  it("works on a host without a secure connection", async () => {
    const page = await world.newPage()
    await page.goto(`${world.proxyUrl}${await world.link("acme/lan")}`)
    await page.locator("#composer").waitFor()
    assert.isFalse(await page.evaluate<boolean>("isSecureContext"))
    await begin(page, "Good morning")
    await page.getByText("Hello. Tell me what shall be done.").waitFor()
    await page.getByLabel("Message", { exact: true }).fill("And again")
    await page.keyboard.press("Enter")
    await page.locator(".item-text").nth(1).waitFor()
    await page.context().close()
  })

  it("starts a session with the chosen model", async () => {
    const page = await signIn(world, "acme/mia")
    await page.getByLabel("Model").selectOption("offline/planner")
    await begin(page, "what time is it")
    const facts = page.locator(".session-header .facts", { hasText: "offline/planner" })
    await facts.waitFor()
    assert.notInclude(await facts.innerText(), "scripted")
    await page.context().close()
  })

  it("uses the session that it has made if the first message did not arrive", async () => {
    const page = await signIn(world, "acme/tom")
    const messages = "**/api/v1/sessions/*/messages"
    await page.route(messages, (route) => route.fulfill({ status: 404, json: { status: 404, title: "Not Found" } }))
    await page.getByLabel("First message").fill("Good morning")
    await page.keyboard.press("Enter")
    await page.locator("#main").getByRole("alert").waitFor()
    await page.unroute(messages)
    await page.getByRole("button", { name: "Start" }).click()
    await page.getByText("Hello. Tell me what shall be done.").waitFor()
    const token = await world.token("acme/tom")
    const { json } = await Effect.runPromise(world.gateway.request("/api/v1/sessions", { token }))
    assert.lengthOf(json.items, 1)
    await page.context().close()
  })

  it("finds sessions by words of their messages, also beyond the listed ones", async () => {
    const page = await signIn(world, "acme/una")
    const token = await world.token("acme/una")
    const makeUntitled = world.gateway.request("/api/v1/sessions", { token, body: {} })
    const make = (title: string) =>
      Effect.flatMap(makeUntitled, ({ json: { id } }) =>
        world.gateway.request(`/api/v1/sessions/${id}`, { token, method: "PATCH", body: { title } })
      )
    await Effect.runPromise(make("The hidden orchard"))
    // The list has the newest hundred.
    await Effect.runPromise(Effect.forEach(Array.from({ length: 100 }), () => makeUntitled, { concurrency: 8 }))
    await Effect.runPromise(make("filler"))
    await begin(page, "Describe a zeppelin to me, please")
    await page.getByText("Hello. Tell me what shall be done.").waitFor()
    await page.locator(".side .session-title", { hasText: "filler" }).waitFor()
    assert.strictEqual(await page.locator(".side").getByText("The hidden orchard").count(), 0)
    await page.locator(".side").getByRole("button", { name: "Older sessions" }).click()
    await page.locator(".side").getByRole("link", { name: "The hidden orchard" }).waitFor()
    await openCommands(page)
    await page.keyboard.type("hidden orch")
    await page.getByRole("option", { name: "The hidden orchard", selected: true }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "The hidden orchard", level: 1 }).waitFor()
    const search = page.locator(".side").getByPlaceholder("Search sessions")
    await search.fill("hidden orch")
    await page.locator(".side").getByRole("link", { name: "The hidden orchard" }).waitFor()
    await search.fill("tell me what shall")
    await page.locator(".side .hit-text", { hasText: "Hello. Tell me what shall be done." }).waitFor()
    assert.strictEqual(await page.locator(".side .hit").count(), 1)
    await page.context().close()
  })

  it("shows which session asks, and what the tool of an approval does", async () => {
    const page = await signIn(world, "acme/vic")
    await begin(page, "Prepare the release")
    await card(page).waitFor()
    await page.locator(".side li", { hasText: "asks you" }).getByText("Prepare the release").waitFor()
    // The child of the Main waits for a child of its own.
    await page
      .locator(".child", { hasText: "Clean up what is left over" })
      .getByText("waits", { exact: true })
      .waitFor()
    await page.locator(".child", { hasText: "Check the changelog" }).getByText("completed").waitFor()
    await card(page).getByText("About this tool").click()
    const about = card(page).locator(".about-tool")
    await about.getByText("It changes files of the workspace.").waitFor()
    assert.match(await about.innerText(), /path/u)
    assert.deepStrictEqual(await PageWorld.violations(page), [])
    await page.context().close()
  })

  it("makes tokens that can neither decide nor manage unless the user says so", async () => {
    const page = await signIn(world, "acme/wes")
    await page.goto("/#/tokens")
    const create = async (name: string) => {
      await page.getByLabel("Name of the new token").fill(name)
      await page.getByRole("button", { name: "Create" }).click()
      return page.locator(".row-line", { has: page.getByText(name, { exact: true }) }).innerText()
    }
    assert.match(await create("laptop"), /read · chat · made just now · expires in (?:29|30) d/u)
    await page.getByLabel("approve").check()
    await page.getByLabel("chat").uncheck()
    await page.getByLabel("Lifetime").selectOption("0")
    assert.match(await create("phone"), /read · approve · made just now · does not expire/u)
    await page.setViewportSize({ width: 390, height: 780 })
    assert.isAtMost(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth"), 0)
    assert.deepStrictEqual(await PageWorld.violations(page), [])
    await page.context().close()
  })

  it("adds a user, whose link signs in once, and removes the user at once", async () => {
    const page = await signIn(world, "guild/root")
    await page.goto("/#/tenants")
    const tenant = page.getByRole("region", { name: "Tenant guild" })
    await tenant.getByText("sessions: 0").waitFor()
    assert.strictEqual(await tenant.getByRole("button", { name: "Remove root…" }).count(), 0)
    await tenant.getByText("Add a user").click()
    await tenant.getByLabel("Id of the new user in guild").fill("pia")
    await tenant.getByRole("button", { name: "Add", exact: true }).click()
    const link = await tenant.locator("pre").innerText()
    const pia = await world.newPage()
    await pia.goto(link)
    await pia.locator("#composer").waitFor()
    // An invited user can decide approvals, but cannot manage users.
    assert.strictEqual(await pia.locator(".side").getByRole("link", { name: "Tenants" }).count(), 0)
    await begin(pia, "Good morning")
    assert.deepStrictEqual(await PageWorld.violations(page), [])
    await page.setViewportSize({ width: 390, height: 780 })
    assert.isAtMost(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth"), 0)
    await tenant.getByRole("button", { name: "Remove pia…" }).click()
    await tenant.getByRole("button", { name: "Remove pia for good" }).click()
    await tenant.getByText("pia", { exact: true }).waitFor({ state: "detached" })
    await pia.goto("/")
    await pia.reload()
    await pia.getByLabel("Token").waitFor()
    await Promise.all([page.context().close(), pia.context().close()])
  })

  it("starts a session in the workspace of another one, with the agents of its files", async () => {
    const page = await signIn(world, "acme/vera")
    const token = await world.token("acme/vera")
    assert.strictEqual(await page.getByLabel("Workspace").count(), 0)
    const archive = tar([{ name: ".bough/agents/reviewer.md", content: reviewer }])
    const made = await Effect.runPromise(upload(world.gateway, "/api/v1/workspaces", { token, body: archive }))
    await page.reload()
    await page.getByLabel("Workspace").selectOption(made.json.id)
    await page.getByLabel("Agent").selectOption("reviewer")
    await begin(page, "Good morning")
    await page.getByText("Hello. Tell me what shall be done.").waitFor()
    const [session] = (await Effect.runPromise(world.gateway.request("/api/v1/sessions", { token }))).json.items
    assert.deepInclude(session, { workspaceId: made.json.id, agent: "reviewer" })
    assert.deepStrictEqual(await PageWorld.violations(page), [])
    await page.context().close()
  })

  it("adds tenants and changes their quotas for operators, and offers neither to other admins", async () => {
    const other = await signIn(world, "kiln/kim")
    await other.goto("/#/tenants")
    await other.getByRole("region", { name: "Tenant kiln" }).getByText("sessions: 0").waitFor()
    assert.strictEqual(await other.getByRole("button", { name: "Add a tenant" }).count(), 0)
    assert.strictEqual(await other.getByText("Change the quotas").count(), 0)
    const page = await world.newPage()
    await page.goto("/")
    await page.getByLabel("Token").fill(await Effect.runPromise(Gateway.operator(world.gateway)))
    await page.keyboard.press("Enter")
    await page.locator("#composer").waitFor()
    await page.goto("/#/tenants")
    await page.getByLabel("Id of the new tenant").fill("bakery")
    await page.getByRole("button", { name: "Add a tenant" }).click()
    const bakery = page.getByRole("region", { name: "Tenant bakery" })
    await bakery.getByText("Change the quotas").click()
    await bakery.getByRole("textbox", { name: "Sessions" }).fill("1.5")
    assert.isTrue(await bakery.getByRole("button", { name: "Save the quotas" }).isDisabled())
    await bakery.getByRole("textbox", { name: "Sessions" }).fill("12")
    await bakery.getByLabel("Dollars a day").fill("2.50")
    await bakery.getByLabel("Storage in MiB").fill("3")
    await bakery.getByRole("button", { name: "Save the quotas" }).click()
    await bakery.getByText("sessions: 0 of 12").waitFor()
    await bakery.getByText("money today: $0.00 of $2.50").waitFor()
    await bakery.getByText("storage: 0 B of 3.0 MiB").waitFor()
    // An emptied field removes its limit, and the other limits stay.
    await bakery.getByRole("textbox", { name: "Sessions" }).fill("")
    await bakery.getByRole("button", { name: "Save the quotas" }).click()
    await bakery.getByText("sessions: 0", { exact: true }).waitFor()
    await bakery.getByText("money today: $0.00 of $2.50").waitFor()
    assert.deepStrictEqual(await PageWorld.violations(page), [])
    await page.setViewportSize({ width: 390, height: 780 })
    assert.isAtMost(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth"), 0)
    await Promise.all([page.context().close(), other.context().close()])
  })

  it("logged no error to the console, and reached only its gateway", () => {
    assert.deepStrictEqual(unexpected(world.faults), [])
  })
})
