/** Flags and commands of other agents, with their equivalents here. Pure. */

/** Explains an equivalent; `name`: the name of this program. */
type Hint = (name: string) => string

const prompt: Hint = (name) => `'${name} run "…"' sends one prompt`
const resume: Hint = () => "--continue resumes the newest session, --session ID another one"
const workspace: Hint = () => "--cwd DIR sets the workspace"
const approvals: Hint = () => "--approve and --allow set which calls need no approval"
const login: Hint = (name) => `"${name} login" logs in at a provider, or saves its key`

/** Flags of other agents. A hint that begins with a flag is given only for commands that have the flag. */
const flags: Readonly<Record<string, Hint>> = {
  "-p": prompt,
  "--print": prompt,
  "--prompt": prompt,
  "-r": resume,
  "--resume": resume,
  "-C": workspace,
  "--cd": workspace,
  "--json": () => "--format json prints JSON",
  "--output-format": () => "--format prints text, json or stream-json",
  "--yolo": approvals,
  "--full-auto": approvals,
  "--dangerously-skip-permissions": approvals,
  "--allowedTools": () => "--allow RULE allows calls without an approval",
  "--max-turns": () => "--max-steps N limits the model calls of a turn"
}

const commands: Readonly<Record<string, Hint>> = {
  exec: prompt,
  ask: prompt,
  resume,
  auth: login,
  models: (name) => `"${name} doctor" lists the configured models`,
  version: (name) => `"${name} --version" prints the version`
}

const find = (table: Readonly<Record<string, Hint>>, word: string, name: string): string | null =>
  Object.hasOwn(table, word) ? table[word](name) : null

/**
 * Returns a hint for a flag of another agent; null: no known agent has it, or the command lacks the flag that the hint
 * names. `known`: the flags of the command, without dashes.
 */
export const flag = (option: string, name: string, known: ReadonlySet<string>): string | null => {
  const hint = find(flags, option.split("=", 1)[0], name)
  const [, named] = /^--([a-z-]+)/u.exec(hint ?? "") ?? []
  return named === undefined || known.has(named) ? hint : null
}

/** Returns a hint for a command of another agent; null: no known agent has it. */
export const command = (word: string, name: string): string | null => find(commands, word, name)
