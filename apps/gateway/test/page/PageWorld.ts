/** A gateway that really listens, a scripted model behind a real wire protocol, and the browser for tests of the page. */
import { ChildProcess } from "@bough/testing"
import type axe from "axe-core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { type ModelServer, type Script, withModel } from "../../../cli/test/program/ModelServer.ts"
import { Accounts } from "../../src/accounts/Accounts.ts"
import { commandLine } from "../../src/accounts/AuditLog.ts"
import { TenantId, UserId } from "../../src/accounts/Principal.ts"
import * as Gateway from "../Gateway.ts"
import * as PrefixProxy from "./PrefixProxy.ts"
import * as SharedBrowser from "./SharedBrowser.ts"

export interface PageWorld {
  readonly browser: Browser
  /** The gateway that serves now. */
  readonly gateway: Gateway.Gateway
  /** The address of the same gateway below a path prefix, behind a reverse proxy. */
  readonly proxyUrl: string
  readonly model: ModelServer
  /** Errors that pages logged to the console, and their requests beyond the gateway. */
  readonly faults: ReadonlyArray<string>
  /** A page in a context of its own, with cookies of its own. */
  readonly newPage: (options?: BrowserContextOptions) => Promise<Page>
  /** Another tab of the same user. */
  readonly newTab: (page: Page) => Promise<Page>
  readonly token: (name: string) => Promise<string>
  /** Ends the gateway in order, and starts another one on its data, behind the same proxy. */
  readonly restart: () => Promise<void>
  /** The path of a one-time link. */
  readonly link: (name: string) => Promise<string>
  readonly close: () => Promise<void>
}

/** Snapshots hold every file here, so that a deletion would need no approval. */
const config = { rules: { ask: ["delete_path"] } }

const configure = (dataDirectory: string): void => {
  const folder = join(dataDirectory, "config", "bough")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "config.jsonc"), JSON.stringify(config))
}

export interface WorldOptions {
  /** True if users can sign in at an OpenID Connect provider, which runs in a process of its own. */
  readonly hasProvider?: boolean
  /** Origins of other sites whose pages may call the gateway. */
  readonly allowedOrigins?: ReadonlyArray<string>
  /** `proxyUrl` and links have this name. */
  readonly hostName?: typeof SharedBrowser.hostName
}

const provider = Effect.fnUntraced(function* (publicUrl: string) {
  const start = ChildProcess.startBeside(new URL("../auth/", import.meta.url).href)
  const child = yield* start("provider", [`${publicUrl}/auth/openid/callback`])
  return {
    issuer: (yield* child.line) ?? "",
    name: "Example",
    clientId: "bough",
    clientSecretVariable: "PROVIDER_SECRET",
    tenant: TenantId.make("acme"),
    scopes: ["read", "chat"] as const,
    addUsers: true
  }
})

/** Options of every start of the gateway. They are valid until the scope closes. */
const gatewayOptions = (
  variables: Readonly<Record<string, string>>,
  publicUrl: string,
  { allowedOrigins = [], hasProvider = false }: WorldOptions,
  scope: Scope.Scope
) =>
  Effect.gen(function* () {
    const dataDirectory = yield* Gateway.folder
    yield* Effect.sync(() => configure(dataDirectory))
    return {
      dataDirectory,
      variables: { ...variables, PROVIDER_SECRET: "a secret of the client" },
      access: { publicUrl, allowedOrigins, ...(hasProvider ? { openid: yield* provider(publicUrl) } : {}) }
    }
  }).pipe(Scope.provide(scope))

/** A gateway that can be replaced by another one with the same options. */
const startGateway = async (options: Gateway.GatewayOptions) => {
  let scope = Scope.makeUnsafe()
  const start = () => Effect.runPromise(Scope.provide(Gateway.start(options), scope))
  let gateway = await start()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  return {
    now: () => gateway,
    close,
    restart: async () => {
      await close()
      scope = Scope.makeUnsafe()
      gateway = await start()
    }
  }
}

/** Starts everything; `close` ends it. */
export const open = async (script: Script, options: WorldOptions = {}): Promise<PageWorld> => {
  const scope = Scope.makeUnsafe()
  const proxy = await PrefixProxy.start("/tools/bough")
  const { hostName = "127.0.0.1" } = options
  const publicUrl = proxy.url.replace("127.0.0.1", hostName)
  const ended = Promise.withResolvers<void>()
  const started = Promise.withResolvers<ModelServer>()
  const serving = withModel(script, async (model) => {
    started.resolve(model)
    await ended.promise
  })
  void serving.catch((error: unknown) => started.reject(error))
  const model = await started.promise
  const served = await startGateway(await Effect.runPromise(gatewayOptions(model.env, publicUrl, options, scope)))
  proxy.forwardTo(served.now().url)
  const browser = await SharedBrowser.open()
  const faults: Array<string> = []
  const watch = (page: Page): Page => {
    // Shorter than the time limit of a test, so that the failure names the element.
    page.setDefaultTimeout(240_000)
    page.on("pageerror", (error) => faults.push(`${error}`))
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(message.text())
    })
    page.on("request", (request) => {
      const { host, protocol } = new URL(request.url())
      if (protocol.startsWith("http") && !host.startsWith("127.0.0.1:") && !host.startsWith(`${hostName}:`))
        faults.push(`request to ${request.url()}`)
    })
    return page
  }
  const token = (name: string) => Effect.runPromise(Gateway.user(served.now(), name))
  return {
    browser,
    get gateway() {
      return served.now()
    },
    proxyUrl: publicUrl,
    model,
    faults,
    token,
    restart: async () => {
      await served.restart()
      proxy.forwardTo(served.now().url)
    },
    newPage: async (options = {}) => {
      // A pulsing waiting indicator would be drawn sixty times a second, without a graphics processor.
      const context = await browser.newContext({ baseURL: served.now().url, reducedMotion: "reduce", ...options })
      return watch(await context.newPage())
    },
    newTab: async (page) => watch(await page.context().newPage()),
    link: async (name) => {
      await token(name)
      const [tenant, user] = [TenantId.make(name.split("/")[0]), UserId.make(name.split("/")[1])]
      const scopes = ["read", "chat", "approve", "admin"] as const
      const issued = Context.get(served.now().context, Accounts).issueLink(
        { tenant, user, scopes, label: "", lifetimeMillis: 600_000 },
        commandLine
      )
      return `/sign-in#${Redacted.value((await Effect.runPromise(issued)).secret)}`
    },
    close: async () => {
      await browser.close()
      await proxy.close()
      await served.close()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      ended.resolve()
      await serving
    }
  }
}

/** Violations of axe's rules, as text with their position. `rules`: only these. */
export const violations = async (page: Page, rules?: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  if (!(await page.evaluate<boolean>("'axe' in globalThis")))
    await page.evaluate((await import("axe-core")).default.source)
  const options = rules === undefined ? {} : { runOnly: [...rules] }
  const { violations } = await page.evaluate(
    (run) => (globalThis as unknown as { readonly axe: typeof axe }).axe.run(run),
    options
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ failureSummary, html }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ""}`)
  )
}

/** The number of lines of the approval's remaining time on screen. */
export const linesOfTimeLeft = `(() => {
  const range = document.createRange()
  range.selectNodeContents(document.querySelector("#main .time-left"))
  return range.getClientRects().length
})()`

/** Titles in the picture of the tree that overflow their box. */
export const cutTitles = `[...document.querySelectorAll(".session > .panel .tree-title")]
  .filter((title) => title.scrollHeight > title.clientHeight || title.scrollWidth > title.clientWidth)
  .map((title) => title.textContent)`
