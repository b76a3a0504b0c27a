/** Logins at hostile servers: no code, token or secret reaches another server, and no page is shown that is not the login's. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { request } from "node:http"
import * as AuthorizationServer from "../../src/client/auth/AuthorizationServer.ts"
import * as AuthorizedFetch from "../../src/client/auth/AuthorizedFetch.ts"
import * as Credentials from "../../src/client/auth/Credentials.ts"
import * as Login from "../../src/client/auth/Login.ts"
import * as Redirect from "../../src/client/auth/Redirect.ts"
import * as sdk from "../../src/client/sdk.ts"
import { noOAuth, type OAuthSettings } from "../../src/ServerConfig.ts"
import * as hostile from "../servers/hostileIssuer.ts"
import { server } from "../World.ts"

const running = (lies: hostile.Lies = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => hostile.start(lies)),
    ({ close }) => Effect.promise(close)
  )

const plain: typeof globalThis.fetch = (to, init) => globalThis.fetch(to, init)

const memory = () => {
  let text: string | null = null
  const store: Credentials.Store = { load: () => text, save: (saved) => void (text = saved) }
  return { store, stored: () => Credentials.read(text) }
}

/** Logs in as a user who opens each page that is shown. */
const logIn = (url: string, oauth: Partial<OAuthSettings> = {}, { store } = memory(), shown: Array<string> = []) =>
  Login.login({
    server: server("Remote", { _tag: "Http", url, headers: {}, protocol: "Any" }, { oauth: { ...noOAuth, ...oauth } }),
    store,
    fetch: plain,
    authFetch: plain,
    show: (page) => {
      shown.push(page)
      void plain(page)
    }
  })

const paths = ({ seen }: hostile.Hostile) => seen.map(({ path }) => path)

const secret = "secret-of-the-client"

