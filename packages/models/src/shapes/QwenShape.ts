/** The file, search and shell tools that Qwen models know from Qwen Code. */
import * as CliTools from "./CliTools.ts"
import { integer, text, type ToolShape } from "./ToolShape.ts"

const boolean = (description: string) => ({ type: "boolean", description })
const filePath = text("In the workspace")

export const QwenShape: ToolShape = CliTools.make("qwen", {
  read_file: {
    ours: "read_file",
    description: "Read a file; offset and limit choose a part of it",
    fields: {
      file_path: ["path", filePath],
      offset: [CliTools.fromZero("fromLine"), integer("First line, from 0")],
      limit: ["maxLines", integer("Most lines")]
    },
    required: ["file_path"]
  },
  write_file: {
    ours: "write_file",
    description: "Write the whole content of a file",
    fields: { file_path: ["path", filePath], content: ["content", text("The whole content")] },
    required: ["file_path", "content"]
  },
  edit: {
    ours: "edit_file",
    description: "Replace text of a file; old_string must occur once, with the lines around it",
    fields: {
      file_path: ["path", filePath],
      old_string: ["old", text("Exact text")],
      new_string: ["new", text("What replaces it")],
      replace_all: ["replaceAll", boolean("Replace every occurrence")]
    },
    required: ["file_path", "old_string", "new_string"]
  },
  glob: {
    ours: "find_files",
    description: "Find files by a glob; ignored files are left out",
    fields: { pattern: ["glob", text("Such as src/**/*.ts")], path: ["path", text("Directory")] },
    required: ["pattern"],
    without: ["limit"]
  },
  grep_search: {
    ours: "search_files",
    description: "Search the contents of files by a regular expression, without regard to case",
    fields: {
      pattern: ["pattern", text("Rust regex, one line")],
      glob: [CliTools.listOfOne("globs"), text("A glob of the files to search")],
      path: ["path", text("Directory or file")],
      limit: ["limit", integer("Most hits")]
    },
    required: ["pattern"],
    defaults: { ignoreCase: true }
  },
  list_directory: {
    ours: "list_files",
    description: "List a directory; ignored files are left out",
    fields: { path: ["path", text("Directory")] },
    required: ["path"]
  },
  run_shell_command: {
    ours: "run_command",
    description: "Run a command in bash and wait for its end",
    fields: {
      command: ["command", text("The command")],
      timeout: ["timeoutMillis", integer("Milliseconds")],
      description: [null, text("One sentence for the user")],
      directory: ["cwd", text("Directory")]
    },
    required: ["command"],
    without: ["argv"],
    background: { flag: "is_background", schemas: { is_background: boolean("Start it and continue") }, wait: null }
  }
})
