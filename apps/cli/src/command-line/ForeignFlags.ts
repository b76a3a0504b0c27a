/** Flags and commands that people know from other agents, and what does the same here. Pure. */

/** `name`: of this program. */
type Told = (name: string) => string

const prompt: Told = (name) => `${name} run "…" sends one prompt`
const resume: Told = () => "--continue goes on with the newest session, --session ID with another"
const workspace: Told = () => "--cwd DIR names the workspace"
const unasked: Told = () => "--approve and --allow say what needs no question"
const key: Told = (name) => `${name} config set providers.NAME.apiKey VALUE keeps a key`

const flags: Readonly<Record<string, Told>> = {
  "-p": prompt,
  "--print": prompt,
  "--prompt": prompt,
  "-r": resume,
  "--resume": resume,
  "-C": workspace,
  "--cd": workspace,
  "--json": () => "--format json prints JSON",
  "--output-format": () => "--format prints text, json or stream-json",
  "--yolo": unasked,
  "--full-auto": unasked,
  "--dangerously-skip-permissions": unasked,
  "--allowedTools": () => "--allow RULE names calls that need no question",
  "--max-turns": () => "--max-steps N limits the model calls of a turn"
}

const commands: Readonly<Record<string, Told>> = {
  exec: prompt,
  ask: prompt,
  resume,
  login: key,
  auth: key,
  models: (name) => `${name} doctor names the models that can answer`,
  version: (name) => `${name} --version prints it`
}

const find = (table: Readonly<Record<string, Told>>, word: string, name: string): string | null =>
  Object.hasOwn(table, word) ? table[word](name) : null

/** Null: nothing is known of it. */
export const flag = (option: string, name: string): string | null => find(flags, option.split("=", 1)[0], name)

/** Null: nothing is known of it. */
export const command = (word: string, name: string): string | null => find(commands, word, name)
