/** Arguments and flags that the commands about users share. */
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { AccessScope } from "../accounts/AccessScope.ts"
import { TenantId, UserId } from "../accounts/Principal.ts"

/** `TENANT/USER`, as the runtime names a user. */
const UserName = Schema.String.pipe(
  Schema.decodeTo(
    Schema.Struct({ tenant: TenantId, user: UserId }),
    SchemaTransformation.transform({
      decode: (text) => {
        const slash = text.indexOf("/")
        return { tenant: text.slice(0, Math.max(0, slash)), user: text.slice(slash + 1) }
      },
      encode: ({ tenant, user }) => `${tenant}/${user}`
    })
  )
)

/** `read,chat,approve`. */
const ScopeList = Schema.String.pipe(
  Schema.decodeTo(Schema.Array(AccessScope), {
    decode: SchemaGetter.transform((text: string) => text.split(",").map((word) => word.trim() as AccessScope)),
    encode: SchemaGetter.transform((scopes: ReadonlyArray<AccessScope>) => scopes.join(","))
  })
)

export const tenant = Argument.String("tenant").pipe(
  Argument.withSchema(TenantId),
  Argument.withDescription("The tenant's id: lower-case letters, digits, dots, dashes, underscores")
)

export const user = Argument.String("tenant/user").pipe(
  Argument.withSchema(UserName),
  Argument.withDescription("The tenant's id, a slash, and the user's id")
)

export const scopes = Flag.String("scopes").pipe(
  Flag.withSchema(ScopeList),
  Flag.withDescription("The scopes, separated by commas: read, chat, approve, admin"),
  Flag.withDefault(["read", "chat", "approve"] as ReadonlyArray<AccessScope>)
)

export const name = Flag.String("name").pipe(
  Flag.withDescription("The name that is shown to users"),
  Flag.withDefault("")
)

export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))
