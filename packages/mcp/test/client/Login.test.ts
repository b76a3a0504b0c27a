/** Logins by OAuth at a real authorization server: discovery, registration, PKCE, a browser's answer, refresh, logout. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { thoroughOnly } from "../../../../test/thorough.ts"
import * as Credentials from "../../src/client/auth/Credentials.ts"
import * as Login from "../../src/client/auth/Login.ts"
import * as Servers from "../../src/client/Servers.ts"
import { calling } from "../calling.ts"
import * as authorized from "../servers/authorized.ts"
import { streamable } from "../servers/http.ts"
import { ports, server } from "../World.ts"

const running = Effect.acquireRelease(Effect.promise(authorized.start), ({ close }) => Effect.promise(close))

const plain: typeof globalThis.fetch = (to, init) => globalThis.fetch(to, init)

const memory = () => {
  let text: string | null = null
  const store: Credentials.Store = { load: () => text, save: (saved) => void (text = saved) }
  return { store, stored: () => Credentials.read(text) }
}

const at = (url: string) => server("Remote", { _tag: "Http", url, headers: {}, protocol: "Any" })

const open = Effect.fnUntraced(function* (url: string, store: Credentials.Store) {
  const logins = { store: () => store, fetch: () => plain, command: (name: string) => `bough mcp login ${name}` }
  const world = ports(new Map(), { logins })
  const servers = yield* Servers.make({ servers: [at(url)], workspaceRoot: "/", ports: world })
  yield* servers.settled
  return { servers, world }
})

/** A browser whose user consents at once. */
const browsing = (visited: Array<string>) => (page: string) => {
  visited.push(page)
  void plain(page)
}

const logIn = (url: string, store: Credentials.Store, visited: Array<string> = []) =>
  Login.login({ server: at(url), store, fetch: plain, authFetch: plain, show: browsing(visited) })

describe("logins at servers", () => {
  it.live("are reported as missing, made in the browser, and used from then on", () =>
    Effect.gen(function* () {
      const { issued, registered, url } = yield* running
      const { store, stored } = memory()
      const without = yield* open(url, store)
      assert.include(without.world.notices[0] ?? "", 'it asks for a login: run "bough mcp login Remote"')
      assert.strictEqual(registered(), 0)

      const visited: Array<string> = []
      yield* logIn(url, store, visited)
      const { searchParams } = new URL(visited[0] ?? "")
      assert.strictEqual(searchParams.get("code_challenge_method"), "S256")
      assert.strictEqual(searchParams.get("resource"), url)
      assert.isAtLeast((searchParams.get("state") ?? "").length, 43)
      assert.match(searchParams.get("redirect_uri") ?? "", /^http:\/\/127\.0\.0\.1:\d+\/callback$/u)
      assert.include(issued, stored().tokens?.access_token)

      const { servers, world } = yield* open(url, store)
      assert.strictEqual(servers.states()[0]?.status, "connected")
      const call = calling(servers)
      assert.strictEqual((yield* call("remote__add", { a: 1, b: 1 })).output.text, "2")
      // A server that echoes the token passes it to no model.
      assert.strictEqual((yield* call("remote__whisper", {})).output.text, "you sent Bearer [token]")
      const texts = JSON.stringify([world.notices, [...world.texts]])
      assert.isTrue(issued.every((token) => !texts.includes(token)))
    }).pipe(Effect.scoped)
  )

  it.live(
    "are refreshed when a token has expired, once for requests at the same time",
    () =>
      Effect.gen(function* () {
        const { expire, issued, url } = yield* running
        const { store, stored } = memory()
        yield* logIn(url, store)
        const { servers } = yield* open(url, store)
        expire()
        const call = calling(servers)
        const sums = yield* Effect.all(
          [1, 2, 3].map((b) => call("remote__add", { a: 1, b })),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          sums.map(({ output }) => output.text),
          ["2", "3", "4"]
        )
        assert.lengthOf(issued, 4)
        assert.include(issued.slice(2), stored().tokens?.refresh_token)
      }).pipe(Effect.scoped),
    thoroughOnly
  )

  it.live("end with a logout: a later call fails and names the command for a new login", () =>
    Effect.gen(function* () {
      const { issued, revoked, url } = yield* running
      const { store, stored } = memory()
      yield* logIn(url, store)
      const { servers } = yield* open(url, store)
      assert.isTrue(yield* Login.logout({ store, authFetch: plain }))
      assert.isNull(stored().tokens)
      assert.include([...revoked], issued[1])
      const failure = yield* Effect.flip(calling(servers)("remote__add", { a: 1, b: 1 }))
      assert.include(failure.message, 'run "bough mcp login Remote"')
      assert.isFalse(yield* Login.logout({ store, authFetch: plain }))
    }).pipe(Effect.scoped)
  )

  it.live("accept no answer with another state, and none of another authorization server", () =>
    Effect.gen(function* () {
      const { issued, url } = yield* running
      const { store } = memory()
      const forged: Array<number> = []
      const answering = (page: string) => {
        const { searchParams } = new URL(page)
        const back = new URL(searchParams.get("redirect_uri") ?? "")
        back.search = new URLSearchParams({ code: "stolen", state: "guessed" }).toString()
        void plain(back).then(({ status }) => {
          forged.push(status)
          back.search = new URLSearchParams({
            code: "stolen",
            state: searchParams.get("state") ?? "",
            iss: "https://evil.example"
          }).toString()
          return plain(back)
        })
      }
      const login = Login.login({ server: at(url), store, fetch: plain, authFetch: plain, show: answering })
      const failure = yield* Effect.flip(login)
      assert.deepStrictEqual(forged, [400])
      assert.include(failure.message, "evil.example")
      assert.lengthOf(issued, 0)
    }).pipe(Effect.scoped)
  )

  it.live("are refused at a server that asks for no login, and at a remote server over plain http", () =>
    Effect.gen(function* () {
      const { store } = memory()
      const { close, url } = yield* Effect.promise(streamable)
      const none = yield* Effect.exit(logIn(url, store))
      yield* Effect.promise(close)
      assert.isTrue(Exit.isFailure(none))
      assert.match(String(none), /asks for no login/u)
      const failure = yield* Effect.flip(logIn("http://tickets.example.com/mcp", store))
      assert.include(failure.message, "is not https")
    }).pipe(Effect.scoped)
  )
})
