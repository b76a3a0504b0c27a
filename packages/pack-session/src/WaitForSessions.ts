/** `wait_for_sessions`: waits until some or all children have ended. Their results follow as separate messages. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ChildRow, formatRow, rowOf } from "./ChildRow.ts"

/** The maximum wait: approvals may take days, but the wait needs a limit. */
const maxWaitMillis = 8 * 24 * 60 * 60 * 1000

export const WaitForSessions = Tool.make("wait_for_sessions", {
  version: 1,
  description: "Wait until the sessions that you started have ended; their results follow",
  tier: "Workspace",
  replay: "Safe",
  capabilities: [Capability.Spawn],
  releasesPermit: true,
  timeoutMillis: maxWaitMillis,
  parameters: Schema.Struct({
    sessions: Schema.optionalKey(
      Schema.NonEmptyArray(Schema.String).annotate({ description: "Default: all that are running" })
    ),
    until: Schema.Literals(["any", "all"]).pipe(Schema.withDecodingDefaultKey(Effect.succeed("all" as const))),
    timeoutSeconds: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 7 * 24 * 60 * 60 })))
  }),
  output: Schema.Struct({ sessions: Schema.Array(ChildRow) }),
  forModel: ({ sessions }) => (sessions.length === 0 ? "[no sessions]" : sessions.map(formatRow).join("\n")),
  execute: Effect.fnUntraced(function* ({ sessions, timeoutSeconds, until }) {
    const spawn = yield* Capability.Spawn
    const children = yield* spawn.wait({
      sessionIds: sessions ?? null,
      until,
      timeoutMillis: timeoutSeconds === undefined ? null : timeoutSeconds * 1000
    })
    const ended = children.filter(({ result }) => result !== null).length
    return Tool.result({
      output: { sessions: children.map(rowOf) },
      display: `${ended} of ${children.length} sessions have ended`
    })
  })
})