describe("a login", () => {
  it.live("succeeds at a correct server of this kind", () =>
    Effect.gen(function* () {
      const sound = yield* running()
      const { store, stored } = memory()
      yield* logIn(sound.url, {}, { store, stored })
      assert.strictEqual(stored().tokens?.access_token, "access-token")
    }).pipe(Effect.scoped)
  )

  it.live("is refused if an authorization server imitates another one, before a client is registered", () =>
    Effect.gen(function* () {
      const evil = yield* running({ metadata: () => ({ issuer: "https://accounts.example.com" }) })
      const { message } = yield* Effect.flip(logIn(evil.url))
      assert.include(message, `"${evil.origin}`)
      assert.include(message, 'says that it is "https://accounts.example.com"')
      assert.notInclude(paths(evil), "/register")
    }).pipe(Effect.scoped)
  )

  it.live.each([{ code_challenge_methods_supported: ["plain"] }, { code_challenge_methods_supported: undefined }])(
    "is refused without PKCE: %j",
    (metadata) =>
      Effect.gen(function* () {
        const evil = yield* running({ metadata: () => metadata })
        const { message } = yield* Effect.flip(logIn(evil.url))
        assert.include(message, "PKCE")
        assert.notInclude(paths(evil), "/register")
      }).pipe(Effect.scoped)
  )

  it.live("sends no code where the answer lacks the issuer that it should name", () =>
    Effect.gen(function* () {
      const evil = yield* running({ metadata: () => ({ authorization_response_iss_parameter_supported: true }) })
      const { message } = yield* Effect.flip(logIn(evil.url))
      assert.include(message, "names no issuer")
      assert.notInclude(paths(evil), "/token")
    }).pipe(Effect.scoped)
  )

  it.live("gives the secret of a registered client to its own authorization server alone", () =>
    Effect.gen(function* () {
      const nameOf = (origin: string) => origin.replace("127.0.0.1", "localhost")
      const evil = yield* running({
        resource: (origin) => ({ authorization_servers: [nameOf(origin)] }),
        metadata: (origin) => ({ issuer: nameOf(origin) })
      })
      const client = { clientId: "registered", clientSecret: secret }
      const unnamed = yield* Effect.flip(logIn(evil.url, client))
      assert.include(unnamed.message, "set oauth.issuer")
      const other = yield* Effect.flip(logIn(evil.url, { ...client, issuer: "https://accounts.example.com" }))
      assert.include(other.message, "oauth.issuer is https://accounts.example.com")
      assert.isFalse(evil.seen.some(({ authorization, body }) => `${authorization} ${body}`.includes(secret)))
      assert.notInclude(paths(evil), "/token")
      yield* logIn(evil.url, { ...client, issuer: `${nameOf(evil.origin)}/` })
      assert.include(paths(evil), "/token")
      const sameHost = yield* running()
      yield* logIn(sameHost.url, client)
      assert.include(paths(sameHost), "/token")
    }).pipe(Effect.scoped)
  )

  it.live.each([
    ["javascript:alert(1)", /does not follow the protocol|not https|endpoint/u],
    ["file:///etc/passwd", /an address of file: is not https/u],
    ["http://192.0.2.1/authorize", /http:\/\/192\.0\.2\.1 is not https/u],
    ["https://accounts.example.com@127.0.0.1:1/authorize", /hides the host 127\.0\.0\.1:1/u]
  ])("shows no page at %s", ([page, fault]) =>
    Effect.gen(function* () {
      const evil = yield* running({ metadata: () => ({ authorization_endpoint: page }) })
      const shown: Array<string> = []
      const { message } = yield* Effect.flip(logIn(evil.url, {}, memory(), shown))
      assert.match(message, fault as RegExp)
      assert.isEmpty(shown)
    }).pipe(Effect.scoped)
  )

  it("opens a page on this machine for a server of this machine alone", () => {
    const page = new URL("http://127.0.0.1:8080/authorize")
    assert.isNull(AuthorizationServer.pageRefusal(page, new URL("http://localhost:3000/mcp")))
    assert.include(
      AuthorizationServer.pageRefusal(page, new URL("https://tickets.example.com/mcp")) ?? "",
      "this machine"
    )
  })

  it.live("reports the error of a token endpoint without the secrets that it repeats", () =>
    Effect.gen(function* () {
      const evil = yield* running({
        token: ({ authorization, body }, response) => {
          response.writeHead(500, { "content-type": "text/plain" })
          response.end(`failed with ${decodeURIComponent(body)} and ${authorization}`)
        }
      })
      const client = { clientId: "registered", clientSecret: secret, issuer: evil.origin }
      const { message } = yield* Effect.flip(logIn(evil.url, client))
      const sent = evil.seen.find(({ path }) => path === "/token")
      const verifier = new URLSearchParams(sent?.body).get("code_verifier") ?? ""
      assert.isAtLeast(verifier.length, 43)
      assert.include(message, "failed with")
      for (const hidden of ["the-code-of-this-login", verifier, secret, sent?.authorization?.slice("Basic ".length)]) {
        assert.notInclude(message, hidden ?? "")
      }
    }).pipe(Effect.scoped)
  )

  it.live("survives requests of other pages to its port", () =>
    Effect.gen(function* () {
      const redirect = yield* Redirect.listen({ port: 0, state: "expected" })
      const { hostname, port } = new URL(redirect.url)
      const ask = (path: string, method = "GET") =>
        Effect.callback<number>((resume) => {
          request({ hostname, port, path, method }, ({ statusCode = 0 }) => resume(Effect.succeed(statusCode)))
            .on("error", () => resume(Effect.succeed(0)))
            .end()
        })
      const answers = []
      for (const path of ["//", "http://", "/callback", "/callback?state=guess&code=x", "/callback?code=x&state="]) {
        answers.push(yield* ask(path))
      }
      assert.deepStrictEqual(answers, [404, 404, 400, 400, 400])
      assert.strictEqual(yield* ask("/callback?state=expected&code=x", "POST"), 404)
      assert.strictEqual(yield* ask("/callback?state=expected&code=right"), 200)
      assert.strictEqual((yield* redirect.outcome).code, "right")
    }).pipe(Effect.scoped)
  )
})

describe("a refresh", () => {
  const expired = (origin: string): string =>
    JSON.stringify({
      ...Credentials.none,
      client: { client_id: "client", redirect_uris: [], issuer: origin },
      tokens: { access_token: "old-access", refresh_token: "old-refresh", token_type: "bearer", issuer: origin }
    })

  it.live("that another process has won keeps the tokens of that one", () =>
    Effect.gen(function* () {
      const { store, stored } = memory()
      const renewed = (origin: string) => ({
        ...Credentials.read(expired(origin)),
        tokens: { access_token: "new-access", refresh_token: "new-refresh", token_type: "bearer", issuer: origin }
      })
      const strict = yield* running({
        token: (_, response) => {
          store.save(JSON.stringify(renewed(strict.origin)))
          response.writeHead(400, { "content-type": "application/json" })
          response.end(JSON.stringify({ error: "invalid_grant" }))
        }
      })
      store.save(expired(strict.origin))
      const options = { sdk, url: new URL(strict.url), oauth: noOAuth, store, fetch: plain, authFetch: plain }
      yield* Effect.promise(() => AuthorizedFetch.make(options).fetch(strict.url, { method: "POST" }))
      assert.strictEqual(stored().tokens?.refresh_token, "new-refresh")
    }).pipe(Effect.scoped)
  )
})
