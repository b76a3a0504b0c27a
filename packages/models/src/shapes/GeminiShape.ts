/** The file, search and shell tools that Gemini models know from Gemini CLI. */
import * as CliTools from "./CliTools.ts"
import { integer, text, type ToolShape } from "./ToolShape.ts"

const boolean = (description: string) => ({ type: "boolean", description })
const dirPath = text("Relative to the workspace")

export const GeminiShape: ToolShape = CliTools.make("gemini", {
  read_file: {
    ours: "read_file",
    description: "Read a file; start_line and end_line choose a part of it",
    fields: {
      file_path: ["path", text("Relative to the workspace")],
      start_line: ["fromLine", integer("First line, from 1")],
      end_line: [CliTools.lastLine("start_line", "fromLine", "maxLines"), integer("Last line, included")]
    },
    required: ["file_path"]
  },
  write_file: {
    ours: "write_file",
    description: "Write the whole content of a file",
    fields: { file_path: ["path", text("Relative to the workspace")], content: ["content", text("The whole content")] },
    required: ["file_path", "content"]
  },
  replace: {
    ours: "edit_file",
    description: "Replace text of a file; old_string must occur once, with the lines around it",
    fields: {
      file_path: ["path", text("Relative to the workspace")],
      instruction: [null, text("What the change is for")],
      old_string: ["old", text("Exact text")],
      new_string: ["new", text("What replaces it")],
      allow_multiple: ["replaceAll", boolean("Replace every occurrence")]
    },
    required: ["file_path", "instruction", "old_string", "new_string"]
  },
  glob: {
    ours: "find_files",
    description: "Find files by a glob; ignored files are left out",
    fields: {
      pattern: ["glob", text("Such as src/**/*.ts")],
      dir_path: ["path", dirPath]
    },
    required: ["pattern"]
  },
  grep_search: {
    ours: "search_files",
    description: "Search the contents of files by a regular expression",
    fields: {
      pattern: ["pattern", text("Rust regex, one line")],
      dir_path: ["path", text("Directory or file")],
      include_pattern: [CliTools.listOfOne("globs"), text("A glob of the files to search")],
      case_sensitive: [CliTools.not("ignoreCase"), boolean("Default false")],
      fixed_strings: ["literal", boolean("The pattern is plain text")],
      context: ["contextLines", integer("Lines around each hit")],
      total_max_matches: ["limit", integer("Most hits")]
    },
    required: ["pattern"],
    defaults: { ignoreCase: true }
  },
  list_directory: {
    ours: "list_files",
    description: "List a directory; ignored files are left out",
    fields: { dir_path: ["path", dirPath] },
    required: ["dir_path"]
  },
  run_shell_command: {
    ours: "run_command",
    description: "Run a command in bash and wait for its end",
    fields: {
      command: ["command", text("The command")],
      description: [null, text("One sentence for the user")],
      dir_path: ["cwd", dirPath]
    },
    required: ["command"],
    formerNames: { directory: "dir_path" },
    without: ["argv"],
    background: {
      flag: "is_background",
      schemas: { is_background: boolean("Start it and continue"), delay_ms: integer("Wait for its first output") },
      wait: "delay_ms"
    }
  }
})
