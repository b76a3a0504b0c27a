/** Accounts in the gateway's database. */
import { Authorization } from "@bough/gateway-api"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { createHash, randomBytes } from "node:crypto"
import { AccountRefused, Accounts, SecretRefused, type Token, type TokenOptions, type UserName } from "./Accounts.ts"

/** Lower case letters, digits and dashes: a name is a folder, too. */
const namePattern = /^[a-z0-9][a-z0-9-]{0,62}$/u

const checkName = (kind: string, name: string): Effect.Effect<void, AccountRefused> =>
  namePattern.test(name)
    ? Effect.void
    : Effect.fail(
        new AccountRefused({
          reason: "invalid",
          message: `the ${kind} name ${JSON.stringify(name)} is invalid: use lower case letters, digits and dashes`
        })
      )

const digestOf = (secret: string): string => createHash("sha256").update(secret).digest("hex")

const Row = Schema.Struct({
  id: Schema.String,
  tenant: Schema.String,
  user: Schema.String,
  name: Schema.String,
  scopes: Schema.fromJsonString(Schema.Array(Authorization.Scope)),
  createdAtMillis: Schema.Finite,
  expiresAtMillis: Schema.NullOr(Schema.Finite),
  revokedAtMillis: Schema.NullOr(Schema.Finite)
})
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))

/** How often revocations of other processes are looked for. */
const lookMillis = 500

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const revoked = yield* PubSub.unbounded<string>()
  const columns = sql.literal(
    `id, tenant, user_name AS "user", name, scopes, created_at_millis AS "createdAtMillis",
     expires_at_millis AS "expiresAtMillis", revoked_at_millis AS "revokedAtMillis"`
  )

  let seenMillis = yield* Clock.currentTimeMillis
  const seen = new Set<string>()
  const announce = (id: string) => {
    if (seen.has(id)) return Effect.void
    seen.add(id)
    return PubSub.publish(revoked, id)
  }
  yield* Effect.gen(function* () {
    // One look back covers a clock of another process that is a little behind.
    const rows = yield* sql<{ readonly id: string }>`
      SELECT id FROM tokens WHERE revoked_at_millis >= ${seenMillis - 60_000}`
    seenMillis = yield* Clock.currentTimeMillis
    for (const { id } of rows) yield* announce(id)
  }).pipe(
    Effect.catch((error) => Effect.logWarning(error.message)),
    Effect.andThen(Effect.sleep(lookMillis)),
    Effect.forever,
    Effect.forkScoped
  )

  const hasUser = ({ tenant, user }: UserName) =>
    Effect.map(sql`SELECT name FROM users WHERE tenant = ${tenant} AND name = ${user}`, (rows) => rows.length > 0)

  const authenticate = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
    const rows = yield* sql`SELECT ${columns} FROM tokens WHERE digest = ${digestOf(Redacted.value(secret))}`
    const [token] = yield* decodeRows(rows)
    const nowMillis = yield* Clock.currentTimeMillis
    const isGood =
      token !== undefined &&
      token.revokedAtMillis === null &&
      (token.expiresAtMillis === null || nowMillis < token.expiresAtMillis)
    if (!isGood) return yield* new SecretRefused()
    const { expiresAtMillis, id, scopes, tenant, user } = token
    return { tenant, user, scopes: new Set(scopes), tokenId: id, expiresAtMillis }
  })

  const issue = Effect.fnUntraced(function* (options: TokenOptions) {
    if (!(yield* hasUser(options))) {
      return yield* new AccountRefused({ reason: "missing", message: `no user ${options.tenant}/${options.user}` })
    }
    const secret = `bgh_${randomBytes(32).toString("base64url")}`
    const nowMillis = yield* Clock.currentTimeMillis
    const token: Token = {
      ...options,
      id: `tok_${randomBytes(9).toString("hex")}`,
      createdAtMillis: nowMillis,
      revokedAtMillis: null
    }
    yield* sql`INSERT INTO tokens ${sql.insert({
      id: token.id,
      digest: digestOf(secret),
      tenant: token.tenant,
      user_name: token.user,
      name: token.name,
      scopes: JSON.stringify(token.scopes),
      created_at_millis: nowMillis,
      expires_at_millis: token.expiresAtMillis,
      revoked_at_millis: null
    })}`
    return { token, secret: Redacted.make(secret) }
  })

  const revoke = Effect.fnUntraced(function* (tokenId: string) {
    const nowMillis = yield* Clock.currentTimeMillis
    const rows = yield* sql`
      UPDATE tokens SET revoked_at_millis = ${nowMillis} WHERE id = ${tokenId} AND revoked_at_millis IS NULL RETURNING id`
    if (rows.length > 0) yield* announce(tokenId)
    return rows.length > 0
  })

  const addTenant = Effect.fnUntraced(function* (tenant: string) {
    yield* checkName("tenant", tenant)
    const nowMillis = yield* Clock.currentTimeMillis
    const rows = yield* sql`INSERT INTO tenants ${sql.insert({ name: tenant, created_at_millis: nowMillis })}
      ON CONFLICT DO NOTHING RETURNING name`
    if (rows.length === 0) return yield* new AccountRefused({ reason: "exists", message: `tenant ${tenant} exists` })
  })

  const addUser = Effect.fnUntraced(function* ({ tenant, user }: UserName) {
    yield* checkName("user", user)
    const found = yield* sql`SELECT name FROM tenants WHERE name = ${tenant}`
    if (found.length === 0) {
      return yield* new AccountRefused({ reason: "missing", message: `no tenant ${tenant}` })
    }
    const nowMillis = yield* Clock.currentTimeMillis
    const row = { tenant, name: user, created_at_millis: nowMillis }
    const rows = yield* sql`INSERT INTO users ${sql.insert(row)} ON CONFLICT DO NOTHING RETURNING name`
    if (rows.length === 0) {
      return yield* new AccountRefused({ reason: "exists", message: `user ${tenant}/${user} exists` })
    }
  })

  const names = (rows: ReadonlyArray<object>) => rows.map((row) => String((row as { readonly name: unknown }).name))

  return Accounts.of({
    authenticate: (secret) => dieUnless(authenticate(secret)),
    issue: (options) => dieUnless(issue(options)),
    revoke: (tokenId) => Effect.orDie(revoke(tokenId)),
    tokens: ({ tenant, user }) =>
      sql`SELECT ${columns} FROM tokens WHERE tenant = ${tenant} AND user_name = ${user} ORDER BY created_at_millis, id`.pipe(
        Effect.flatMap(decodeRows),
        Effect.orDie
      ),
    addTenant: (tenant) => dieUnless(addTenant(tenant)),
    tenants: Effect.orDie(Effect.map(sql`SELECT name FROM tenants ORDER BY name`, names)),
    addUser: (of) => dieUnless(addUser(of)),
    users: (tenant) =>
      Effect.orDie(Effect.map(sql`SELECT name FROM users WHERE tenant = ${tenant} ORDER BY name`, names)),
    revocations: Stream.fromPubSub(revoked)
  })
})

/** Keeps the errors that a caller can act on; a database that fails is a defect. */
const dieUnless = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchIf(
    effect,
    (error) => !(error instanceof AccountRefused || error instanceof SecretRefused),
    Effect.die
  ) as Effect.Effect<A, Extract<E, AccountRefused | SecretRefused>, R>

export const layer: Layer.Layer<Accounts, never, SqlClient.SqlClient> = Layer.effect(Accounts, make)
