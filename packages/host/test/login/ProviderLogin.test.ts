/** Logins at a provider by OAuth against a real authorization server: both flows, and every way in which they fail. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { execFile } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Login } from "../../src/login/LoginSchema.ts"
import * as LoginTokens from "../../src/login/LoginTokens.ts"
import * as ProviderLogin from "../../src/login/ProviderLogin.ts"
import * as StoredLogin from "../../src/login/StoredLogin.ts"
import * as AuthorizationServer from "./authorizationServer.ts"

const provider = "openai-compatible"
const run = promisify(execFile)

interface World extends ProviderLogin.ProviderLoginOptions {
  readonly server: AuthorizationServer.AuthorizationServer
  readonly stored: () => StoredLogin.StoredLogin | null
  readonly token: (refused?: string | null) => ReturnType<ReturnType<typeof LoginTokens.make>[string]["token"]>
}

const world = (
  options: AuthorizationServer.Options = {},
  changed: Partial<Login> = {}
): Effect.Effect<World, never, Scope.Scope> =>
  Effect.gen(function* () {
    const dataDirectory = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-login-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    )
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => AuthorizationServer.start(options)),
      ({ close }) => Effect.promise(close)
    )
    const login: Login = {
      clientId: AuthorizationServer.clientId,
      issuer: server.issuer,
      scopes: ["models"],
      ...changed
    }
    const file = StoredLogin.fileOf(dataDirectory, provider, login)
    const tokens = LoginTokens.make({ [provider]: login }, { dataDirectory, variables: {} })
    return {
      server,
      provider,
      login,
      dataDirectory,
      variables: {},
      stored: () => StoredLogin.read(file),
      token: (refused = null) => tokens[provider].token(refused)
    }
  })

type Page = Parameters<ProviderLogin.LoginUser["show"]>[0]

/** A user who does `work` when the page is shown. */
const user = (work: (page: Page) => Promise<unknown>, pasted: Effect.Effect<string> = Effect.never) => ({
  show: (page: Page) => Effect.sync(() => void work(page)),
  paste: () => pasted
})

/** Opens the page, and follows it back to the program. */
const browsing = user(({ url }) => AuthorizationServer.browse(url).then((end) => fetch(end.url)))

/** An address at which nothing listens. */
const unusedAddress = async (): Promise<string> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return `http://127.0.0.1:${port}`
}

