/** CodeIntelligence for one call: each question goes to the language server of its file. */
import { ToolError } from "@bough/protocol"
import type { CodeIntelligence, WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { WarmServer } from "./client/WarmServer.ts"
import type { WorkspacePaths } from "./client/WorkspacePaths.ts"
import { loadClient } from "./loadClient.ts"

export interface CodeQuestionsOptions {
  readonly read: WorkspaceRead.WorkspaceRead["Service"]
  readonly paths: Effect.Effect<WorkspacePaths>
  readonly warm: (path: string) => Effect.Effect<WarmServer, ToolError.ToolError>
}

export const make = ({ paths, read, warm }: CodeQuestionsOptions): CodeIntelligence.CodeIntelligence["Service"] => {
  const ask = Effect.fnUntraced(function* (
    question: { readonly method: string; readonly path: string } & Partial<{
      readonly position: CodeIntelligence.Position
      readonly more: Readonly<Record<string, unknown>>
    }>
  ) {
    const { Replies } = yield* loadClient
    const server = yield* warm(question.path)
    return { reply: yield* server.ask(read, question), paths: yield* paths, Replies }
  })
  return {
    diagnostics: (path) => Effect.flatMap(warm(path), (server) => server.diagnostics(read, path, null)),
    symbols: (path) =>
      Effect.map(ask({ method: "textDocument/documentSymbol", path }), ({ Replies, paths, reply }) =>
        Replies.symbols(paths, reply, path)
      ),
    findSymbols: (path, query) =>
      Effect.map(ask({ method: "workspace/symbol", path, more: { query } }), ({ Replies, paths, reply }) =>
        Replies.symbols(paths, reply, null)
      ),
    hover: (path, position) =>
      Effect.map(ask({ method: "textDocument/hover", path, position }), ({ Replies, reply }) => Replies.hover(reply)),
    definition: (path, position) =>
      Effect.map(ask({ method: "textDocument/definition", path, position }), ({ Replies, paths, reply }) =>
        Replies.places(paths, reply)
      ),
    references: (path, position) =>
      Effect.map(
        ask({
          method: "textDocument/references",
          path,
          position,
          more: { context: { includeDeclaration: true } }
        }),
        ({ Replies, paths, reply }) => Replies.places(paths, reply)
      ),
    rename: (path, position, newName) =>
      Effect.flatMap(
        ask({ method: "textDocument/rename", path, position, more: { newName } }),
        ({ Replies, paths, reply }) => {
          const edits = Replies.renameEdits(paths, reply)
          return typeof edits === "string"
            ? Effect.fail(new ToolError.ExecutionError({ message: `cannot rename: ${edits}` }))
            : Effect.succeed(edits)
        }
      )
  }
}
