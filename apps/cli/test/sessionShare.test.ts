/** `bough sessions share` and `/share`: the real `gh` uploads to a server on loopback, over TLS. */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, readFileSync } from "node:fs"
import * as https from "node:https"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { configure, type TestFolder, put, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { say, withModel } from "./program/ModelServer.ts"
import { withScreen } from "./program/ScreenInProcess.ts"

const installed = requires("gh", "openssl")

interface Gist {
  readonly description: string
  readonly public: boolean
  readonly files: Readonly<Record<string, { readonly content: string }>>
}

interface GistHost {
  readonly env: Readonly<Record<string, string>>
  readonly gists: ReadonlyArray<Gist>
}

/** The API of a GitHub server, for gists alone. `status` answers every upload. */
const withGists = async (place: TestFolder, use: (host: GistHost) => Promise<void>, status = 201): Promise<void> => {
  const [key, certificate] = [join(place.root, "key.pem"), join(place.root, "certificate.pem")]
  const words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
  execFileSync(
    "openssl",
    [...words.split(" "), "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
    { stdio: "ignore" }
  )
  const gists: Array<Gist> = []
  const server = https.createServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    (request, response) => {
      const parts: Array<Buffer> = []
      request.on("data", (part: Buffer) => parts.push(part))
      request.on("end", () => {
        if (request.method === "POST" && request.url === "/api/v3/gists") {
          assert.strictEqual(request.headers.authorization, "token of-the-user")
          gists.push(JSON.parse(Buffer.concat(parts).toString("utf8")))
        }
        response.writeHead(status, { "content-type": "application/json" })
        response.end(
          JSON.stringify({ id: "4711", html_url: "https://gist.example/ada/4711", message: "no more gists" })
        )
      })
    }
  )
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    const { port } = server.address() as AddressInfo
    const env = { GH_HOST: `127.0.0.1:${port}`, GH_ENTERPRISE_TOKEN: "of-the-user", SSL_CERT_FILE: certificate }
    await use({ env, gists })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

const secret = "sk-of-the-operator-4711"

const idOf = (stdout: string): string => /ses_[0-9a-f]+/u.exec(stdout)?.[0] ?? ""

describe.skipIf(installed.skip)(`a shared conversation${installed.suffix}`, () => {
  it("is a secret gist with a page and Markdown, in which secrets are hidden", () =>
    withTestFolder((place) =>
      withGists(place, ({ env: gistEnv, gists }) =>
        withModel([say(`The **answer** is <b>4</b>, and the key ${secret}`)], async (model) => {
          const env = { ...model.env, ...gistEnv }
          const ran = await bough(place, ["run", "what is two and two?"], { env })
          assert.strictEqual(ran.code, 0, ran.stderr)
          const id = idOf((await bough(place, ["sessions"], { env })).stdout)
          // The secret is known only after the conversation.
          configure(place, JSON.stringify({ secrets: [secret] }))

          const unasked = await bough(place, ["sessions", "share", id], { env })
          assert.strictEqual(unasked.code, 2)
          assert.include(unasked.stderr, "sharing needs your consent")
          assert.lengthOf(gists, 0)

          const shared = await bough(place, ["sessions", "share", id, "--yes"], { env })
          assert.strictEqual(shared.code, 0, shared.stderr)
          assert.strictEqual(shared.stdout, "https://gist.example/ada/4711\n")
          assert.match(shared.stderr, /2 messages and a line for each of 0 calls, as a page and as Markdown \(\d+ kB\)/)
          assert.include(shared.stderr, "secrets are hidden in 1 text")
          assert.include(shared.stderr, `gh uploads them to ${gistEnv["GH_HOST"]} as a secret gist`)
          const [gist] = gists
          assert.isFalse(gist?.public)
          const { "conversation.html": page, "conversation.md": markdown } = gist?.files ?? {}
          assert.include(markdown?.content, "The **answer** is <b>4</b>")
          assert.include(page?.content, "&lt;b&gt;4&lt;/b&gt;")
          assert.include(page?.content, "default-src 'none'")
          assert.notInclude(JSON.stringify(gist), secret)
        })
      )
    ))

  it("is uploaded from a conversation once the user has agreed to the shown content", () =>
    withTestFolder((place) =>
      withGists(place, ({ env: gistEnv, gists }) =>
        withModel([say("Four")], (model) =>
          withScreen(place, { args: [], env: { ...model.env, ...gistEnv }, columns: 200 }, async (screen) => {
            await screen.shows(/›\n.* workspace/)
            screen.type("/share")
            await screen.shows("nothing to share yet")
            screen.type("what is two and two?")
            await screen.shows("Four")
            screen.type("/share")
            await screen.shows("└ y upload · n keep it here")
            assert.lengthOf(gists, 0)
            await screen.pressUntil("n", "not shared")
            assert.lengthOf(gists, 0)
            screen.type("/share")
            await screen.shows(/(?:y upload · n keep it here[\s\S]*){2}/)
            await screen.pressUntil("y", "shared at https://gist.example/ada/4711")
            assert.lengthOf(gists, 1)
          })
        )
      )
    ))

  it("is not uploaded by a program of the workspace, without a login, or if the host refuses it", () =>
    withTestFolder((place) =>
      withModel([say("Four")], async (model) => {
        const ran = await bough(place, ["run", "what is two and two?"], { env: model.env })
        assert.strictEqual(ran.code, 0, ran.stderr)
        const id = idOf((await bough(place, ["sessions"])).stdout)
        const planted = put(place, "bin/gh", `#!/bin/sh\ntouch ${join(place.root, "ran")}\n`)
        chmodSync(planted, 0o755)
        const PATH = `${join(place.workspace, "bin")}:${process.env["PATH"]}`
        const withoutLogin = await bough(place, ["sessions", "share", id, "--yes"], { env: { PATH } })
        assert.strictEqual(withoutLogin.code, 1)
        assert.include(withoutLogin.stderr, "gh auth login")
        assert.isFalse(existsSync(join(place.root, "ran")))
        const without = await bough(place, ["sessions", "share", id, "--yes"], { env: { PATH: join(place.root) } })
        assert.include(without.stderr, 'is not on PATH — install it and run "gh auth login"; "/export page.html"')
        await withGists(
          place,
          async ({ env }) => {
            const refused = await bough(place, ["sessions", "share", id, "--yes"], { env })
            assert.strictEqual(refused.code, 1)
            assert.match(refused.stderr, /gh did not upload it: .*no more gists/)
          },
          422
        )
      })
    ))
})
