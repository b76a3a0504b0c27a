/** The standard input of a command that keeps running: text that is written before its start is buffered. */
import type { Writable } from "node:stream"

export interface CommandInput {
  stream: Writable | null
  pending: string
  isClosed: boolean
}

export const make = (): CommandInput => ({ stream: null, pending: "", isClosed: false })

/** Writes text; false: the input was closed before. */
export const write = (input: CommandInput, text: string, end: boolean): boolean => {
  if (input.isClosed) return false
  input.isClosed = end
  if (input.stream === null) input.pending += text
  else pass(input.stream, text, end)
  return true
}

/** Returns the number of bytes or characters that the command has not read yet. */
export const unread = ({ pending, stream }: CommandInput): number => stream?.writableLength ?? pending.length

/** Called when the command has started. */
export const attach = (input: CommandInput, stream: Writable | null): void => {
  input.stream = stream
  if (stream !== null) pass(stream, input.pending, input.isClosed)
  input.pending = ""
}

const pass = (stream: Writable, text: string, end: boolean): void => {
  if (stream.destroyed) return
  if (text !== "") stream.write(text)
  if (end) stream.end()
}
