/** The conversation on the screen: one session after another, each with turns, commands and questions, until it is left. */
import type { Entry, Session } from "@bough/protocol"
import { BlobStore, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import { registryOf } from "../Agents.ts"
import * as AskedBy from "../command/AskedBy.ts"
import * as LookBack from "../command/LookBack.ts"
import type * as Models from "../command/Models.ts"
import * as OpenSession from "../command/OpenSession.ts"
import type { Settings } from "../config/Settings.ts"
import { toStop } from "../Failures.ts"
import * as Home from "../Home.ts"
import type { Program } from "../Program.ts"
import type { Stop } from "../Stop.ts"
import * as AskPerson from "../terminal/AskPerson.ts"
import type { Conversing, Next, Open } from "./Conversing.ts"
import * as EditorHost from "./EditorHost.ts"
import * as Replay from "./Replay.ts"
import * as SlashCommand from "./SlashCommand.ts"
import * as Stage from "./Stage.ts"
import * as Turns from "./Turns.ts"
import * as View from "./View.ts"
import * as WholeOutput from "./WholeOutput.ts"

export const converse = Effect.fnUntraced(function* (
  program: Program,
  settings: Settings,
  { model, options }: { readonly model: Models.Model; readonly options: OpenSession.Which }
) {
  const wishes = yield* Queue.unbounded<Stage.Wish>()
  const editorHost = yield* EditorHost.make(settings, (message) => stage.note(message, "error"))
  const stage: Stage.Stage = yield* Effect.acquireRelease(
    Effect.sync(() =>
      Stage.open({
        stdin: program.stdin(),
        stdout: process.stdout,
        variables: settings.surroundings.variables,
        model: { ...model, effort: settings.effort },
        showsReasoning: program.output.verbose,
        onWish: (wish) => wished(program, wishes, wish),
        onHangUp: () => program.signals.interrupt("SIGHUP"),
        onEditorAction: (action, edit) => void Effect.runFork(editorHost.perform(action, edit))
      })
    ),
    (opened) => Effect.sync(opened.close)
  )
  greet(program, settings, { stage, model })
  yield* editorHost.begin(stage.edit)
  program.output.onClosed(() => program.signals.interrupt("SIGTERM"))
  const conversing: Conversing = { program, settings, stage, wishes, held: [] }
  const chosen = { name: model.name, effort: settings.effort, variables: settings.providerVariables }
  let open: Next | null = { which: options, model, chosen, isNew: true }
  let before: Next | null = null
  while (open !== null) {
    const { left, opened }: InSession = yield* Effect.scoped(inSession(conversing, open))
    // What could not be opened leaves the person where they were.
    if (opened !== null || before === null || Exit.isSuccess(left)) {
      before = opened
      open = yield* left
      continue
    }
    stage.note(Turns.stopText(left.cause, program.output.verbose), "error")
    open = before
    before = null
  }
})

interface InSession {
  /** Null: it could not be opened. */
  readonly opened: Next | null
  readonly left: Exit.Exit<Next | null, Stop>
}

/** What must not wait for its turn is done at once. */
const wished = ({ signals }: Program, wishes: Queue.Queue<Stage.Wish>, wish: Stage.Wish): void => {
  if (wish._tag === "Interrupt") signals.interrupt("SIGINT")
  else Queue.offerUnsafe(wishes, wish)
}

const greet = (
  { name, version }: Program,
  { surroundings, workspaceRoot }: Settings,
  { model, stage }: { readonly stage: Stage.Stage; readonly model: Models.Model }
): void => {
  const place = Home.forPeople(workspaceRoot, surroundings.home)
  stage.note(`${name} ${version} · ${model.name} · ${place}`)
  stage.note("/help says more. Ctrl-C stops a turn, twice at the empty prompt it quits.")
}

const inSession = (conversing: Conversing, next: Next) =>
  Effect.gen(function* () {
    const { stage } = conversing
    const opening = yield* Effect.exit(openSession(conversing, next))
    if (Exit.isFailure(opening)) return { opened: null, left: Exit.failCause(opening.cause) } satisfies InSession
    const session = opening.value
    const { chosen, model } = next
    const opened: Next = { which: { session: session.sessionId, continue: false }, model, chosen, isNew: false }
    stage.setModel({ ...model, effort: chosen.effort })
    const left = yield* Effect.exit(talk(conversing, { session, model, chosen }))
    return { opened, left } satisfies InSession
  })

const openSession = Effect.fnUntraced(function* (conversing: Conversing, { isNew, model, which }: Next) {
  const { program, settings, stage } = conversing
  const registry = registryOf(program.packs)
  const blobs = yield* BlobStore.BlobStore
  const { workspaceRoot } = settings
  const store = yield* SessionStore.SessionStore
  const session = yield* OpenSession.open(program, settings, {
    which,
    kind: "Main",
    model,
    reflects: settings.reflect ?? true,
    channel: {
      name: "terminal",
      readers: "owner",
      ask: (request) =>
        AskedBy.orNothing(store, request.sessionPath).pipe(
          Effect.flatMap((askedBy) =>
            stage.ask({ request, askedBy }, AskPerson.ruleFor({ registry, workspaceRoot }, request))
          ),
          Effect.map((decision) => ({ decision, principal: settings.surroundings.user ?? "terminal" }))
        ),
      publish: (event) => Effect.map(WholeOutput.ofEvent(event, blobs), stage.show)
    }
  })
  const entries = yield* entriesOf(session.sessionId)
  const shown = yield* WholeOutput.ofEntries(entries, blobs)
  const { blocks, view } = Replay.replay(View.make(session.sessionId, program.output.verbose), shown)
  stage.update(() => ({ view, blocks: isNew ? blocks : [] }))
  return session
})

const talk = Effect.fnUntraced(function* (conversing: Conversing, open: Open) {
  const { session } = open
  const { stage } = conversing
  const kept = (lines: ReadonlyArray<string>) => lines.forEach((line) => stage.note(line))
  if (yield* session.hasOpenTurn.pipe(Effect.mapError(toStop))) {
    conversing.stage.note("the last turn was left open; going on with it")
    yield* Turns.turn(conversing, session, session.resume)
  }
  while (true) {
    const wish = yield* LookBack.meanwhile(session, nextWish(conversing), kept)
    if (wish._tag === "Quit") return null
    if (wish._tag === "Say") yield* Turns.say(conversing, session, said(wish))
    else if (wish._tag === "RunCommand") yield* SlashCommand.run(conversing, open, wish.command)
    else if (wish._tag === "RunSlashCommand") {
      const next = yield* SlashCommand.perform(conversing, open, wish)
      if (next !== "here") return next
    }
  }
})

const said = ({ images, text }: Extract<Stage.Wish, { readonly _tag: "Say" }>): Turns.Said => ({
  text,
  media: images.map(({ media }) => media)
})

/** What waited for the end of the turn comes before what is wished for now. */
const nextWish = (conversing: Conversing): Effect.Effect<Stage.Wish> =>
  Effect.suspend(() => {
    const held = conversing.held.shift()
    if (held === undefined) return Queue.take(conversing.wishes)
    Turns.showHeld(conversing)
    return Effect.succeed(held)
  })

const pageSize = 256

/** None while the session is not stored. */
const entriesOf = Effect.fnUntraced(function* (sessionId: Session.SessionId) {
  const store = yield* SessionStore.SessionStore
  const all: Array<Entry.Entry> = []
  for (;;) {
    const page = yield* store.entries(sessionId, all.length, pageSize).pipe(Effect.mapError(toStop))
    all.push(...page)
    if (page.length < pageSize) return all
  }
})
