/**
 * The state of this process that a tool could change for all others: its variables, its current directory and its exit
 * code.
 */

const { env } = process // oxlint-disable-line no-restricted-properties -- it is what the kit observes

export type ProcessState = ReadonlyMap<string, string | undefined>

const directory = "the current directory"
const exitCode = "the exit code"

export const read = (): ProcessState =>
  new Map([
    ...Object.entries(env),
    [directory, process.cwd()],
    [exitCode, process.exitCode === undefined ? undefined : String(process.exitCode)]
  ])

/** Returns the names of the parts that have changed. */
export const changes = (before: ProcessState): ReadonlyArray<string> => {
  const after = read()
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name))
}

export const restore = (before: ProcessState): void => {
  for (const name of changes(before)) {
    const value = before.get(name)
    if (name === directory) process.chdir(value ?? "/")
    else if (name === exitCode) process.exitCode = value
    else if (value === undefined) delete env[name]
    else env[name] = value
  }
}
