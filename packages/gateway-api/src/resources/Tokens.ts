/** The user's own credentials. They are issued and revoked by a signed-in page or with a token of the scope admin. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { Authorization, RequiredScope } from "../Authorization.ts"
import * as Idempotency from "../Idempotency.ts"
import { Forbidden, NotFound, Unprocessable } from "../Problem.ts"
import { CreateToken, Credential, IssuedCredential } from "./Accounts.ts"

export const tokenParams = { tokenId: Schema.NonEmptyString.check(Schema.isMaxLength(100)) }

export class TokensApi extends HttpApiGroup.make("tokens")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Struct({ items: Schema.Array(Credential) }) }).annotate(
      RequiredScope,
      "read"
    ),
    /** Issues a token. Only this response contains the secret. */
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: CreateToken,
      success: IssuedCredential.pipe(HttpApiSchema.status(201)),
      error: [Forbidden, Unprocessable]
    })
      .annotate(RequiredScope, "any")
      .annotate(Idempotency.AnswersWithSecret, true),
    /** Revokes a credential. Every credential may revoke itself. */
    HttpApiEndpoint.delete("revoke", "/:tokenId", {
      params: tokenParams,
      headers: Idempotency.headers,
      error: [Forbidden, NotFound]
    }).annotate(RequiredScope, "any")
  )
  .middleware(Idempotency.Idempotency)
  .middleware(Authorization)
  .prefix("/api/v1/tokens") {}
