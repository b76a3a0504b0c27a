/** Tests of capabilities that an app defines. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import { Capability, SessionKind, Tool, ToolContext, ToolPack } from "../src/index.ts"
import { reservedNames } from "../src/internal/builtIn.ts"

class Database extends Capability.make("acme/Database", { floor: "System", labels: ["private"] })<
  Database,
  { readonly query: (sql: string) => Effect.Effect<number> }
>() {}

class Rates extends Capability.make("Rates", { floor: "ReadOnly", reach: "Confined" })<
  Rates,
  { readonly rate: number }
>() {}

const using = (...capabilities: ReadonlyArray<Capability.Any>) =>
  Tool.make("use_it", {
    description: "Uses it",
    version: 1,
    tier: "Elevated",
    replay: "Unsafe",
    capabilities,
    parameters: Schema.Struct({}),
    output: Schema.Struct({}),
    execute: () => Effect.succeed({ output: {}, display: "" })
  })

describe("Capability.make", () => {
  it("has its facts, and omitted ones have the strictest value", () => {
    assert.deepInclude(
      {
        key: Database.key,
        floor: Database.floor,
        reach: Database.reach,
        labels: Database.labels,
        sends: Database.sends
      },
      { key: "acme/Database", floor: "System", reach: "Open", labels: ["private"], sends: true }
    )
    assert.deepStrictEqual([Rates.reach, Rates.labels, Rates.sends], ["Confined", [], undefined])
    const { sends } = Capability.make("Log", { floor: "System", sends: false })<object>()
    assert.isUndefined(sends)
  })

  it.effect("is a service of Effect", () =>
    Effect.gen(function* () {
      const { query } = yield* Database
      assert.strictEqual(yield* query("select 1"), 8)
    }).pipe(Effect.provideService(Database, { query: (sql) => Effect.succeed(sql.length) }))
  )

  it.each([...reservedNames, ...[...reservedNames].map((name) => `acme/${name}`)])("%s is accepted", (name) => {
    assert.throws(() => Capability.make(name, { floor: "ReadOnly" }), "choose another name")
  })

  it.each(["@bough/tool/Database", "@bough/Database", "effect/Clock2", "@effect/x/Y", "~effect/Z"])(
    "%s is in a reserved namespace",
    (name) => {
      assert.throws(() => Capability.make(name, { floor: "ReadOnly" }), /choose another namespace|is a word/u)
    }
  )

  it.each(["", "a b", "acme/", "/Database", "9", "acme//Database", "Data-base", "Database\n", "é"])(
    "%j is not a name",
    (name) => {
      assert.throws(() => Capability.make(name, { floor: "ReadOnly" }), "the name is a word")
    }
  )

  it.each([
    [undefined, "its facts are missing"],
    [{}, "floor must be ReadOnly, Workspace, System"],
    [{ floor: "Elevated" }, "floor must be"],
    [{ floor: "readonly" }, "floor must be"],
    [{ floor: "System", reach: "open" }, "reach must be Confined, Open, Host"],
    [{ floor: "System", labels: "private" }, "labels must be a list of untrusted, private"],
    [{ floor: "System", labels: ["secret"] }, "labels must be"],
    [{ floor: "System", sends: "yes" }, "sends must be true or false"]
  ])("untyped facts are checked: %j", (facts, message) => {
    assert.throws(() => Capability.make("Database", facts as never), `Capability.make("Database"): ${message}`)
  })
})

describe("Capability.provide", () => {
  const provision = Capability.provide(Database, { service: { query: () => Effect.succeed(1) } })
  const rates = Capability.provide(Rates, { service: { rate: 1 } })

  it("has the declared reach, unless it states another", () => {
    assert.strictEqual(provision.provided.reach, "Open")
    assert.strictEqual(rates.provided.reach, "Confined")
    assert.strictEqual(Capability.provide(Rates, { service: { rate: 1 }, reach: "Host" }).provided.reach, "Host")
  })

  it("a Worker gets read-only capabilities, every other kind all", () => {
    const held = (kind: "Main" | "Branch" | "Worker") => [
      ...ToolContext.provideAll(ToolContext.empty(kind), [provision, rates]).capabilities.keys()
    ]
    assert.deepStrictEqual(held("Main"), ["acme/Database", "Rates"])
    assert.deepStrictEqual(held("Branch"), ["acme/Database", "Rates"])
    assert.deepStrictEqual(held("Worker"), ["Rates"])
  })

  it.each<[what: string, serving: object, says: string]>([
    ["a reach that there is not", { reach: "open" }, "Capability.provide(Rates): reach must be Confined, Open, Host"],
    [
      "a service that is not given",
      { service: undefined },
      "service must be the capability's service, as in { service: { query } } (it is missing)"
    ],
    ["a service that is null", { service: null }, "(it is null)"],
    [
      "a service that is not there yet",
      { service: Promise.resolve({ rate: 1 }) },
      "service is a promise: pass its value"
    ],
    ["a service made by no function", { make: 3 }, "make must be a function that returns the service"],
    ["preconditions that are not a list", { preconditions: "abc" }, "the preconditions of Rates must be a list"],
    ["a fact without a digest", { preconditions: [{ key: "a" }] }, "the preconditions of Rates must be a list"],
    ["a fact of an unknown kind", { preconditions: [{ _tag: "Nope" }] }, "the preconditions of Rates must be a list"]
  ])("%s is refused", (_, serving, says) => {
    assert.throws(() => Capability.provide(Rates, { service: { rate: 1 }, ...serving }), says)
  })

  it.effect.each([undefined, {}, [null], [{ key: "a", digest: 3 }], [{ key: "", digest: "" }], [{ _tag: "Nope" }]])(
    "facts that are read later are checked when they are read: %j",
    (facts) =>
      Effect.gen(function* () {
        const { provided } = Capability.provide(Rates, {
          service: { rate: 1 },
          preconditions: Effect.succeed(facts as never)
        })
        const read = yield* Effect.exit(provided.readPreconditions ?? Effect.succeed([]))
        assert.include(String(Exit.isFailure(read) ? read.cause : ""), "the preconditions of Rates must be a list")
      })
  )

  it("refuses the same capability twice", () => {
    const provide = () => ToolContext.provideAll(ToolContext.empty("Main"), [rates, provision, rates])
    assert.throws(provide, "the capability Rates is provided already")
  })

  it("a capability of the same key is another one", () => {
    class Other extends Capability.make("acme/Database", { floor: "ReadOnly" })<Other, object>() {}
    const context = ToolContext.provideAll(ToolContext.empty("Main"), [provision])
    assert.deepStrictEqual(ToolContext.missing(context, [Database]), [])
    assert.deepStrictEqual(ToolContext.missing(context, [Other]), [Other])
    const clash = /two different capabilities are called acme\/Database/u
    assert.throws(() => ToolPack.make(using(Database, Other)), clash)
    const one = ToolPack.make(using(Database))
    const other = ToolPack.make({ ...using(Other), name: "use_other" })
    assert.throws(() => ToolPack.merge(one, other), clash)
    assert.throws(() => SessionKind.Main.with(Database, Other), clash)
  })

  it("a declaration that relaxes one of Bough's is another one", () => {
    const context = ToolContext.provide(
      ToolContext.empty("Main"),
      Capability.Execution,
      ToolContext.constant({} as never)
    )
    const { key, labels } = Capability.Execution
    assert.lengthOf(ToolContext.missing(context, [{ key, labels, floor: "ReadOnly" } as never]), 1)
    assert.lengthOf(ToolContext.missing(context, [{ key, floor: "System" } as never]), 1)
    // As another copy of the package declares it.
    assert.lengthOf(ToolContext.missing(context, [{ key, labels, floor: "System" } as never]), 0)
  })
})

describe("SessionKind.with", () => {
  it("a Worker accepts read-only capabilities, also untyped ones", () => {
    assert.deepStrictEqual(SessionKind.Worker.with(Rates).holds.at(-1), Rates)
    const { with: add } = SessionKind.Worker as unknown as { readonly with: (of: Capability.Any) => unknown }
    assert.throws(() => add(Database), "a Worker holds what only reads: the floor of acme/Database is System")
  })
})
