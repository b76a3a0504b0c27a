/** Prints the token that a process uses after another was rejected: `token DIRECTORY ISSUER REFUSED`. */
import * as Effect from "effect/Effect"
import * as LoginTokens from "../../../src/login/LoginTokens.ts"
import { clientId } from "../authorizationServer.ts"

const [dataDirectory = "", issuer = "", refused = ""] = process.argv.slice(2)
const login = { clientId, issuer, scopes: ["models"] }
const tokens = LoginTokens.make({ "openai-compatible": login }, { dataDirectory, variables: {} })
console.log(await Effect.runPromise(tokens["openai-compatible"].token(refused)))
