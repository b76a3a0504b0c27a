/**
 * Writable streams of the platform behind a gate. The platform accepts only real streams, so the gate is itself a
 * stream.
 */

/** The call that uses a stream. */
interface Owner {
  readonly isOver: () => boolean
  readonly ended: unknown
}

/** Returns a stream that writes to `stream` until the call ends. */
export const make = (stream: WritableStream<unknown>, { ended, isOver }: Owner): WritableStream<unknown> => {
  if (stream.locked) return stream
  const writer = stream.getWriter()
  const whileOpen = (use: () => Promise<void>): Promise<void> => (isOver() ? Promise.reject(ended) : use())
  return new WritableStream({
    write: (chunk) => whileOpen(() => writer.write(chunk)),
    close: () => whileOpen(() => writer.close()),
    abort: (reason) => whileOpen(() => writer.abort(reason))
  })
}
