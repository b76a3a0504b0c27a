/** Names of users, tenants and credentials, and the caller of a request. */
import type { Authorization } from "@bough/gateway-api"
import * as Schema from "effect/Schema"

/** Both names are folders below the data folder, so they contain no separator and begin with no dot. */
const Name = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9._-]{0,62}$/, {
    expected: "1 to 63 lower-case letters, digits, dots, dashes or underscores, beginning with a letter or digit"
  })
)

export const TenantId = Name.pipe(Schema.brand("TenantId"))
export type TenantId = typeof TenantId.Type

export const UserId = Name.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

/** A public id: it names a credential in lists and logs, and grants nothing. */
export const TokenId = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{16}$/, { expected: "16 hexadecimal digits, as lists show it" })
).pipe(Schema.brand("TokenId"))
export type TokenId = typeof TokenId.Type

/** The authenticated caller of one request; routes see it as `Authorization.CurrentPrincipal`. */
export interface Principal extends Authorization.Principal {
  readonly tenant: TenantId
  readonly user: UserId
  readonly tokenId: TokenId
}
