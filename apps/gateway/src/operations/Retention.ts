/**
 * Deletes archived and ended sessions, with all that belongs to them, once their tenant's retention is over; also deletes
 * the left-overs of killed processes.
 */
import { type Session as SessionData, Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { uploadsDirectory } from "../files/Attachments.ts"
import { SessionRemoval } from "../sessions/SessionRemoval.ts"

const Days = Schema.Number.check(Schema.isGreaterThan(0))

export const RetentionSettings = Schema.Struct({
  days: Schema.optionalKey(
    Days.annotate({ description: "How long archived and ended sessions are kept; default for ever" })
  ),
  tenants: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.NullOr(Days)).annotate({
      description: "The same for single tenants, by their ids; null: their sessions are kept for ever"
    })
  )
})
export type RetentionSettings = typeof RetentionSettings.Type

const dayMillis = 24 * 60 * 60 * 1000
const hourMillis = 60 * 60 * 1000
const pageSize = 200

const endedStates: ReadonlySet<SessionData.SessionState> = new Set(["Completed", "Failed", "Expired", "Cancelled"])

/** Returns the days for which a tenant's sessions are stored; null: for ever. */
export const daysOf = ({ days, tenants = {} }: RetentionSettings, tenant: string): number | null => {
  const tenantDays = tenants[tenant]
  return tenantDays === undefined ? (days ?? null) : tenantDays
}

/**
 * True for a session whose retention is over. Its age counts from its last change or its archiving, whichever is later.
 */
export const isExpired = (
  session: Pick<Session.Summary, "user" | "state" | "updatedAtMillis" | "archivedAtMillis">,
  settings: RetentionSettings,
  nowMillis: number
): boolean => {
  if (session.user === null) return false
  if (session.archivedAtMillis === undefined && !endedStates.has(session.state)) return false
  const days = daysOf(settings, session.user.split("/", 1)[0] ?? "")
  const since = Math.max(session.updatedAtMillis, session.archivedAtMillis ?? 0)
  return days !== null && since < nowMillis - days * dayMillis
}

/** Deletes expired sessions; one that is working stays until the next run. */
export const run = Effect.fnUntraced(function* (settings: RetentionSettings) {
  const store = yield* SessionStore.SessionStore
  const removal = yield* SessionRemoval
  const nowMillis = yield* store.now
  let after: Session.Summary | undefined
  while (true) {
    const page: ReadonlyArray<Session.Summary> = yield* store.list({
      workspaceRoot: null,
      limit: pageSize,
      ...(after === undefined ? {} : { after })
    })
    for (const main of page) {
      if (!isExpired(main, settings, nowMillis)) continue
      yield* removal.remove(main).pipe(Effect.catchTag("TreeBusy", () => Effect.void))
    }
    after = page.at(-1)
    if (page.length < pageSize) return
  }
})

/** Deletes files of uploads that have not changed for an hour, as killed processes leave them. */
export const sweepUploads = (tenantsDirectory: string) =>
  Effect.map(Clock.currentTimeMillis, (nowMillis) => {
    for (const tenant of readdirSync(tenantsDirectory)) {
      const folder = uploadsDirectory(tenantsDirectory, tenant)
      for (const name of statSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder)) {
        const path = join(folder, name)
        const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMillis
        if (changed < nowMillis - hourMillis) rmSync(path, { recursive: true, force: true })
      }
    }
  })

/** Runs now, then every hour. */
export const layer = (
  tenantsDirectory: string,
  settings: RetentionSettings
): Layer.Layer<never, never, SessionStore.SessionStore | SessionRemoval> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const removal = yield* SessionRemoval
      const isConfigured = settings.days !== undefined || settings.tenants !== undefined
      const round = Effect.all([
        removal.finish,
        sweepUploads(tenantsDirectory),
        isConfigured ? run(settings) : Effect.void
      ]).pipe(Effect.catchCause((cause) => Effect.logWarning("cannot delete expired sessions or uploads", cause)))
      yield* round.pipe(Effect.andThen(Effect.sleep(hourMillis)), Effect.forever, Effect.forkScoped)
    })
  )
