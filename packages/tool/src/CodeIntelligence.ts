/**
 * Language servers' answers about code of the workspace. Paths are in the form of the workspace capabilities; lines and
 * columns count from 1, columns in UTF-16 units. Locations outside the workspace are left out and counted.
 */
import type { Session, ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export interface Position {
  readonly line: number
  readonly column: number
}

/** `endColumn` is exclusive. */
export interface Span extends Position {
  readonly endLine: number
  readonly endColumn: number
}

export interface Location extends Span {
  readonly path: string
}

export type Severity = "error" | "warning" | "information" | "hint"

export interface Problem extends Span {
  readonly severity: Severity
  readonly message: string
  /** The server's name or code of the check, such as "2322"; null: it has none. */
  readonly code: string | null
  /** The program that found the problem, such as "eslint"; null: unknown. */
  readonly source: string | null
}

/** `isComplete` is false if the time limit was reached before the server had finished. */
export interface Problems {
  readonly server: string
  readonly problems: ReadonlyArray<Problem>
  readonly isComplete: boolean
}

export interface SymbolLocation extends Location {
  readonly name: string
  /** The name of the kind, such as "function". */
  readonly kind: string
  /** The enclosing symbol; null: none, or unknown. */
  readonly container: string | null
}

/** `omitted` counts results outside the workspace or beyond the limit. */
export interface Results<A> {
  readonly items: ReadonlyArray<A>
  readonly omitted: number
}

/** Replaces a span of the text that the server has seen. */
export interface TextEdit extends Span {
  readonly newText: string
}

/** The edits of one file, in the order of the file, without overlap. */
export interface FileEdit {
  readonly path: string
  readonly edits: ReadonlyArray<TextEdit>
}

const labels: ReadonlyArray<Session.Label> = ["private"]

export class CodeIntelligence extends Context.Service<
  CodeIntelligence,
  {
    readonly diagnostics: (path: string) => Effect.Effect<Problems, ToolError.ToolError>
    /** The declarations of a file. */
    readonly symbols: (path: string) => Effect.Effect<Results<SymbolLocation>, ToolError.ToolError>
    /** Finds declarations by part of their name, in the project of the file. */
    readonly findSymbols: (path: string, query: string) => Effect.Effect<Results<SymbolLocation>, ToolError.ToolError>
    /** Type and documentation; null: the server has no information about the position. */
    readonly hover: (path: string, position: Position) => Effect.Effect<string | null, ToolError.ToolError>
    readonly definition: (path: string, position: Position) => Effect.Effect<Results<Location>, ToolError.ToolError>
    /** Lists the uses, including the declaration. */
    readonly references: (path: string, position: Position) => Effect.Effect<Results<Location>, ToolError.ToolError>
    /**
     * Returns the edits that rename a symbol everywhere, and writes nothing. Fails if the rename reaches outside the
     * workspace.
     */
    readonly rename: (
      path: string,
      position: Position,
      newName: string
    ) => Effect.Effect<ReadonlyArray<FileEdit>, ToolError.ToolError>
  }
>()("@bough/tool/CodeIntelligence") {
  static readonly floor = "ReadOnly"
  static readonly labels = labels
}
