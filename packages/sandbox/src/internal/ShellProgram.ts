/**
 * The lines that a long-lived bash reads and runs one after the other, and the line with which it reports the end of a
 * command. Lines and reports go through a socket that commands do not get; output goes through FIFOs. Output can
 * therefore not be mistaken for a report. The commands do not run inside a loop, which `break` could otherwise leave.
 */

/** The path inside the sandbox of the directory with the FIFOs and the text of the command. */
export const insidePath = "/run/bough/shell"
export const fileNames = { command: "command", stdout: "out", stderr: "err" } as const

/** Makes the start of a shell that reads its lines from `descriptor`, and reports to it. */
export const argv = (shell: string, descriptor: number): ReadonlyArray<string> => [
  "/bin/sh",
  "-c",
  `exec ${shell} --norc --noprofile -s <&${descriptor}`
]

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const isName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/u.test(name)

export interface Line {
  /** Names this command in its report. */
  readonly token: string
  /** The directory; null: the shell's current one. */
  readonly directory: string | null
  /** The variables that are set before the command. */
  readonly variables: Readonly<Record<string, string>>
  /** True if both streams use the first FIFO. */
  readonly merged: boolean
  /** The descriptor of the reports. */
  readonly descriptor: number
}

/** Makes the line that runs the command in the file. It resets options that would end the shell at the next failure. */
export const line = ({ descriptor, directory, merged, token, variables }: Line): string => {
  const set = Object.entries(variables).filter(([name]) => isName(name))
  const file = (name: keyof typeof fileNames): string => `${insidePath}/${fileNames[name]}`
  return `${[
    ...(set.length === 0
      ? []
      : [`\\builtin export ${set.map(([name, value]) => `${name}=${quote(value)}`).join(" ")}`]),
    ...(directory === null ? [] : [`\\builtin cd -- ${quote(directory)} 2>/dev/null`]),
    `IFS= \\builtin read -r -d '' __bough_command <${file("command")}`,
    "LINENO=0",
    `\\builtin eval "$__bough_command" </dev/null >${file("stdout")} 2>${merged ? "&1" : file("stderr")} ${descriptor}>&-`,
    "__bough_status=$?",
    "\\builtin set +eu +o posix",
    "\\builtin disown -a 2>/dev/null",
    `\\builtin printf '%s %s\\n' ${token} "$__bough_status" >&${descriptor}`
  ].join("; ")}\n`
}

/**
 * Makes the text of a command that is an argument vector: it runs a program, never a function or a builtin of the
 * session's shell.
 */
export const withoutShell = (argv: ReadonlyArray<string>): string => `/usr/bin/env -- ${argv.map(quote).join(" ")}`

const maxPendingBytes = 4096

/** Collects the shell's output until it reports the end of the command that `token` names. */
export class Reports {
  #pending = ""
  #token = ""
  #settle: ((exitCode: number | null) => void) | null = null

  /**
   * Expects the report of the next command, and drops earlier reports. `settle` gets null if the data is not a report.
   */
  expect(token: string, settle: (exitCode: number | null) => void): void {
    this.#pending = ""
    this.#token = token
    this.#settle = settle
  }

  push(text: string): void {
    this.#pending += text
    const [last = "", ...lines] = this.#pending.split("\n").toReversed()
    this.#pending = last
    for (const line of lines.toReversed()) {
      const [, token, code] = /^(\S+) (\d{1,3})$/u.exec(line) ?? []
      if (token === this.#token && code !== undefined) return this.#end(Number(code))
    }
    if (this.#pending.length > maxPendingBytes) this.#end(null)
  }

  #end(exitCode: number | null): void {
    const settle = this.#settle
    this.#settle = null
    this.#pending = ""
    settle?.(exitCode)
  }
}
