/**
 * Mistakes in calls of an opened pack, and the message for each. Data alone, for any project that has the packages.
 */
import { open } from "@bough/sdk"
import { Tool, ToolPack } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { tmpdir } from "node:os"

export interface Mistake {
  readonly name: string
  /** Makes the mistake and returns its message. */
  readonly make: () => Promise<string>
  readonly says: string
}

const root = tmpdir()

const facts = {
  description: "Does it",
  version: 1,
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters: Schema.Struct({}),
  output: Schema.Struct({}),
  execute: () => Effect.succeed({ output: {}, display: "" })
}

type Changes = Readonly<Record<string, unknown>>
type CallTool = (parameters?: unknown, options?: object) => Promise<unknown>

/** The message for one call of a tool with some changes. */
const saidOf = async (
  tool: Tool.Any,
  value: unknown = {},
  more: Changes = {},
  options: object = {}
): Promise<string> => {
  await using tools = await open(ToolPack.make(tool), { root, ...more })
  return await rejectionOf((tools as unknown as Record<string, CallTool>)["t_do"](value, options))
}

const rejectionOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    (envelope) =>
      JSON.stringify(envelope, (_, value: unknown) => (typeof value === "string" ? value.slice(0, 2_000) : value)),
    String
  )

const calling =
  (changes: Changes, value: unknown = {}, more: Changes = {}) =>
  () =>
    saidOf(Tool.make("t_do", { ...facts, ...changes } as never), value, more)

const callingAsync = (changes: Changes) => () => saidOf(Tool.fromAsync("t_do", { ...facts, ...changes } as never))

const parameters = (fields: Schema.Struct.Fields, value: unknown) =>
  calling({ parameters: Schema.Struct(fields) }, value)

const returning = (output: Tool.Codec, value: unknown) =>
  calling({
    output: Schema.Struct({ a: output }),
    execute: () => Effect.succeed({ output: { a: value }, display: "" })
  })

interface Tree {
  readonly children: ReadonlyArray<Tree>
}
const Tree: Schema.Codec<Tree> = Schema.Struct({ children: Schema.Array(Schema.suspend(() => Tree)) })

const circular: Record<string, unknown> = {}
circular["self"] = circular

const boom = (): never => {
  throw new Error("boom")
}

const raise = (thrown: unknown): never => {
  throw thrown
}

const suspended: Schema.Codec<unknown> = Schema.suspend(() => suspended)

const nested = (levels: number): unknown => {
  let value: unknown = 0
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

const elevated = { tier: "Elevated" }

const kinds = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("x"), a: Schema.String }),
  Schema.Struct({ kind: Schema.Literal("y"), b: Schema.Int })
])

