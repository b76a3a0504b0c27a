/**
 * An OpenID Connect provider on loopback: `provider REDIRECT_URL`. Prints its issuer. Users sign in with the header
 * `x-account`, which stands for their password; "denied" refuses.
 */
import { generateKeyPairSync } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Provider } from "oidc-provider"

const [redirectUrl] = process.argv.slice(2)
const server = createServer()
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const groups: Record<string, ReadonlyArray<string>> = { mallory: ["guests"] }
const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" })

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "bough",
      client_secret: "a secret of the client",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code"],
      response_types: ["code"]
    }
  ],
  jwks: { keys: [{ ...key, use: "sig", alg: "RS256", kid: "test" }] },
  cookies: { keys: ["a key of the provider"] },
  pkce: { required: () => true },
  claims: { openid: ["sub"], profile: ["name", "preferred_username", "groups"], email: ["email"] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      name: `${id} of the provider`,
      preferred_username: id,
      email: `${id}@example.org`,
      groups: groups[id] ?? ["staff"]
    })
  }),
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({ accountId: oidc.session!.accountId!, clientId: oidc.client!.clientId })
    grant.addOIDCScope("openid profile email")
    await grant.save()
    return grant
  }
})

const callback = provider.callback()
server.on("request", (request, response) => {
  if (!request.url!.startsWith("/interaction/")) return void callback(request, response)
  const account = String(request.headers["x-account"])
  const result =
    account === "denied" ? { error: "access_denied", error_description: "no" } : { login: { accountId: account } }
  void provider.interactionFinished(request, response, result)
})
console.log(issuer)
