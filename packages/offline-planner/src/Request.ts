/** The requests that the planner understands, and the tool call for each. */

export type Request =
  | { readonly _tag: "Read"; readonly path: string; readonly fromLine: number | null; readonly toLine: number | null }
  | { readonly _tag: "List"; readonly path: string; readonly recursive: boolean }
  | { readonly _tag: "Find"; readonly glob: string; readonly path: string; readonly counting: boolean }
  | { readonly _tag: "Search"; readonly text: string; readonly path: string; readonly counting: boolean }
  | { readonly _tag: "CountLines"; readonly path: string }
  | { readonly _tag: "Run"; readonly command: string }
  | { readonly _tag: "Write"; readonly path: string; readonly content: string }
  | { readonly _tag: "Replace"; readonly path: string; readonly old: string; readonly new: string }
  | { readonly _tag: "CreateDirectory"; readonly path: string }
  | { readonly _tag: "Delete"; readonly path: string }
  | { readonly _tag: "Move"; readonly from: string; readonly to: string }
  | { readonly _tag: "Copy"; readonly from: string; readonly to: string }
  | { readonly _tag: "Time" }
  | { readonly _tag: "Help" }

export interface ToolCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** The maximum numbers of files and matches that the tools return. */
const maxFiles = 2000
const maxHits = 500

/** Returns the call for a request; null: the planner answers without a tool. */
export const toolCall = (request: Request): ToolCall | null => {
  switch (request._tag) {
    case "Read":
      return { name: "read_file", arguments: { path: request.path, ...lines(request.fromLine, request.toLine) } }
    case "List":
      return { name: "list_files", arguments: { path: request.path, recursive: request.recursive } }
    case "Find":
      return {
        name: "find_files",
        arguments: { glob: request.glob, path: request.path, ...(request.counting ? { limit: maxFiles } : {}) }
      }
    case "Search":
      return {
        name: "search_files",
        arguments: {
          pattern: request.text,
          path: request.path,
          literal: true,
          ...(request.counting ? { limit: maxHits } : {})
        }
      }
    case "CountLines":
      return { name: "read_file", arguments: { path: request.path, maxLines: 1 } }
    case "Run":
      return { name: "run_command", arguments: { command: request.command } }
    case "Write":
      return { name: "write_file", arguments: { path: request.path, content: request.content } }
    case "Replace":
      return { name: "edit_file", arguments: { path: request.path, edits: [{ old: request.old, new: request.new }] } }
    case "CreateDirectory":
      return { name: "create_directory", arguments: { path: request.path } }
    case "Delete":
      return { name: "delete_path", arguments: { path: request.path } }
    case "Move":
      return { name: "move_path", arguments: { from: request.from, to: request.to } }
    case "Copy":
      return { name: "copy_path", arguments: { from: request.from, to: request.to } }
    case "Time":
      return { name: "current_time", arguments: {} }
    case "Help":
      return null
  }
}

const lines = (fromLine: number | null, toLine: number | null) => ({
  ...(fromLine === null ? {} : { fromLine }),
  ...(toLine === null ? {} : { maxLines: Math.max(1, toLine - (fromLine ?? 1) + 1) })
})
