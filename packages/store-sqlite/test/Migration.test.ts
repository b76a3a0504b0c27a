/** Stores of every version that was ever released open, with the same meaning. */
import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { copyFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as SqliteClient from "../src/driver/SqliteClient.ts"
import * as Format from "../src/Format.ts"
import { SessionStoreSql } from "../src/index.ts"
import * as Migration from "../src/Migration.ts"
import * as Tables from "../src/Tables.ts"
import { contents } from "./fixtures/contents.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

interface ExpectedStore {
  readonly treeId: Session.SessionId
  readonly childId: Session.SessionId
  readonly blob: string
  readonly sessions: ReadonlyArray<object>
  readonly list: ReadonlyArray<object>
  readonly notes?: ReadonlyArray<object>
  readonly heldNotes?: ReadonlyArray<object>
  readonly foundNotes?: ReadonlyArray<{ readonly note: object }>
}

/** The texts of the first entries of the recorded sessions. */
const opened = { user: null, agent: "bough" }

/** Notes of an earlier version have an unknown origin; they belong to their user and have no end. */
const ofBefore = { untrusted: true, project: null, validUntilMillis: null }

const withOrigins = ({ foundNotes = [], heldNotes = [], list, notes = [], sessions, ...expected }: ExpectedStore) => ({
  ...expected,
  sessions: sessions.map((summary) => ({ ...opened, ...summary })),
  list: list.map((summary) => ({ ...opened, ...summary })),
  heldNotes: heldNotes.map((held) => ({ project: 0, ...held })),
  notes: notes.map((note) => ({ ...ofBefore, ...note })),
  foundNotes: foundNotes.map((found) => ({ ...found, note: { ...ofBefore, ...found.note } }))
})

/** The values that a store of an earlier version gets for later columns. */
const later = { projectNotes: [], history: [], scratchpad: { items: [], updatedAtMillis: null } }

const copyOf = (version: number) =>
  Effect.map(temporaryDirectory, (directory) => {
    const fixture = join(import.meta.dirname, "fixtures", `v${version}`)
    copyFileSync(join(fixture, "bough.db"), join(directory, "bough.db"))
    const expected = JSON.parse(readFileSync(join(fixture, "expected.json"), "utf8")) as ExpectedStore
    return { directory, expected }
  })

const versions = Array.from({ length: Format.version }, (_, index) => index + 1)

describe("Migration", () => {
  it("has one step for each version", () => assert.strictEqual(Tables.steps.length, Format.version))

  for (const version of versions) {
    it.effect(`a store of version ${version} opens with all its data, and continues`, () =>
      Effect.gen(function* () {
        const { directory, expected } = yield* copyOf(version)
        const { blob, childId, treeId } = expected
        yield* Effect.provide(
          Effect.gen(function* () {
            assert.deepStrictEqual(JSON.parse(JSON.stringify(yield* contents(treeId, childId, blob))), {
              ...later,
              ...withOrigins(expected)
            })
            const store = yield* SessionStore.SessionStore
            const lease = yield* store.acquire(treeId)
            const { entries } = yield* store.session(treeId)
            const next = SampleJournal.append(treeId, entries, SampleJournal.message("goes on"))
            yield* store.commit(SampleJournal.batch(lease, [next]))
            assert.strictEqual((yield* store.entries(treeId, 0, 1000)).length, entries + 1)
          }),
          SessionStoreSql.layer({ directory })
        )
      })
    )
  }

  it.effect("sessions of version 4 get their users, agents and places in lists from their stored entries", () =>
    Effect.gen(function* () {
      const { directory } = yield* copyOf(4)
      const long = `/home/${"x".repeat(20_000)}`
      const bodies: ReadonlyArray<readonly [sessionId: string, body: string, isBlob: boolean]> = [
        ["plain", JSON.stringify({ user: "ada", agent: "coder", workspaceRoot: "/w" }), false],
        ["blob", JSON.stringify({ user: "grace", agent: "writer", workspaceRoot: long }), true],
        ["torn", '{"user":"ada","agent":', false],
        ["older", JSON.stringify({ user: null, agent: "coder", workspaceRoot: "/w" }), false]
      ]
      yield* Effect.scoped(
        Effect.flatMap(SqliteClient.make({ filename: join(directory, "bough.db") }), (client) =>
          client.sync((database) => {
            for (const [index, [sessionId, body, isBlob]] of bodies.entries()) {
              const millis = 5_000_000_000_000 + index * 700
              database.run("INSERT INTO trees VALUES (?, 1, 1, NULL, NULL, NULL, NULL)", [sessionId])
              database.run("INSERT INTO sessions VALUES (?1, ?1, 'Main', 'Suspended', '', '/w', 1, ?2, ?2)", [
                sessionId,
                millis
              ])
              if (isBlob) database.run("INSERT INTO blobs VALUES (?, ?, 0)", [`sha256:${index}`, Buffer.from(body)])
              database.run("INSERT INTO entries VALUES (?, 0, 1, 1, '[]', ?, ?, '')", [
                sessionId,
                isBlob ? null : body,
                isBlob ? `sha256:${index}` : null
              ])
            }
          })
        )
      )
      const listed = yield* Effect.provide(
        Effect.flatMap(SessionStore.SessionStore, (store) => store.list({ workspaceRoot: "/w", limit: 10 })),
        SessionStoreSql.layer({ directory })
      )
      assert.deepStrictEqual(
        listed.map(({ agent, sessionId, user }) => [String(sessionId), user, agent]),
        [
          ["older", null, "coder"],
          ["torn", null, ""],
          ["blob", "grace", "writer"],
          ["plain", "ada", "coder"]
        ]
      )
    })
  )

  const migrated = (filename: string, steps: ReadonlyArray<string>) =>
    Effect.scoped(
      Effect.flatMap(SqliteClient.make({ filename }), (client) =>
        Effect.result(client.sync((database) => Migration.migrate(database, 7, [...Tables.steps, ...steps])))
      )
    )

  const facts = (filename: string) =>
    Effect.scoped(
      Effect.flatMap(SqliteClient.make({ filename }), (client) =>
        client.sync((database) => ({
          version: Format.versionOf(database),
          migrations: database.all("SELECT version FROM migrations").map((row) => row["version"]),
          entries: database.get("SELECT count(*) AS n FROM entries")?.["n"],
          tables: database.all("SELECT name FROM sqlite_schema").map((row) => row["name"])
        }))
      )
    )

  it.effect("later steps run once, in order", () =>
    Effect.gen(function* () {
      const { directory } = yield* copyOf(1)
      const filename = join(directory, "bough.db")
      const steps = ["CREATE TABLE later (x INTEGER)", "INSERT INTO later VALUES (1)"]
      for (let time = 0; time < 2; time++) yield* migrated(filename, steps)
      const after = yield* facts(filename)
      assert.strictEqual(after.version, Format.version + 2)
      assert.deepStrictEqual(after.migrations, [...versions, Format.version + 1, Format.version + 2])
      assert.include(after.tables, "later")
    })
  )

  it.effect("a step that fails leaves the store unchanged", () =>
    Effect.gen(function* () {
      const { directory } = yield* copyOf(1)
      const filename = join(directory, "bough.db")
      const before = yield* facts(filename)
      const result = yield* migrated(filename, [
        "CREATE TABLE later (x INTEGER)",
        "DELETE FROM entries; INSERT INTO nowhere VALUES (1)"
      ])
      assert.strictEqual(result._tag, "Failure")
      assert.deepStrictEqual(yield* facts(filename), before)
    })
  )
})