describe("a login in the browser", () => {
  it.live("ends in tokens that only the user can read, and that the API accepts", () =>
    Effect.gen(function* () {
      const at = yield* world()
      let page = ""
      yield* ProviderLogin.logIn(
        at,
        user(({ url }) => {
          page = url
          return AuthorizationServer.browse(url).then((end) => fetch(end.url))
        })
      )
      const { searchParams } = new URL(page)
      assert.strictEqual(searchParams.get("code_challenge_method"), "S256")
      assert.match(searchParams.get("redirect_uri") ?? "", /^http:\/\/127\.0\.0\.1:\d+\/callback$/u)
      assert.isAtLeast((searchParams.get("state") ?? "").length, 43)
      assert.strictEqual(searchParams.get("scope"), "models")
      assert.isTrue(yield* Effect.promise(() => at.server.accepts(at.stored()?.accessToken ?? "")))
      assert.strictEqual(yield* at.token(), at.stored()?.accessToken)
      const folder = join(at.dataDirectory, "logins")
      assert.strictEqual(statSync(folder).mode & 0o777, 0o700)
      for (const name of readdirSync(folder)) assert.strictEqual(statSync(join(folder, name)).mode & 0o777, 0o600)
    }).pipe(Effect.scoped)
  )

  it.live("is finished by the address of the page that a browser elsewhere could not load", () =>
    Effect.gen(function* () {
      const at = yield* world()
      let onAddress: (address: string) => void = () => {}
      const pasted = Effect.callback<string>((resume) => {
        onAddress = (address) => resume(Effect.succeed(address))
      })
      const owned: Array<boolean> = []
      yield* ProviderLogin.logIn(at, {
        show: ({ url }) => Effect.sync(() => void AuthorizationServer.browse(url).then((end) => onAddress(end.url))),
        paste: (isOwn) =>
          Effect.tap(pasted, (address) =>
            Effect.sync(() => {
              const forged = new URL(address)
              forged.searchParams.set("state", "guessed")
              owned.push(isOwn("no address"), isOwn(forged.href), isOwn(address))
            })
          )
      })
      assert.deepStrictEqual(owned, [false, false, true])
      assert.isNotNull(at.stored())
    }).pipe(Effect.scoped)
  )

  it.live("takes no answer with another state, and none after the user denied it", () =>
    Effect.gen(function* () {
      const at = yield* world()
      const statuses: Array<number> = []
      at.server.answers("denies")
      const login = ProviderLogin.logIn(
        at,
        user(({ url }) => {
          const back = new URL(new URL(url).searchParams.get("redirect_uri") ?? "")
          back.search = "?code=stolen&state=guessed"
          return fetch(back)
            .then(({ status }) => statuses.push(status))
            .then(() => AuthorizationServer.browse(url))
            .then((end) => fetch(end.url))
        })
      )
      const failure = yield* Effect.flip(login)
      assert.deepStrictEqual(statuses, [400])
      assert.include(failure.message, "access_denied the user said no")
      assert.isNull(at.stored())
      assert.notInclude(at.server.requests, "POST /token")
    }).pipe(Effect.scoped)
  )

  it.live("names the reason and the setting when the authorization server is not reached", () =>
    Effect.gen(function* () {
      const at = yield* world()
      const away = { ...at, login: { ...at.login, issuer: yield* Effect.promise(unusedAddress) } }
      const { hint, message } = yield* Effect.flip(ProviderLogin.logIn(away, browsing))
      assert.match(message, /^the authorization server http:\S+ is not reached: .*ECONNREFUSED/u)
      assert.notInclude(message, "something went wrong")
      assert.strictEqual(hint, `check providers.${provider}.oauth and the network, then log in again`)
    }).pipe(Effect.scoped)
  )

  it.live("finds its endpoints in the configuration where the server publishes none", () =>
    Effect.gen(function* () {
      const { server } = yield* world()
      const at = yield* world({}, {})
      const { issuer: _, ...login } = at.login
      const named = {
        ...at,
        login: {
          ...login,
          authorizationEndpoint: `${server.issuer}/auth`,
          tokenEndpoint: `${server.issuer}/token`
        }
      }
      const before = server.requests.length
      yield* ProviderLogin.logIn(named, browsing)
      assert.deepStrictEqual(
        server.requests.slice(before).filter((line) => line.includes("well-known")),
        []
      )
      const missing = yield* Effect.flip(ProviderLogin.logIn({ ...at, login }, browsing))
      assert.include(missing.message, "neither an issuer nor a tokenEndpoint")
      const plain = { ...at, login: { ...at.login, issuer: "http://login.example.com" } }
      assert.include((yield* Effect.flip(ProviderLogin.logIn(plain, browsing))).message, "is not https")
    }).pipe(Effect.scoped)
  )
})

describe("a login by a code", () => {
  it.live("ends when the user has typed the code on any device", () =>
    Effect.gen(function* () {
      const at = yield* world({}, { flow: "device" })
      yield* ProviderLogin.logIn(
        at,
        user(({ code, url }) => {
          assert.strictEqual(url, `${at.server.issuer}/device`)
          return at.server.decide(code ?? "", true)
        })
      )
      assert.isTrue(yield* Effect.promise(() => at.server.accepts(at.stored()?.accessToken ?? "")))
    }).pipe(Effect.scoped)
  )

  it.live("fails when the user denies it, and when the code expires", () =>
    Effect.gen(function* () {
      const denied = yield* world()
      const expired = yield* world({ codeSeconds: 1 })
      const [first, second] = yield* Effect.all(
        [
          Effect.flip(
            ProviderLogin.logIn(
              denied,
              user(({ code }) => denied.server.decide(code ?? "", false)),
              "device"
            )
          ),
          Effect.flip(
            ProviderLogin.logIn(
              expired,
              user(() => Promise.resolve()),
              "device"
            )
          )
        ],
        { concurrency: 2 }
      )
      assert.include(first.message, "access_denied the user said no")
      assert.match(second.message, /not logged in at openai-compatible: .*(?:expired|aborted)/u)
      assert.isNull(denied.stored())
      assert.isNull(expired.stored())
    }).pipe(Effect.scoped)
  )
})

