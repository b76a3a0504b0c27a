/**
 * Claude's `bash` and text editor. Lines are inserted by replacing text, because the editor's own `insert` would
 * require an earlier read.
 */
import {
  parametersWith,
  type Call,
  withoutAbsent,
  integer,
  objectOf,
  onlyEdit,
  text,
  type ToolShape
} from "./ToolShape.ts"

const editor = "str_replace_based_edit_tool"

/** Returns the range of the first and the last line; -1: to the end. */
const rangeOf = (range: unknown) => {
  if (!Array.isArray(range)) return {}
  const [from, to] = range as ReadonlyArray<unknown>
  if (typeof from !== "number" || typeof to !== "number") return {}
  return to === -1 ? { fromLine: from } : { fromLine: from, maxLines: Math.max(1, to - from + 1) }
}

const toFileCalls = ({ arguments: { command, file_text, new_str = "", old_str, path, view_range } }: Call) => {
  if (command === "view") return [{ name: "read_file", arguments: withoutAbsent({ path, ...rangeOf(view_range) }) }]
  if (command === "create") return [{ name: "write_file", arguments: withoutAbsent({ path, content: file_text }) }]
  if (command === "str_replace") {
    return [{ name: "edit_file", arguments: withoutAbsent({ path, edits: [{ old: old_str, new: new_str }] }) }]
  }
  return `there is no command ${JSON.stringify(command)}: there are view, create, str_replace`
}

export const AnthropicShape: ToolShape = {
  name: "anthropic",
  tools: { bash: ["run_command"], [editor]: ["edit_file", "write_file"] },
  declare: (name, ours) =>
    name === "bash"
      ? {
          name,
          description: "Run a command in bash and wait for its end",
          parameters: objectOf(
            { command: text("The command"), ...parametersWith(ours.get("run_command"), ["command", "argv"]) },
            ["command"]
          )
        }
      : {
          name,
          description: "View, create and edit files; str_replace needs old_str to be there once",
          parameters: objectOf(
            {
              command: { type: "string", enum: ["view", "create", "str_replace"] },
              path: text("Relative to the workspace"),
              file_text: text("For create"),
              old_str: text("For str_replace"),
              new_str: text("For str_replace"),
              view_range: { type: "array", items: integer("Line") }
            },
            ["command", "path"]
          )
        },
  toOurs: (call) => {
    if (call.name === editor) return toFileCalls(call)
    const { restart, ...rest } = call.arguments
    return restart === true && rest["command"] === undefined
      ? "each command has a shell of its own: there is nothing to restart"
      : [{ name: "run_command", arguments: rest }]
  },
  toTheirs: (calls) => {
    const [call] = calls
    const { content, path } = call.arguments
    if (call.name === "run_command") {
      return call.arguments["command"] === undefined ? null : { name: "bash", arguments: call.arguments }
    }
    if (call.name === "write_file") {
      return { name: editor, arguments: withoutAbsent({ command: "create", path, file_text: content }) }
    }
    const edit = call.name === "edit_file" ? onlyEdit(call) : null
    return edit === null
      ? null
      : {
          name: editor,
          arguments: withoutAbsent({ command: "str_replace", path, old_str: edit.old, new_str: edit.new })
        }
  }
}
