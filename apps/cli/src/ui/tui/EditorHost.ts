/** The services that the editor uses: paths and arguments for completion, images behind paths, earlier messages. */
import type { Settings } from "@bough/host/config/Settings"
import { ownPlaces } from "@bough/host/session/SessionCapabilities"
import { SessionStore } from "@bough/runtime"
import type * as Editor from "@bough/tui/editor/Editor"
import * as Effect from "effect/Effect"
import * as HistoryFile from "./HistoryFile.ts"
import * as ImageFile from "./ImageFile.ts"
import * as KnownArguments from "./KnownArguments.ts"
import * as PathLister from "./PathLister.ts"

export interface EditorHost {
  /** Loads the earlier messages of this workspace. */
  readonly begin: (edit: (event: Editor.Event) => void) => Effect.Effect<void>
  readonly perform: (action: Editor.Action, edit: (event: Editor.Event) => void) => Effect.Effect<void>
}

/** `report` receives each kind of fault once; no fault stops the conversation. */
export const make = Effect.fnUntraced(function* (settings: Settings, report: (message: string) => void) {
  const {
    dataDirectory,
    environment,
    workspace: { root: workspaceRoot }
  } = settings
  const history = HistoryFile.make({ dataDirectory, workspaceRoot })
  const paths = yield* PathLister.make({ root: workspaceRoot, protectedPaths: ownPlaces(settings) })
  const store = yield* SessionStore.SessionStore
  const reportedTags = new Set<string>()
  const reportOnce = ({ _tag, message }: { readonly _tag: string; readonly message: string }): Effect.Effect<void> =>
    Effect.sync(() => {
      if (!reportedTags.has(_tag)) report(message)
      reportedTags.add(_tag)
    })
  const host: EditorHost = {
    begin: (edit) =>
      history.load.pipe(
        Effect.map((entries) => edit({ _tag: "HistoryLoaded", entries })),
        Effect.catch(reportOnce)
      ),
    perform: (action, edit) => {
      switch (action._tag) {
        case "CompletePaths":
          return paths.complete(action.query).pipe(
            Effect.catch((error) => Effect.as(reportOnce(error), [])),
            Effect.map((found) => edit({ _tag: "PathsCompleted", request: action.request, paths: found }))
          )
        case "CompleteArguments":
          return Effect.map(KnownArguments.current(store, settings, action.command), (options) =>
            options === null ? undefined : edit({ _tag: "ArgumentsKnown", command: action.command, options })
          )
        case "FindImages":
          return Effect.map(
            ImageFile.find({ workspaceRoot, home: environment.home }, action.paths),
            ({ images, refused }) => edit({ _tag: "ImagesFound", request: action.request, images, refused })
          )
        case "Remember":
          return isKeyLine(action.text) ? Effect.void : history.append(action.text).pipe(Effect.catch(reportOnce))
        default:
          return Effect.void
      }
    }
  }
  return host
})

/** True if the line may contain a provider's key after the provider's name, where keys are refused. */
const isKeyLine = (text: string): boolean => /^\/login\s+\S/u.test(text)
