/** Runs the conversation in the full-screen interface. */
import * as Home from "@bough/host/config/Home"
import type { Settings } from "@bough/host/config/Settings"
import * as Keymap from "@bough/host/keys/Keymap"
import type * as FindSession from "@bough/host/session/FindSession"
import * as SessionMode from "@bough/host/session/SessionMode"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import { basename } from "node:path"
import * as ClipboardImage from "../../io/ClipboardImage.ts"
import * as EditText from "../../io/EditText.ts"
import * as SmallHeap from "../../io/SmallHeap.ts"
import type { Program } from "../../Program.ts"
import type * as Models from "../../session/Models.ts"
import * as ThemeFiles from "../../themes/ThemeFiles.ts"
import * as Conversation from "../conversation/Conversation.ts"
import * as CustomCommands from "../conversation/CustomCommands.ts"
import * as KeyHelp from "../conversation/KeyHelp.ts"
import type { UserInput } from "../conversation/UserInput.ts"
import * as EditorHost from "./EditorHost.ts"
import * as TuiApp from "./TuiApp.ts"
import type * as TuiState from "./TuiState.ts"
import * as TuiUi from "./TuiUi.ts"

export const converse = Effect.fnUntraced(function* (
  program: Program,
  settings: Settings,
  { model, options }: { readonly model: Models.Model; readonly options: FindSession.SessionTarget }
) {
  const mode = SessionMode.make()
  const inputs = yield* Queue.unbounded<UserInput>()
  const editorHost = yield* EditorHost.make(settings, (message) => app.note(message, "error"))
  const theme = yield* Effect.result(ThemeFiles.load(settings.environment, settings.terminal.theme))
  const keymap = KeyHelp.keymapOf(settings)
  const clipboard = yield* ClipboardImage.make(settings.environment.variables)
  const app: TuiApp.TuiApp = yield* Effect.acquireRelease(
    Effect.sync(() =>
      TuiApp.open({
        stdin: program.stdin(),
        stdout: program.stdout,
        silence: program.silence,
        notify: settings.terminal.notify,
        variables: settings.environment.variables,
        model: {
          ...model,
          effort: settings.model.effort,
          folder: basename(settings.workspace.root),
          allowsCommands: settings.policy.approve === "commands"
        },
        showsReasoning: program.output.verbose,
        commands: CustomCommands.toCommands(settings),
        pasteImage: () =>
          Effect.runPromise(
            clipboard.paste.pipe(
              Effect.catch(({ message }) =>
                Effect.sync(() => {
                  app.note(message, "error")
                  return null
                })
              )
            )
          ),
        editText: (text) =>
          Effect.runPromise(
            EditText.edit(program, settings.workspace.root, text).pipe(
              Effect.catch(({ hint, message }) =>
                Effect.sync(() => {
                  app.note(`${message} — ${hint}`, "error")
                  return null
                })
              )
            )
          ),
        readHidden: (prompt) =>
          Effect.runPromise(
            program.terminal.readHidden(prompt).pipe(Effect.ensuring(Effect.sync(program.terminal.close)))
          ),
        releaseTerminal: program.terminal.close,
        workspaceRoot: settings.workspace.root,
        keymap,
        vim: settings.terminal.editor === "vim",
        ...(Result.isSuccess(theme) ? { theme: theme.success } : {}),
        onInput: (input) => {
          if (input._tag !== "ChangeMode") return receive(program, inputs, input)
          mode.set(SessionMode.next(mode.now()))
        },
        onHangUp: () => program.signals.interrupt("SIGHUP"),
        onEditorAction: (action, edit) => void Effect.runFork(editorHost.perform(action, edit))
      })
    ),
    (opened) => Effect.sync(opened.close)
  )
  greet(program, settings, { keymap, app, model })
  yield* Effect.forkScoped(Effect.delay(SmallHeap.preferSmallHeapWithModules, afterStartMillis))
  if (Result.isFailure(theme)) app.note(`${theme.failure.message ?? ""}; the default theme is used`, "error")
  yield* editorHost.begin(app.edit)
  const ui = yield* TuiUi.make({ program, settings, app, inputs, mode })
  yield* Conversation.converse(program, settings, { model, options, ui, mode })
})

/** The delay in which the first screen is drawn. */
const afterStartMillis = 250

/** Handles at once the input that must not be queued. */
const receive = (
  { signals }: Program,
  inputs: Queue.Queue<UserInput>,
  input: Exclude<TuiState.TuiInput, { readonly _tag: "ChangeMode" }>
): void => {
  if (input._tag === "Interrupt") signals.interrupt("SIGINT")
  else Queue.offerUnsafe(inputs, input)
}

const greet = (
  { name, version }: Program,
  { environment, workspace: { root: workspaceRoot } }: Settings,
  { keymap, model, app }: { readonly app: TuiApp.TuiApp; readonly model: Models.Model; readonly keymap: Keymap.Keymap }
): void => {
  const folder = Home.displayPath(workspaceRoot, environment.home)
  app.note(`${name} ${version} · ${model.name} · ${folder}`)
  const interrupt = Keymap.firstShown(keymap, "interrupt")
  app.note(`/help for commands · ${interrupt} interrupts · ${Keymap.firstShown(keymap, "clear")} twice quits`)
}
