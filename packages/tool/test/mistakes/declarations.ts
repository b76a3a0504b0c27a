/**
 * Mistakes in a declaration that an untyped program makes, or that types do not show, and the message for each. Data
 * alone, for any project that has the packages.
 */
import { Artifact, Capability, Tool, ToolPack, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as JsonSchema from "effect/JsonSchema"
import * as Schema from "effect/Schema"

export interface Mistake {
  readonly name: string
  readonly make: () => unknown
  /** The error's message: the tool, the field and the fix. */
  readonly says: string
}

class Database extends Capability.make("acme/Database", { floor: "System" })<Database, object>() {}
class Other extends Capability.make("other/Database", { floor: "System" })<Other, object>() {}

const facts = {
  description: "Does it",
  version: 1,
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters: Schema.Struct({ path: Schema.String }),
  output: Schema.Struct({}),
  execute: () => Effect.succeed({ output: {}, display: "" })
}

const thrown = (): never => {
  throw Object.create(null)
}

const endless = (): Schema.Top => Schema.Struct({ children: Schema.optionalKey(Schema.suspend(endless)) })

const nested = (levels: number): Schema.Top => (levels === 0 ? Schema.String : Schema.Struct({ a: nested(levels - 1) }))

const nestedJson = (levels: number): JsonSchema.JsonSchema =>
  levels === 0 ? { type: "string" } : { type: "object", properties: { a: nestedJson(levels - 1) } }

const anyStandard = { "~standard": { version: 1, vendor: "acme", validate: (value: unknown) => ({ value }) } } as const

/** A tool with one thing changed. */
export const make =
  (changes: Readonly<Record<string, unknown>>, name: unknown = "t_do") =>
  () =>
    Tool.make(name as "t_do", { ...facts, ...changes } as never)

/** An async tool with one thing changed. */
const makeAsync =
  (changes: Readonly<Record<string, unknown>>, name: unknown = "t_do") =>
  () =>
    Tool.fromAsync(name as "t_do", { ...facts, execute: () => ({ output: {}, display: "" }), ...changes } as never)

export const say = (what: string, name = '"t_do"'): string => `the tool ${name}: ${what}`

const parameter = (schema: unknown) => make({ parameters: Schema.Struct({ a: schema as Schema.String }) })

const named = (name: string, schema: Schema.Codec<string>) => Object.fromEntries([[name, Schema.optionalKey(schema)]])

export const mistakes: ReadonlyArray<Mistake> = [
  {
    name: "tier in lower-case letters",
    make: make({ tier: "elevated" }),
    says: say('tier: must be one of ReadOnly, Workspace, System, Elevated (it is "elevated")')
  },
  {
    name: "no tier",
    make: make({ tier: undefined }),
    says: say("tier: must be one of ReadOnly, Workspace, System, Elevated (it is missing)")
  },
  {
    name: "tier below the floor",
    make: make({ tier: "Workspace", capabilities: [Capability.WorkspaceRead, Database] }),
    says: say("tier: must be at least System, the floor of Database (it is Workspace)")
  },
  {
    name: "replay that there is not",
    make: make({ replay: "safe" }),
    says: say("replay: must be one of Safe, Idempotent, Unsafe")
  },
  { name: "no version", make: make({ version: undefined }), says: say("version: must be a whole number") },
  {
    name: "version that is not a whole number",
    make: make({ version: 1.5 }),
    says: say("version: must be a whole number")
  },
  { name: "no description", make: make({ description: undefined }), says: say("description: must be a text") },
  {
    name: "empty description",
    make: make({ description: " " }),
    says: say("description: must be a text that tells the model what the tool does (it is empty)")
  },
  {
    name: "name with capitals and spaces",
    make: make({}, "Do The Thing!"),
    says: say("name: providers take lower-case letters", '"Do The Thing!"')
  },
  { name: "empty name", make: make({}, ""), says: say("name: providers take lower-case letters", '""') },
  {
    name: "name of 65 letters",
    make: make({}, "a".repeat(65)),
    says: "name: providers take lower-case letters, digits and _, at most 64"
  },
  {
    name: "name that makes a promise of a pack",
    make: make({}, "then"),
    says: say("name: an opened pack would be taken for a promise", '"then"')
  },
  { name: "no parameters", make: make({ parameters: undefined }), says: say("parameters: must be a Schema of effect") },
  {
    name: "zod's parameters",
    make: make({ parameters: { "~standard": { version: 1 }, parse: () => ({}) } }),
    says: say("parameters: a Standard Schema, such as zod's, is taken by Tool.fromAsync")
  },
  {
    name: "a text for parameters",
    make: make({ parameters: Schema.String }),
    says: say("parameters: must be an object, as in Schema.Struct({ value: … }); a text goes into a field")
  },
  {
    name: "a union for parameters",
    make: make({
      parameters: Schema.Union([Schema.Struct({ a: Schema.String }), Schema.Struct({ b: Schema.String })])
    }),
    says: say("parameters: must be an object, as in Schema.Struct({ value: … }); a union goes into a field")
  },
  {
    name: "a record for parameters",
    make: make({ parameters: Schema.Record(Schema.String, Schema.String) }),
    says: say("parameters: must have named fields; a record goes into a field")
  },
  {
    name: "parameter that may be undefined",
    make: parameter(Schema.UndefinedOr(Schema.String)),
    says: say("parameters.a: JSON has no undefined; use Schema.optionalKey")
  },
  {
    name: "default outside its check",
    make: parameter(ToolSchema.withDefault(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10 })), 20)),
    says: say("parameters.a: its default is not one of its values: Expected a value between 1 and 10")
  },
  {
    name: "default of Effect outside its check",
    make: parameter(Schema.withDecodingDefaultKey(Effect.succeed(20))(Schema.Int.check(Schema.isLessThan(10)))),
    says: say("parameters.a: its default is not one of its values: Expected a value less than 10")
  },
  {
    name: "check without words",
    make: parameter(Schema.Int.check(Schema.makeFilter((n: number) => n % 2 === 0))),
    says: say("parameters.a: a check refuses values and does not say what it expects; write Schema.makeFilter(")
  },
  {
    name: "check with empty words",
    make: parameter(Schema.String.check(Schema.makeFilter((text: string) => text === "", { expected: " " }))),
    says: say("parameters.a: a check refuses values and does not say what it expects")
  },
  {
    name: "check of an object without words, in a list",
    make: parameter(
      Schema.Array(
        Schema.Struct({ from: Schema.Int, to: Schema.Int }).check(
          Schema.makeFilter(({ from, to }: { readonly from: number; readonly to: number }) => from < to)
        )
      )
    ),
    says: say("parameters.a[]: a check refuses values and does not say what it expects")
  },
  {
    name: "a role that no interface knows",
    make: make({ role: "Chart" }),
    says: say("role: must be one of Plan, Command (it is")
  },
  {
    name: "a scope of rules that does not exist",
    make: make({ ruleScope: "Arguments" }),
    says: say("ruleScope: must be Tool (it is")
  },
  {
    name: "findExisting on a Safe tool",
    make: make({ findExisting: () => Effect.succeed(null) }),
    says: say('findExisting: is only for Idempotent tools; leave it out, or declare replay: "Idempotent"')
  },
  {
    name: "time-out of nothing",
    make: make({ timeoutMillis: 0 }),
    says: say("timeoutMillis: must be a positive number of milliseconds")
  },
  {
    name: "time-out in words",
    make: make({ timeoutMillis: "30s" }),
    says: say("timeoutMillis: must be a positive number of milliseconds")
  },
  {
    name: "capabilities by name",
    make: make({ capabilities: ["WorkspaceRead"] }),
    says: say("capabilities[0]: must be a capability, such as Capability.WorkspaceRead")
  },
  {
    name: "capabilities left out",
    make: make({ capabilities: undefined }),
    says: say("capabilities: must be a list, [] for a tool that needs none")
  },
  {
    name: "two capabilities of one name",
    make: make({ tier: "System", capabilities: [Database, Other] }),
    says: say("capabilities[1]: two capabilities are called Database")
  },
  {
    name: "one capability twice",
    make: make({ tier: "System", capabilities: [Database, Database] }),
    says: say("capabilities[1]: Database is listed twice")
  },
  { name: "no output", make: make({ output: undefined }), says: say("output: must be a Schema of effect") },
  { name: "no execute", make: make({ execute: undefined }), says: say("execute: must be a function") },
  {
    name: "classify that is not a function",
    make: make({ classify: "Elevated" }),
    says: say("classify: must be a function")
  },
  {
    name: "egress without words",
    make: make({ egress: { url: "x" } }),
    says: say("egress: must have address or texts")
  },
  {
    name: "forModel that is not a function",
    make: make({ forModel: "text" }),
    says: say("forModel: must be a function of the output")
  },
  {
    name: "the same for an async tool",
    make: () =>
      Tool.fromAsync("t_do", {
        ...facts,
        tier: "elevated",
        execute: async () => ({ output: {}, display: "" })
      } as never),
    says: say("tier: must be one of ReadOnly")
  },
  {
    name: "egress misspelt",
    make: make({ egress: { adress: () => "https://example.org" } }),
    says: say("egress: must have address or texts")
  },
  {
    name: "name that is not text and has no words",
    make: make({}, { toString: thrown }),
    says: "the tool (a object): name: providers take lower-case letters"
  },
  {
    name: "facts that cannot be read",
    make: () => Tool.make("t_do", new Proxy(facts, { get: thrown }) as never),
    says: say("its declaration cannot be read: a thrown object that cannot be shown")
  },
  {
    name: "parameter of a type that is not a schema",
    make: make({ parameters: Schema.Struct({ a: "string" } as never) }),
    says: say("parameters.a: must be a Schema of effect, as in Schema.String")
  },
  {
    name: "output with a constructor for a schema",
    make: make({ output: Schema.Struct({ a: Number } as never) }),
    says: say("output.a: must be a Schema of effect, as in Schema.String")
  },
  {
    name: "parameter whose name is a symbol",
    make: make({ parameters: Schema.Struct({ [Symbol("a")]: Schema.String } as never) }),
    says: say("parameters: the names of fields are texts (one is a symbol)")
  },
  {
    name: "parameter __proto__",
    make: make({ parameters: Schema.Struct(Object.fromEntries([["__proto__", Schema.String]])) }),
    says: say("parameters.__proto__: JSON of others may not name it; choose another name")
  },
  {
    name: "field of a transformation that every object inherits",
    make: parameter(
      Schema.Struct(named("constructor", Schema.String)).pipe(
        Schema.decodeTo(Schema.Struct(named("constructor", Schema.NonEmptyString)))
      )
    ),
    says: say(
      "parameters.a.constructor: every object inherits a member with this name, which a class or a transformation around the field would read instead"
    )
  },
  {
    name: "output __proto__",
    make: make({ output: Schema.Struct({ a: Schema.Array(Schema.Struct(named("__proto__", Schema.String))) }) }),
    says: say("output.a[].__proto__: JSON of others may not name it; choose another name")
  },
  ...[
    {
      what: "transformation",
      output: Schema.Struct(named("toString", Schema.String)).pipe(
        Schema.decodeTo(Schema.Struct(named("toString", Schema.NonEmptyString)))
      )
    },
    {
      what: "class",
      output: class Named extends Schema.Class<Named>("Named")(named("toString", Schema.String)) {}
    },
    { what: "Option", output: Schema.Option(Schema.Struct(named("toString", Schema.String))) },
    {
      what: "Map",
      output: Schema.ReadonlyMap(Schema.String, Schema.Struct(named("toString", Schema.String)))
    }
  ].map(({ output, what }) => ({
    name: `output with a field in a ${what} that every object inherits`,
    make: make({ output: Schema.Struct({ a: Schema.suspend(() => output as Schema.Codec<unknown>) }) }),
    says: say(
      "output.a.toString: every object inherits a member with this name, which a class or a transformation around the field would read instead"
    )
  })),
  {
    name: "schema that suspends a new schema each time",
    make: parameter(endless()),
    says: say("parameters: a suspended schema has no end; name the schema once, as in const Tree = ")
  },
  {
    name: "output that suspends a new schema each time",
    make: make({ output: Schema.Struct({ a: endless() }) }),
    says: say("output: a suspended schema has no end; name the schema once, as in const Tree = ")
  },
  {
    name: "parameters of a thousand levels",
    make: parameter(nested(1000)),
    says: say("parameters: more than 64 objects and lists are within each other; make it flatter")
  },
  {
    name: "output of a thousand levels",
    make: make({ output: Schema.Struct({ a: nested(1000) }) }),
    says: say("output: more than 64 objects and lists are within each other; make it flatter")
  },
  {
    name: "parameters of a hundred levels in JSON Schema",
    make: makeAsync({ parameters: nestedJson(100) }),
    says: say("parameters: more than 64 objects and lists are within each other; make it flatter")
  },
  {
    name: "output of a hundred levels in another library's schema",
    make: makeAsync({ output: Tool.standard(anyStandard, nestedJson(100) as { type: "object" }) }),
    says: say("output: more than 64 objects and lists are within each other; make it flatter")
  },
  {
    name: "async tool whose name is not text",
    make: makeAsync({}, Symbol("t_do")),
    says: "the tool (a symbol): name: providers take lower-case letters"
  },
  {
    name: "tier of many letters",
    make: make({ tier: "x".repeat(60_000) }),
    says: say(`tier: must be one of ReadOnly, Workspace, System, Elevated (it is "${"x".repeat(100)}")`)
  },
  {
    name: "schema that throws when it is read",
    make: parameter(Schema.suspend(() => thrown())),
    says: say("its declaration cannot be read: a thrown object that cannot be shown")
  },
  {
    name: "own capability that hides progress",
    make: () => Capability.make("acme/progress", { floor: "System" }),
    says: "progress is a capability of Bough: choose another name"
  },
  {
    name: "two tools of one name",
    make: () =>
      ToolPack.merge(
        ToolPack.named("files", ToolPack.make(make({})())),
        ToolPack.named("data", ToolPack.make(make({})()))
      ),
    says: "two tools named t_do, of the pack files and the pack data: rename one of them"
  },
  {
    name: "own capability under a name of Bough's",
    make: () => Capability.make("acme/Execution", { floor: "System" }),
    says: "Execution is a capability of Bough: choose another name"
  },
  {
    name: "own capability without a floor",
    make: () => Capability.make("Queue", {} as never),
    says: 'Capability.make("Queue"): floor must be ReadOnly, Workspace, System'
  },
  {
    name: "own artifact without a schema",
    make: () => Artifact.make("acme/Rows", { rows: "number" } as never),
    says: 'Artifact.make("acme/Rows"): rows must be a Schema of effect'
  }
]
