/** The conversation on the screen. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Models from "../command/Models.ts"
import type * as OpenSession from "../command/OpenSession.ts"
import type { Settings } from "../config/Settings.ts"
import * as Conversation from "../conversation/Conversation.ts"
import type { Wish } from "../conversation/Wish.ts"
import * as Home from "../Home.ts"
import type { Program } from "../Program.ts"
import * as EditorHost from "./EditorHost.ts"
import * as ScreenPlace from "./ScreenPlace.ts"
import * as Stage from "./Stage.ts"
import type * as StageState from "./StageState.ts"

export const converse = Effect.fnUntraced(function* (
  program: Program,
  settings: Settings,
  { model, options }: { readonly model: Models.Model; readonly options: OpenSession.Which }
) {
  const wishes = yield* Queue.unbounded<Wish>()
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
  const place = yield* ScreenPlace.make({ program, settings, stage, wishes })
  yield* Conversation.converse(program, settings, { model, options, place })
})

/** What must not wait for its turn is done at once. */
const wished = ({ signals }: Program, wishes: Queue.Queue<Wish>, wish: StageState.Wish): void => {
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
