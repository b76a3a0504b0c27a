/** `tree`: shows the sessions of one conversation as stored, whichever process runs them. */
import * as SettingsFile from "@bough/host/config/Settings"
import * as FindSession from "@bough/host/session/FindSession"
import { type Budget, OpenCalls, Session } from "@bough/protocol"
import { Agent, Journal, SessionState, SessionStore } from "@bough/runtime"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { command as declare, type CommandOptions } from "../command-line/CommandSpec.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../command-line/flags/ListFlags.ts"
import * as Shapes from "../command-line/flags/Shapes.ts"
import { toCliFailure } from "../Failures.ts"
import * as TreeText from "../format/TreeText.ts"
import type { Program } from "../Program.ts"
import { withStore } from "../session/WithStore.ts"

const parameters = {
  id: Shapes.optionalArgument(
    "ID",
    "Session id or its prefix, as listed by `sessions list`; default: the newest conversation of this workspace"
  ),
  watch: Shapes.toggle("watch", "Redraw the tree whenever it changes, until Ctrl-C"),
  format: ListFlags.format
}

type TreeOptions = CommandOptions<typeof parameters>

const show = Effect.fnUntraced(function* (program: Program, common: Common, { format, id, watch }: TreeOptions) {
  const workspaceRoot = yield* SettingsFile.workspaceRoot(program.environment, common.cwd)
  yield* withStore(
    program,
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const { treeId } = yield* store.session(yield* FindSession.byIdOrNewest(id, workspaceRoot))
      const print = printer(program, format)
      const configured = yield* limitOf(program, yield* store.session(treeId))
      const draw = Effect.map(read(store, treeId, configured), print)
      yield* draw
      if (watch) return yield* Effect.forever(Effect.andThen(Effect.sleep("500 millis"), draw))
    }).pipe(Effect.mapError(toCliFailure))
  )
})

/** Returns the limits of the configuration for a Main whose journal records none; null: the file cannot be read. */
const limitOf = ({ environment }: Program, { workspaceRoot }: Session.Summary) =>
  SettingsFile.load(environment, { ...SettingsFile.noOverrides, cwd: workspaceRoot }, null).pipe(
    Effect.map(({ limits }): Budget.Limit | null => Agent.budgetOf(limits)),
    Effect.orElseSucceed(() => null)
  )

const read = (
  store: SessionStore.SessionStore["Service"],
  treeId: Session.SessionId,
  configured: Budget.Limit | null
) =>
  Effect.flatMap(store.sessionsOf(treeId), (summaries) =>
    Effect.forEach(summaries, (summary) =>
      Effect.map(Journal.load(store, summary.sessionId), ({ state }): TreeText.Node => ({
        summary,
        state,
        limit: state.limit ?? configured
      }))
    )
  )

/** The sequence that moves the cursor home and clears the screen below. */
const clear = text`\u001B[H\u001B[J`

/** Prints a tree only if it has changed; a terminal shows only the newest one. */
const printer = ({ output }: Program, format: ListFlags.ListFormat) => {
  let before: string | null = null
  return (nodes: ReadonlyArray<TreeText.Node>): void => {
    const columns = output.stdoutIsTerminal ? output.columns() : null
    const rows = TreeText.rows(nodes, columns)
    const shown = format === "json" ? JSON.stringify(nodes.map(jsonOf)) : rows.join("\n")
    if (shown === before) return
    const isRedraw = before !== null
    before = shown
    if (format === "json") return output.json(nodes.map(jsonOf), isRedraw ? undefined : 2)
    if (isRedraw) output.answerEscaped(output.stdoutIsTerminal ? clear : text`\n`)
    for (const row of rows) output.answerEscaped(text`${row}\n`)
  }
}

const encode = Schema.encodeSync(Session.Summary)

const jsonOf = ({ limit, state, summary }: TreeText.Node) => ({
  ...encode(summary),
  parentId: state.opened?.terms?.parentPath.at(-1) ?? null,
  turn: state.turn,
  step: state.step,
  approvals: state.result === null ? OpenCalls.pendingRequests(state).map(({ approvalId }) => approvalId) : [],
  liveChildren: [...state.liveChildren],
  commands: [...state.runningCommands].map(([commandId, command]) => ({ commandId, command })),
  spent: SessionState.totalSpent(state),
  budget: limit
})

export const command = declare({
  description: "Show the sessions of one conversation: state, pending approvals and cost",
  parameters,
  run: show
})
