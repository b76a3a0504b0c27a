/** An OpenID Connect provider on loopback whose ID tokens are as a test wants them, valid or not. */
import * as Effect from "effect/Effect"
import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface Lies {
  /** Replaces fields of the metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Replaces claims of the ID token. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** Replaces fields of the ID token's header. */
  readonly header?: Readonly<Record<string, unknown>>
  /** Signs the token; default: with the newest published key. */
  readonly signature?: (signed: string, published: Readonly<Record<string, unknown>>) => string
  /** Replaces claims of the profile. */
  readonly profile?: Readonly<Record<string, unknown>>
}

interface Key {
  readonly kid: string
  readonly secret: KeyObject
  readonly published: Readonly<Record<string, unknown>>
}

const makeKey = (kid: string): Key => {
  const { privateKey: secret, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  return { kid, secret, published: { ...publicKey.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" } }
}

export const signWith = ({ secret }: Pick<Key, "secret">, signed: string): string =>
  sign("sha256", Buffer.from(signed), secret).toString("base64url")

/** A key that no provider publishes, under the id of the published one. */
export const foreignKey = makeKey("first")

export const hmac = (secret: string, signed: string): string =>
  createHmac("sha256", secret).update(signed).digest("base64url")

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")

/** Starts the provider until the scope closes. Every sign-in is of the user `carol`. */
export const start = Effect.gen(function* () {
  let lies: Lies = {}
  let key = makeKey("first")
  let nonce = ""
  let issuer = ""

  const idToken = (): string => {
    const nowSeconds = Math.floor(Date.now() / 1000)
    const header = { alg: "RS256", typ: "JWT", kid: key.kid, ...lies.header }
    const claims = {
      iss: issuer,
      aud: "bough",
      sub: "carol",
      nonce,
      iat: nowSeconds,
      exp: nowSeconds + 60,
      ...lies.claims
    }
    const signed = `${encode(header)}.${encode(claims)}`
    return `${signed}.${lies.signature?.(signed, key.published) ?? signWith(key, signed)}`
  }
  const answers: Readonly<Record<string, () => object>> = {
    "/.well-known/openid-configuration": () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/profile`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      ...lies.metadata
    }),
    "/keys": () => ({ keys: [key.published] }),
    "/token": () => ({ access_token: "access", token_type: "Bearer", expires_in: 60, id_token: idToken() }),
    "/profile": () => ({ sub: "carol", preferred_username: "carol", ...lies.profile })
  }
  const server = createServer((request, response) => {
    request.resume()
    const answer = answers[(request.url ?? "").split("?")[0] ?? ""]
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" })
    response.end(JSON.stringify(answer?.() ?? {}))
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    lie: (input: Lies): void => void (lies = input),
    /** Publishes another key instead of the present one, and signs with it. */
    rotate: (kid: string): Key => {
      const before = key
      key = makeKey(kid)
      return before
    },
    /** Returns the address to which a user who signed in at `url` is sent. */
    back: (url: string, redirectUrl: string): URL => {
      const parameters = new URL(url).searchParams
      nonce = parameters.get("nonce") ?? ""
      return new URL(`${redirectUrl}?code=code&state=${parameters.get("state")}`)
    }
  }
})
