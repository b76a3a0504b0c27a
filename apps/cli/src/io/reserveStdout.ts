/**
 * Keeps stdout for the answers of the program, which other programs read: JSON, the messages of a protocol. Text that
 * other code of this process prints, such as `console.log` of a tool, goes to stderr.
 */

/** Shared by the bundles of one program, and by the program beside a file of packs. */
const key = Symbol.for("@bough/cli/reservedStdout")

type Stdout = NodeJS.WriteStream & { [key]?: NodeJS.WriteStream }

/** The part of a process that is changed. */
export interface OutputStreams {
  readonly stdout: NodeJS.WriteStream
  readonly stderr: Pick<NodeJS.WriteStream, "write">
}

/** Returns the stream that writes to stdout; from now on, `write` of stdout itself writes to stderr. */
export const reserveStdout = (streams: OutputStreams): NodeJS.WriteStream => {
  const stdout: Stdout = streams.stdout
  return (stdout[key] ??= reserve(stdout, streams.stderr))
}

const reserve = (stdout: NodeJS.WriteStream, stderr: OutputStreams["stderr"]): NodeJS.WriteStream => {
  const write = stdout.write.bind(stdout)
  stdout.write = ((...args: Parameters<typeof write>) => stderr.write(...args)) as typeof stdout.write
  return new Proxy(stdout, {
    get: (target, name) => {
      if (name === "write") return write
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === "function" ? (member.bind(target) as unknown) : member
    },
    set: (target, name, value) => Reflect.set(target, name, value, target)
  })
}
