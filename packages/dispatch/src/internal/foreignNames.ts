/**
 * Names from other agents that models may use for Bough's tools, for "did you mean". Only tools that the session has
 * are suggested.
 */

const known: Readonly<Record<string, ReadonlyArray<string>>> = {
  run_command: ["bash", "shell", "sh", "exec", "execute", "terminal", "run", "cmd", "local_shell", "exec_command"],
  search_files: ["grep", "rg", "ripgrep", "search", "grep_search", "codebase_search"],
  find_files: ["glob", "find", "file_search", "fd"],
  list_files: ["ls", "dir", "list", "list_dir", "list_directory"],
  read_file: ["cat", "read", "view", "open", "view_file", "head", "tail"],
  write_file: ["write", "create", "create_file", "save_file"],
  edit_file: [
    "edit",
    "apply_patch",
    "str_replace",
    "str_replace_editor",
    "str_replace_based_edit_tool",
    "multi_edit",
    "patch"
  ],
  delete_path: ["rm", "delete", "remove", "delete_file", "remove_file"],
  move_path: ["mv", "move", "rename", "move_file"],
  copy_path: ["cp", "copy"],
  create_directory: ["mkdir"],
  web_fetch: ["fetch", "curl", "wget", "browse", "open_url", "fetch_url"],
  web_search: ["google", "search_web", "bing"],
  update_plan: ["todo", "todo_write", "todowrite", "plan", "write_todos"],
  spawn_worker: ["task", "agent", "dispatch_agent", "subagent"],
  search_memory: ["memory", "recall", "remember"]
}

const byForeign: ReadonlyMap<string, string> = new Map(
  Object.entries(known).flatMap(([ours, theirs]) => theirs.map((name) => [name, ours] as const))
)

/** Returns the tool of this session that has that name in other agents, if there is one. */
export const equivalents = (
  name: string,
  tools: { readonly has: (name: string) => boolean }
): ReadonlyArray<string> => {
  const toolName = byForeign.get(name.toLowerCase())
  return toolName !== undefined && tools.has(toolName) ? [toolName] : []
}
