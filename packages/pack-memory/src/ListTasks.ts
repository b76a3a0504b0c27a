/** `list_tasks`: lists earlier sessions of the user. */
import { Session, ToolError } from "@bough/protocol"
import { Capability, Tool, ToolSchema } from "@bough/tool"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { instant } from "./internal/noteFields.ts"

const dayMillis = 24 * 60 * 60 * 1000

/** Returns the day from midnight to midnight in UTC. */
const dayOf = (date: string): Effect.Effect<readonly [number, number], ToolError.ValidationError> =>
  Option.match(DateTime.make(`${date}T00:00:00Z`), {
    onNone: () =>
      Effect.fail(new ToolError.ValidationError({ message: `${date} is not a date`, field: "date", issues: [] })),
    onSome: (day) => Effect.succeed([DateTime.toEpochMillis(day), DateTime.toEpochMillis(day) + dayMillis])
  })

export const ListTasks = Tool.make("list_tasks", {
  version: 1,
  description: "List earlier tasks of the user, the newest first",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.History],
  parameters: Schema.Struct({
    date: Schema.optionalKey(
      Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/u)).annotate({ description: "Only of that day, UTC" })
    ),
    limit: ToolSchema.withDefault(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })), 20)
  }),
  output: Schema.Struct({
    tasks: Schema.Array(
      Schema.Struct({
        taskId: Schema.String,
        title: Schema.String,
        state: Session.SessionState,
        workspaceRoot: Schema.String,
        createdAt: Schema.String,
        updatedAt: Schema.String
      })
    )
  }),
  forModel: ({ tasks }) =>
    tasks.length === 0
      ? "[no tasks]"
      : tasks
          .map(({ createdAt, state, taskId, title, updatedAt, workspaceRoot }) =>
            [`${taskId}: ${title}`, `  ${state}, from ${createdAt} to ${updatedAt}, in ${workspaceRoot}`].join("\n")
          )
          .join("\n"),
  execute: Effect.fnUntraced(function* ({ date, limit }) {
    const history = yield* Capability.History
    const between = date === undefined ? ([0, Number.MAX_SAFE_INTEGER] as const) : yield* dayOf(date)
    const sessions = yield* history.list(between, limit)
    const tasks = sessions.map(({ createdAtMillis, sessionId, state, title, updatedAtMillis, workspaceRoot }) => ({
      taskId: sessionId,
      title,
      state,
      workspaceRoot,
      createdAt: instant(createdAtMillis),
      updatedAt: instant(updatedAtMillis)
    }))
    return Tool.result({ output: { tasks }, display: tasks.length === 1 ? "1 task" : `${tasks.length} tasks` })
  })
})
