/** A repository in memory behind the ports, for what the tools show and ask for; real git has its own tests. */
import { ToolError } from "@bough/protocol"
import { Capability, type Grant, Invocation, Progress, type RepositoryRead, type Tool } from "@bough/tool"
import { SampleInvocation } from "@bough/tool/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

type Reads = Capability.RepositoryRead["Service"]
type Writes = Capability.RepositoryWrite["Service"]
type Pushes = Capability.RepositoryPush["Service"]

/** The members of the ports that a tool may use; any other one fails the call. */
export interface Parts {
  readonly read?: Partial<Reads>
  readonly write?: Partial<Writes>
  readonly push?: Partial<Pushes>
}

export const commit = (id: string, subject: string): RepositoryRead.Commit => ({
  id: id.repeat(40).slice(0, 40),
  parents: [],
  author: "Ada",
  email: "ada@example.invalid",
  atMillis: 0,
  subject,
  body: ""
})

/** Fails as git does for a name without a commit. */
export const missing = (field: string) =>
  Effect.fail(new ToolError.ValidationError({ message: `no ${field}`, field, issues: [] }))

const port = <A extends object>(name: string, members: Partial<A> | undefined): A =>
  new Proxy(members ?? {}, {
    get: (target, key) => {
      if (key in target || typeof key === "symbol") return Reflect.get(target, key) as unknown
      throw new Error(`the tool used ${name}.${key}`)
    }
  }) as A

export const open = ({ push, read, write }: Parts) => {
  const context = (facts: ReadonlyArray<Tool.Fact>, grants: ReadonlyArray<Grant.Grant>) =>
    Context.make(Capability.RepositoryRead, port<Reads>("RepositoryRead", read)).pipe(
      Context.add(Capability.RepositoryWrite, port<Writes>("RepositoryWrite", write)),
      Context.add(Capability.RepositoryPush, port<Pushes>("RepositoryPush", push)),
      Context.add(Capability.WorkspaceRead, port<Capability.WorkspaceRead["Service"]>("WorkspaceRead", undefined)),
      Context.add(Invocation.Invocation, SampleInvocation.make({ facts, grants })),
      Context.add(Progress.Progress, { report: () => Effect.void })
    ) as Context.Context<unknown>
  const decode = <P extends Tool.Codec>(tool: { readonly parameters: P }, input: P["Encoded"]): P["Type"] =>
    Schema.decodeUnknownSync(tool.parameters)(input)
  return {
    classify: <P extends Tool.Codec>(tool: Tool.Tool<string, P, Tool.Codec, unknown>, input: P["Encoded"]) =>
      Effect.setContext(tool.classify?.(decode(tool, input)) ?? Effect.die("no classify"), context([], [])),
    preview: <P extends Tool.Codec>(tool: Tool.Tool<string, P, Tool.Codec, unknown>, input: P["Encoded"]) =>
      Effect.setContext(tool.preview?.(decode(tool, input)) ?? Effect.die("no preview"), context([], [])),
    findExisting: <P extends Tool.Codec, O extends Tool.Codec>(
      tool: Tool.Tool<string, P, O, unknown>,
      input: P["Encoded"]
    ) => Effect.setContext(tool.findExisting?.(decode(tool, input)) ?? Effect.die("no findExisting"), context([], [])),
    /** Runs the handler of a call that was judged by these facts; adds the text for the model. */
    execute: <P extends Tool.Codec, O extends Tool.Codec>(
      tool: Tool.Tool<string, P, O, unknown>,
      input: P["Encoded"],
      facts: ReadonlyArray<Tool.Fact> = []
    ) =>
      Effect.map(Effect.setContext(tool.execute(decode(tool, input)), context(facts, [])), (result) => ({
        ...result,
        text: tool.forModel?.(result.output) ?? ""
      }))
  }
}
