/** The `replace` and `run_shell_command` that Gemini and Qwen know from their own command lines. */
import { alsoOf, given, objectOf, onlyEdit, text, type ToolShape } from "./ToolShape.ts"

export const GeminiShape: ToolShape = {
  name: "gemini",
  tools: { run_shell_command: ["run_command"], replace: ["edit_file"] },
  declare: (name, ours) =>
    name === "replace"
      ? {
          name,
          description: "Replace text of a file; old_string must be there once, with the lines around it",
          parameters: objectOf(
            {
              file_path: text("Relative to the workspace"),
              old_string: text("Exact text"),
              new_string: text("What replaces it"),
              allow_multiple: { type: "boolean", description: "Replace every occurrence" }
            },
            ["file_path", "old_string", "new_string"]
          )
        }
      : {
          name,
          description: "Run a command in bash and wait for its end",
          parameters: objectOf(
            {
              command: text("The command"),
              directory: text("Relative to the workspace"),
              ...alsoOf(ours.get("run_command"), ["command", "argv", "cwd"])
            },
            ["command"]
          )
        },
  toOurs: ({ arguments: given_, name }) => {
    if (name === "replace") {
      const { allow_multiple, file_path, new_string, old_string } = given_
      const edit = given({ old: old_string, new: new_string, replaceAll: allow_multiple === true ? true : undefined })
      return [{ name: "edit_file", arguments: given({ path: file_path, edits: [edit] }) }]
    }
    const { description: _, directory, ...rest } = given_
    return [{ name: "run_command", arguments: given({ ...rest, cwd: directory }) }]
  },
  toTheirs: ([call]) => {
    if (call.name === "run_command") {
      const { cwd, ...rest } = call.arguments
      return rest["command"] === undefined
        ? null
        : { name: "run_shell_command", arguments: given({ ...rest, directory: cwd }) }
    }
    const edit = call.name === "edit_file" ? onlyEdit(call) : null
    return edit === null
      ? null
      : {
          name: "replace",
          arguments: given({ file_path: call.arguments["path"], old_string: edit.old, new_string: edit.new })
        }
  }
}
