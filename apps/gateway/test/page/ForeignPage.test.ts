/** The client package in a page of another origin, in a real browser: one that the gateway allows, and one that it does not. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Page } from "playwright-core"
import type * as Client from "../../../../packages/client/src/index.ts"
import { requires } from "../../../../test/requirements.ts"
import { thoroughOnly } from "../../../../test/thorough.ts"
import * as ForeignSite from "./ForeignSite.ts"
import { openWorld } from "./openWorld.ts"
import { until } from "./PageSteps.ts"
import { story } from "./Story.ts"

const chromium = requires("chromium")

let allowed: ForeignSite.ForeignSite
let other: ForeignSite.ForeignSite

beforeAll(async () => {
  allowed = await ForeignSite.start()
  other = await ForeignSite.start()
})

afterAll(() => Promise.all([allowed.close(), other.close()]))

const world = openWorld(story(), {
  get allowedOrigins() {
    return [allowed.origin]
  }
})

interface Credentials {
  readonly baseUrl: string
  readonly token: string
}

/** In the page: a conversation of one turn, and the gateway's data about it afterwards. */
const converse = async ({ baseUrl, token }: Credentials) => {
  const { connect, dataOf } = (globalThis as unknown as { readonly client: typeof Client }).client // set by the page of ForeignSite
  const gateway = connect({ baseUrl, token })
  const { id } = await dataOf(gateway.api.POST("/api/v1/sessions", { body: {} }))
  const path = { sessionId: id }
  const frames = gateway.events(id)
  const body = { text: "Good evening" }
  await dataOf(gateway.api.POST("/api/v1/sessions/{sessionId}/messages", { params: { path }, body }))
  let output = ""
  for await (const frame of frames) {
    if (frame._tag === "TurnEnded") {
      output = frame.text
      break
    }
  }
  const got = await gateway.api.GET("/api/v1/sessions/{sessionId}", { params: { path } })
  const header = { "if-match": got.response.headers.get("etag") ?? "" }
  const renamed = await dataOf(
    gateway.api.PATCH("/api/v1/sessions/{sessionId}", {
      params: { path, header },
      body: { title: "From another site" }
    })
  )
  const missing = await gateway.api.GET("/api/v1/sessions/{sessionId}", { params: { path: { sessionId: "ses_none" } } })
  return { said: output, title: renamed.title, missing: missing.error?.code }
}

/** In the page: the result of each way to reach the gateway. */
const attempts = async ({ baseUrl, token }: Credentials) => {
  const { connect, dataOf } = (globalThis as unknown as { readonly client: typeof Client }).client // set by the page of ForeignSite
  const outcome = (attempt: Promise<unknown>) =>
    attempt.then(
      () => "answered",
      (error: unknown) => (error instanceof Error ? error.message : "thrown")
    )
  const url = `${baseUrl}/api/v1/sessions`
  const gateway = connect({ baseUrl, token, retries: 0 })
  return {
    list: await outcome(dataOf(gateway.api.GET("/api/v1/sessions"))),
    create: await outcome(dataOf(gateway.api.POST("/api/v1/sessions", { body: {} }))),
    byCookie: await outcome(fetch(url, { credentials: "include" })),
    // A request that a browser sends without a preflight, which must have no effect.
    unasked: await outcome(fetch(url, { method: "POST", mode: "no-cors", credentials: "include", body: "{}" }))
  }
}

const sessionsOf = async (token: string) =>
  (await Effect.runPromise(world.gateway.request("/api/v1/sessions", { token }))).json.items as ReadonlyArray<{
    readonly title: string
  }>

const visit = async (page: Page, { origin }: ForeignSite.ForeignSite): Promise<void> => {
  await page.goto(`${origin}/`)
  await until(page, "'client' in globalThis")
}

describe.skipIf(chromium.skip)(`a page of another site${chromium.suffix}`, thoroughOnly, () => {
  it("talks to the gateway with a token, if its origin is allowed", async () => {
    const token = await world.token("acme/fay")
    const page = await world.newPage()
    await visit(page, allowed)
    const found = await page.evaluate(converse, { baseUrl: world.gateway.url, token })
    assert.deepStrictEqual(found, {
      said: "Hello. Tell me what shall be done.",
      title: "From another site",
      missing: "not_found"
    })
    assert.deepStrictEqual(
      (await sessionsOf(token)).map(({ title }) => title),
      ["From another site"]
    )
    await page.context().close()
  })

  it("reaches nothing by a cookie of the gateway's own page, even if its origin is allowed", async () => {
    const token = await world.token("acme/gil")
    const page = await world.newPage()
    await page.goto(await world.link("acme/gil"))
    await page.locator("#composer").waitFor()
    await visit(page, allowed)
    const { byCookie, unasked } = await page.evaluate(attempts, { baseUrl: world.gateway.url, token: "none" })
    assert.deepStrictEqual({ byCookie, unasked }, { byCookie: "Failed to fetch", unasked: "Failed to fetch" })
    assert.deepStrictEqual(await sessionsOf(token), [])
    await page.context().close()
  })

  it("reaches nothing from an origin that is not allowed, with a token or a cookie", async () => {
    const token = await world.token("acme/hal")
    const page = await world.newPage()
    await page.goto(await world.link("acme/hal"))
    await page.locator("#composer").waitFor()
    await visit(page, other)
    assert.deepStrictEqual(await page.evaluate(attempts, { baseUrl: world.gateway.url, token }), {
      list: "the gateway cannot be reached",
      create: "the gateway cannot be reached",
      byCookie: "Failed to fetch",
      unasked: "Failed to fetch"
    })
    assert.deepStrictEqual(await sessionsOf(token), [])
    await page.context().close()
  })
})
