/** What the commands of the conversation do: `/help` and the others, and `!command`. */
import { Fork, SessionStore } from "@bough/runtime"
import type { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { registryOf, toolsOf } from "../Agents.ts"
import * as OpenSession from "../command/OpenSession.ts"
import { toStop } from "../Failures.ts"
import { nearest } from "../Nearest.ts"
import type { Block } from "./Block.ts"
import type { Afterwards, Conversing, Doing, Open } from "./Conversing.ts"
import { slashCommands } from "./editor/SlashCommands.ts"
import * as ModelCommands from "./ModelCommands.ts"
import * as StatusLine from "./StatusLine.ts"
import * as Turns from "./Turns.ts"
import { whichIs } from "./WhichSession.ts"

type Listed = Extract<Block, { readonly _tag: "Listing" }>["entries"]

/** Carries a command out. What goes wrong is told, and the conversation stays where it is. */
export const perform = (
  conversing: Conversing,
  open: Open,
  { arguments: given, name }: { readonly name: string; readonly arguments: string }
): Effect.Effect<Afterwards, never, SessionStore.SessionStore> =>
  Effect.suspend((): Doing => {
    conversing.stage.print([{ _tag: "Said", text: `/${name} ${given}`, note: "" }])
    const does = commands[name]
    if (does !== undefined) return does(conversing, open, given)
    const near = nearest(name, Object.keys(commands))
    conversing.stage.note(`there is no /${name}${near === null ? "" : `; did you mean /${near}?`} /help lists them`)
    return here
  }).pipe(
    Effect.catch((stop) =>
      Effect.sync((): Afterwards => {
        conversing.stage.note(stop.hint === "" ? (stop.message ?? "") : `${stop.message ?? ""} — ${stop.hint}`, "error")
        return "here"
      })
    )
  )

const here = Effect.succeed<Afterwards>("here")

const list = ({ stage }: Conversing, entries: Listed): Doing => {
  stage.print([{ _tag: "Listing", entries }])
  return here
}

const help = (conversing: Conversing): Doing =>
  list(conversing, [
    ...slashCommands.map(({ arguments: given, help, name }) => [`/${name} ${given}`.trim(), help] as const),
    ...keys
  ])

const keys: Listed = [
  ["!COMMAND", "run a command of your own, in the sandbox"],
  ["@PATH", "name a file; Tab completes it"],
  ["Enter", "send; while the agent works: a word for its next step"],
  ["Tab", "while the agent works: hold what is written until the turn is over"],
  ["Alt-Enter, Ctrl-J", "a new line"],
  ["Up, Down, Ctrl-R", "go through what was sent before"],
  ["Ctrl-O", "print the newest folded output, then the one before it"],
  ["Ctrl-C", "stop what runs; at the prompt: clear it, twice when it is empty: quit"],
  ["Ctrl-Z", "suspend the program; fg goes on"]
]

const tools = (conversing: Conversing): Doing =>
  list(
    conversing,
    Object.values<Tool.Any>(toolsOf(conversing.program.packs, "Main").pack.tools).map(
      ({ description, name, tier }) => [name, `${tier}: ${description}`] as const
    )
  )

const cost = (conversing: Conversing, { model }: Open): Doing => {
  const { contextTokens, usage } = conversing.stage.view()
  const { cachedInputTokens, costUsd, inputTokens, outputTokens } = usage
  return list(conversing, [
    ["tokens in", `${inputTokens}${cachedInputTokens === 0 ? "" : `, ${cachedInputTokens} of them from the cache`}`],
    ["tokens out", `${outputTokens}`],
    [
      "cost",
      costUsd === null || !model.priced ? "not known: the price of this model is not" : `$${costUsd.toFixed(4)}`
    ],
    ["context", contextTokens === null ? "nothing yet" : windowText(contextTokens, model.contextTokens)]
  ])
}

const windowText = (used: number, window: number | null): string =>
  window === null
    ? `${used} tokens; how many the model takes is not known`
    : `${used} of ${window} tokens (${StatusLine.percent(used, window)}%)`

const mostSessions = 15

const sessions = (conversing: Conversing, open: Open, given: string): Doing =>
  Effect.gen(function* () {
    if (given !== "") {
      const sessionId = yield* OpenSession.byId(given)
      if (sessionId === open.session.sessionId) {
        conversing.stage.note("this is that session")
        return "here"
      }
      conversing.stage.note(`session ${sessionId}`)
      return { ...open, which: { session: sessionId, continue: false }, isNew: true }
    }
    const store = yield* SessionStore.SessionStore
    const { workspaceRoot } = conversing.settings
    const found = yield* store.list({ workspaceRoot, limit: mostSessions }).pipe(Effect.mapError(toStop))
    const rows = found.map(({ sessionId, state, title, updatedAtMillis }) => {
      const when = new Date(updatedAtMillis).toISOString().slice(0, 16).replace("T", " ")
      const now = sessionId === open.session.sessionId ? " (this one)" : ""
      return [sessionId, `${when}  ${state}${now}  ${title}`] as const
    })
    return yield* list(
      conversing,
      rows.length === 0
        ? [["", "no sessions in this workspace yet"]]
        : [...rows, ["", "/sessions ID opens one; the beginning of an id will do"]]
    )
  })

const fork = (conversing: Conversing, open: Open, given: string): Doing =>
  Effect.gen(function* () {
    const at = given === "" ? null : Number(given)
    if (at !== null && !Number.isSafeInteger(at)) {
      conversing.stage.note(`/fork takes the number of an entry, not ${JSON.stringify(given)}`, "error")
      return "here"
    }
    const { session } = yield* whichIs(open)
    if (session === null) {
      conversing.stage.note("there is nothing to fork yet")
      return "here"
    }
    const forked = yield* Fork.fork(session, at).pipe(Effect.mapError(toStop))
    conversing.stage.note(`forked ${session}: this is ${forked} now`)
    return { ...open, which: { session: forked, continue: false }, isNew: false }
  })

const compact = (conversing: Conversing, { session }: Open): Doing =>
  Effect.gen(function* () {
    const exit = yield* Turns.attempt(conversing, session, session.compact)
    // What went wrong, or that it was stopped, is told already.
    if (exit === null || Exit.isFailure(exit)) return "here" as const
    const { isShorter, usage } = exit.value
    if (usage === null) conversing.stage.note("there is nothing to summarise yet")
    else
      conversing.stage.note(
        isShorter ? "summarised: every word is still in the session" : "no shorter summary came of it"
      )
    return "here" as const
  })

const commands: Readonly<Record<string, (conversing: Conversing, open: Open, given: string) => Doing>> = {
  help,
  tools,
  model: ModelCommands.model,
  effort: ModelCommands.effort,
  sessions,
  fork,
  compact,
  cost,
  quit: () => Effect.succeed(null)
}

const runTool = "run_command"

/** `!command`: through the session, so that it is confined and recorded as the agent's own commands are. */
export const run = Effect.fnUntraced(function* (conversing: Conversing, { session }: Open, command: string) {
  const { program, stage } = conversing
  if (!registryOf(program.packs).has(runTool)) return stage.note(`there is no tool ${runTool} to run it with`, "error")
  stage.update((view) => ({ view: { ...view, ownCommand: command }, blocks: [] }))
  yield* Turns.attempt(conversing, session, session.call(runTool, JSON.stringify({ command })))
  stage.update((view) => ({ view: { ...view, ownCommand: null }, blocks: [] }))
})