describe("the token of a login", () => {
  it.live("is refreshed before it expires, and once for requests at the same time", () =>
    Effect.gen(function* () {
      // Each token is within a minute of its end.
      const at = yield* world({ tokenSeconds: 50 })
      yield* ProviderLogin.logIn(at, browsing)
      const before = at.stored()
      const refreshed = yield* at.token()
      assert.notStrictEqual(refreshed, before?.accessToken)
      assert.notStrictEqual(at.stored()?.refreshToken, before?.refreshToken)
      assert.strictEqual(at.server.tokens.refreshes, 1)

      const long = yield* world()
      yield* ProviderLogin.logIn(long, browsing)
      const refused = long.stored()?.accessToken ?? ""
      const tokens = yield* Effect.all(
        [1, 2, 3, 4].map(() => long.token(refused)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf([...new Set(tokens)], 1)
      assert.notStrictEqual(tokens[0], refused)
      assert.strictEqual(long.server.tokens.refreshes, 1)
    }).pipe(Effect.scoped)
  )

  it.live("is refreshed by one of the processes that need it at the same time", () =>
    Effect.gen(function* () {
      const at = yield* world()
      yield* ProviderLogin.logIn(at, browsing)
      const refused = at.stored()?.accessToken ?? ""
      const program = join(import.meta.dirname, "programs/token.ts")
      const printed = yield* Effect.promise(() =>
        Promise.all(
          [1, 2, 3].map(() =>
            run(process.execPath, [program, at.dataDirectory, at.server.issuer, refused]).then(({ stdout }) =>
              stdout.trim()
            )
          )
        )
      )
      assert.deepStrictEqual([...new Set(printed)], [at.stored()?.accessToken])
      assert.strictEqual(at.server.tokens.refreshes, 1)
      assert.isTrue(yield* Effect.promise(() => at.server.accepts(printed[0] ?? "")))
    }).pipe(Effect.scoped)
  )

  it.live("is gone after a revocation, and says how to log in again", () =>
    Effect.gen(function* () {
      const at = yield* world()
      yield* ProviderLogin.logIn(at, browsing)
      const token = yield* at.token()
      yield* Effect.promise(() => at.server.revoke(token))
      const failure = yield* Effect.flip(at.token(token))
      assert.include(failure.message, "has ended")
      assert.include(failure.hint, `"bough login ${provider}"`)
      assert.isFalse(failure.isTransient)
      assert.isNull(at.stored())
      assert.include((yield* Effect.flip(at.token())).message, "not logged in")
    }).pipe(Effect.scoped)
  )

  it.live("stays in use while the authorization server is away, until it expires", () =>
    Effect.gen(function* () {
      const at = yield* world({ tokenSeconds: 50 })
      yield* ProviderLogin.logIn(at, browsing)
      const token = at.stored()?.accessToken ?? ""
      yield* Effect.promise(at.server.close)
      assert.strictEqual(yield* at.token(), token)
      const failure = yield* Effect.flip(at.token(token))
      assert.isTrue(failure.isTransient)
      assert.isNotNull(at.stored())
    }).pipe(Effect.scoped)
  )

  it.live("without a refresh token ends with its time", () =>
    Effect.gen(function* () {
      const at = yield* world({ isRefreshed: false })
      yield* ProviderLogin.logIn(at, browsing)
      const token = yield* at.token()
      assert.include((yield* Effect.flip(at.token(token))).message, "has expired")
    }).pipe(Effect.scoped)
  )

  it.live("is deleted and revoked by a logout", () =>
    Effect.gen(function* () {
      const at = yield* world()
      yield* ProviderLogin.logIn(at, browsing)
      assert.isTrue(yield* ProviderLogin.logOut(at))
      assert.isNull(at.stored())
      assert.isAbove(at.server.tokens.revoked.size, 0)
      assert.isFalse(yield* ProviderLogin.logOut(at))
    }).pipe(Effect.scoped)
  )
})
