/** The events of the editor, and its requests to its host. */
import type { Key } from "../keys/Key.ts"
import type { Command } from "./Bindings.ts"
import type { Image } from "./Image.ts"
import type { ArgumentOptions, InputSyntax } from "./InputSyntax.ts"

export interface ListedPath {
  /** The path, relative to the workspace, with `/` between its parts and none at the end. */
  readonly path: string
  readonly isFolder: boolean
}

export type Event =
  | { readonly _tag: "KeyPressed"; readonly key: Key }
  /** A command without its key. */
  | { readonly _tag: "Commanded"; readonly command: Command }
  | { readonly _tag: "Pasted"; readonly text: string }
  /** The width of the view: up and down move by visible rows. */
  | { readonly _tag: "Resized"; readonly width: number }
  /** Earlier inputs, oldest first. */
  | { readonly _tag: "HistoryLoaded"; readonly entries: ReadonlyArray<string> }
  /** Replaces the draft by text of the host, such as a message to be sent again. */
  | { readonly _tag: "Replaced"; readonly text: string }
  /** Answers `CompletePaths`, best first; an answer to an older request is dropped. */
  | { readonly _tag: "PathsCompleted"; readonly request: number; readonly paths: ReadonlyArray<ListedPath> }
  /** The arguments of a command changed; they are listed in this order. */
  | { readonly _tag: "ArgumentsKnown"; readonly command: string; readonly options: ArgumentOptions }
  /** The host's commands changed. */
  | { readonly _tag: "SyntaxChanged"; readonly syntax: InputSyntax }
  /**
   * Answers a `FindImages`; each must be answered, because sending waits for it. Paths that are not images are in
   * neither list.
   */
  | {
      readonly _tag: "ImagesFound"
      readonly request: number
      readonly images: ReadonlyArray<Image>
      readonly refused: ReadonlyArray<{ readonly path: string; readonly message: string }>
    }

export type Action =
  /** `text` is complete, including folded parts; an image appears in it as `[image name.png]`. */
  | { readonly _tag: "Submit"; readonly text: string; readonly images: ReadonlyArray<Image> }
  /** `!command`, without the sign. */
  | { readonly _tag: "RunCommand"; readonly command: string }
  /** A command of the table; `arguments` as typed, trimmed. */
  | { readonly _tag: "RunSlashCommand"; readonly name: string; readonly arguments: string }
  | { readonly _tag: "CompletePaths"; readonly request: number; readonly query: string }
  /** The user begins an argument of this command; the host may answer with newer `ArgumentsKnown`. */
  | { readonly _tag: "CompleteArguments"; readonly command: string }
  /** Paths as written: absolute, from `~`, or relative to the workspace. */
  | { readonly _tag: "FindImages"; readonly request: number; readonly paths: ReadonlyArray<string> }
  /** Appends the text to the project's history. */
  | { readonly _tag: "Remember"; readonly text: string }
  /** Escape, or Ctrl-C without text to clear. */
  | { readonly _tag: "Interrupt" }
  /** Ctrl-D without text. */
  | { readonly _tag: "Quit" }
  /** A key without a meaning in the editor. */
  | { readonly _tag: "Unused"; readonly key: Key }