export const mistakes: ReadonlyArray<Mistake> = [
  {
    name: "rules that are not a list",
    make: () =>
      rejectionOf(
        open(ToolPack.make(Tool.make("t_do", facts as never) as Tool.Any), { root, rules: "deny t_do" as never })
      ),
    says: 'open: rules must be a list, as in ["deny write_file"]'
  },
  {
    name: "misspelt option",
    make: () =>
      rejectionOf(
        open(ToolPack.make(Tool.make("t_do", facts as never) as Tool.Any), { root, aprove: () => true } as never)
      ),
    says: 'open has no option "aprove"; its options are root, approve, rules'
  },
  {
    name: "tool in place of a pack",
    make: () => rejectionOf(open(Tool.make("t_do", facts as never) as never, { root })),
    says: "open: the first argument must be a pack, as in open(ToolPack.make(tool), …)"
  },
  {
    name: "async function in Tool.make",
    make: calling({ execute: async () => ({ output: {}, display: "" }) }),
    says: "a bug in the tool t_do: it returned [object Promise] and no Effect; declare a tool of async functions with Tool.fromAsync"
  },
  {
    name: "generator in Tool.make",
    make: calling({
      *execute() {
        yield 1
      }
    }),
    says: "a bug in the tool t_do: it returned [object Generator] and no Effect"
  },
  {
    name: "rule of a tool that there is not",
    make: () =>
      rejectionOf(open(ToolPack.make(Tool.make("t_do", facts as never) as Tool.Any), { root, rules: ["deny t_dont"] })),
    says: 'names the tool "t_dont", which does not exist; the tools are t_do'
  },
  {
    name: "date that is none",
    make: parameters({ at: Schema.Date, n: Schema.FiniteFromString }, { at: "yesterday", n: "x" }),
    says: "at: Expected a valid Date"
  },
  {
    name: "output of a text for a date",
    make: returning(Schema.Date, "1970"),
    says: "its output does not fit its schema: a: Expected a valid Date"
  },
  {
    name: "union without its tag",
    make: parameters({ u: kinds }, { u: {} }),
    says: 'u: kind must be \\"x\\" or \\"y\\"'
  },
  {
    name: "misspelt argument",
    make: parameters({ path: Schema.String }, { paht: "a" }),
    says: 'did you mean \\"path\\"?'
  },
  {
    name: "object that holds itself",
    make: parameters({ tree: Tree }, { tree: { children: [{}] } }),
    says: "tree.children.0.children: is missing"
  },
  {
    name: "value out of 5,000",
    make: parameters({ a: Schema.Literals(Array.from({ length: 5_000 }, (_, index) => `v${index}`)) }, { a: "x" }),
    says: "a: must be one of 5000 values, such as"
  },
  {
    name: "function in an output",
    make: returning(Schema.Any, () => {}),
    says: "a: Expected JSON value: it is a function"
  },
  {
    name: "cycle in an output",
    make: returning(Schema.Any, circular),
    says: "a bug in the tool t_do: its output does not fit its schema: a.self: Expected JSON value: it contains itself"
  },
  { name: "throws", make: calling({ execute: boom }), says: "a bug in the tool t_do: Error: boom" },
  {
    name: "throws later",
    make: calling({ execute: () => Effect.sync(boom) }),
    says: "a bug in the tool t_do: Error: boom"
  },
  {
    name: "throws in an async tool",
    make: callingAsync({ execute: async () => boom() }),
    says: '"_tag":"ExecutionError","message":"boom"'
  },
  {
    name: "never ends",
    make: calling({ timeoutMillis: 20, execute: () => Effect.never }),
    says: '"_tag":"Timeout","elapsedMillis":'
  },
  {
    name: "never ends in an async tool",
    make: callingAsync({ timeoutMillis: 20, execute: () => new Promise(() => {}) }),
    says: '"_tag":"Timeout","elapsedMillis":'
  },
  {
    name: "media that is none",
    make: calling({
      execute: () =>
        Effect.succeed({ output: {}, display: "", media: [{ mediaType: "image/png", data: "no base64!" }] })
    }),
    says: "a bug in the tool t_do: its result does not fit: media.0.data: Expected base64"
  },
  {
    name: "no display",
    make: calling({ execute: () => Effect.succeed({ output: {} }) }),
    says: "a bug in the tool t_do: its result does not fit: display: is missing"
  },
  { name: "classify throws", make: calling({ classify: boom }), says: "a bug in the tool t_do: classify: Error: boom" },
  { name: "timeoutMillis throws", make: calling({ timeoutMillis: boom }), says: "a bug in the tool t_do: Error: boom" },
  {
    name: "secret in an argument",
    make: calling(
      { parameters: Schema.Struct({ a: Schema.String }) },
      { a: "hunter2hunter2" },
      { secrets: ["hunter2hunter2"] }
    ),
    says: "the arguments hold a secret that must not be written down; do without its value"
  },
  {
    name: "nobody to approve",
    make: calling(elevated),
    says: "t_do is Elevated, and no approver is configured: pass approve to open or to the call"
  },
  ...[undefined, null, "yes", 1, {}, { denied: 3 }].map((input): Mistake => ({
    name: `approve returns ${JSON.stringify(input)}`,
    make: calling(elevated, {}, { approve: () => input }),
    says: "returns true, false or { denied: "
  })),
  {
    name: "approve returns an object whose answer throws",
    make: calling(elevated, {}, { approve: () => Object.defineProperty({}, "denied", { get: boom }) }),
    says: "approve failed: Error: boom"
  },
  {
    name: "approve throws what has no words",
    make: calling(elevated, {}, { approve: () => Promise.reject(Object.create(null)) }),
    says: "approve failed: a thrown object that cannot be shown"
  },
  {
    name: "argument that throws what has no words",
    make: parameters({ a: Schema.Any }, { a: { toJSON: () => raise(Object.create(null)) } }),
    says: "t_do: the arguments cannot be written as JSON: a thrown object that cannot be shown"
  },
  {
    name: "call that was aborted before it was made",
    make: () => saidOf(Tool.make("t_do", facts as never), {}, {}, { signal: AbortSignal.abort(new Error("too late")) }),
    says: "Error: too late"
  },
  {
    name: "check of an argument that throws",
    make: parameters({ a: Schema.String.check(Schema.makeFilter(boom, { expected: "a word" })) }, { a: "x" }),
    says: "a bug in the tool t_do: its parameters cannot be decoded: Error: boom"
  },
  ...Object.entries<() => unknown>({ "a throw": boom, nothing: () => null, "no list": () => ({ issues: "x" }) }).map(
    ([what, validate]): Mistake => ({
      name: `Standard Schema that answers with ${what}`,
      make: callingAsync({
        parameters: Tool.standard(
          { "~standard": { version: 1, vendor: "mine", validate } } as never,
          { type: "object", properties: {} } as never
        ),
        execute: async () => ({ output: {}, display: "" })
      }),
      says: "a bug in the tool t_do: its parameters cannot be decoded: "
    })
  ),
  {
    name: "argument of a schema that suspends itself",
    make: parameters({ a: suspended }, { a: "x" }),
    says: "a bug in the tool t_do: its parameters cannot be decoded: "
  },
  {
    name: "arguments deeper than a reply may be",
    make: parameters({ a: Schema.Unknown }, { a: nested(100_000) }),
    says: "nested deeper than 128"
  },
  { name: "approve throws", make: calling(elevated, {}, { approve: boom }), says: "approve failed: Error: boom" },
  {
    name: "aborted call",
    make: () =>
      saidOf(
        Tool.make("t_do", { ...facts, execute: () => Effect.never } as never),
        {},
        {},
        { signal: AbortSignal.timeout(5) }
      ),
    says: "The operation was aborted due to timeout"
  },
  {
    name: "call of a closed pack",
    make: async () => {
      const tools = await open(ToolPack.make(Tool.make("t_do", facts as never) as Tool.Any), { root })
      await tools[Symbol.asyncDispose]()
      return rejectionOf(tools.call("t_do", {}))
    },
    says: "the pack is closed"
  },
  {
    name: "circular argument",
    make: parameters({ a: Schema.Any }, { a: circular }),
    says: "t_do: the arguments cannot be written as JSON: Converting circular structure to JSON"
  },
  {
    name: "bigint where the schema has none",
    make: parameters({ a: Schema.Any }, { a: 3n }),
    says: "t_do: the arguments cannot be written as JSON: Do not know how to serialize a BigInt"
  },
  {
    name: "tool that there is not",
    make: async () => {
      await using tools = await open(ToolPack.make(Tool.make("t_do", facts as never) as Tool.Any), { root })
      return await rejectionOf(tools.call("t_dou", {}))
    },
    says: 'unknown tool \\"t_dou\\"; the nearest: t_do'
  },
  {
    name: "throws what is not an error in an async tool",
    make: callingAsync({ execute: () => Promise.reject({ code: 3 }) }),
    says: "it threw {"
  },
  {
    name: "failure that is not a ToolError",
    // @effect-diagnostics-next-line globalErrorInEffectFailure:off
    make: calling({ execute: () => Effect.fail(new Error("mine")) }),
    says: "it failed with something other than a ToolError: Error: mine; map it to one of the four"
  }
]
