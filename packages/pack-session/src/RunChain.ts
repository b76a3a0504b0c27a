/** `run_chain`: runs several calls in one step, in which arguments can be parts of earlier outputs. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const Link = Schema.Struct({
  name: Schema.String.check(
    Schema.isPattern(/^[a-z][a-z0-9_]{0,31}$/u, {
      message: "Expected lower-case letters, digits and _, a letter first"
    })
  ),
  tool: Schema.NonEmptyString,
  arguments: Schema.Record(Schema.String, Schema.Json).annotate({
    description: 'As for the tool; {"$from": "NAME", "at": "/pointer"} is a part of that link\'s JSON output'
  })
})

export const RunChain = Tool.make("run_chain", {
  version: 1,
  description:
    "Make several calls in one step, each checked as if alone; arguments may refer to parts of other calls' outputs. Outputs that no call refers to are shown whole",
  tier: "Workspace",
  replay: "Safe",
  // Links that need an approval wait for users, so the limit is long.
  timeoutMillis: 60 * 60_000,
  // The links acquire permits themselves.
  releasesPermit: true,
  maxModelBytes: 50 * 1024,
  capabilities: [Capability.Chain],
  parameters: Schema.Struct({ links: Schema.NonEmptyArray(Link) }),
  output: Schema.Struct({
    links: Schema.Array(
      Schema.Struct({
        name: Schema.String,
        tool: Schema.String,
        status: Schema.Literals(["succeeded", "failed", "rejected", "unknown", "not run"]),
        text: Schema.String
      })
    )
  }),
  forModel: ({ links }) =>
    links.map(({ name, status, text, tool }) => `[${name}: ${tool} ${status}]\n${text}`).join("\n\n"),
  execute: Effect.fnUntraced(function* ({ links }) {
    const chain = yield* Capability.Chain
    const ends = yield* chain.run(links)
    const done = ends.filter(({ status }) => status === "succeeded").length
    return Tool.result({
      output: {
        links: ends.map(({ display, isLast, name, status, text, tool }) => ({
          name,
          tool,
          status,
          text: isLast || display === null ? text : display
        }))
      },
      display: `${done} of ${ends.length} calls succeeded`
    })
  })
})
