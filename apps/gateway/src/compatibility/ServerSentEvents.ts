/** Frames of a stream of server-sent events. JSON.stringify writes no line breaks, so each frame has one line of data. */
export const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

export const eventText = (event: string, value: unknown): string => `event: ${event}\n${data(value)}`

/** The last frame of a stream: some clients wait for it. */
export const done = "data: [DONE]\n\n"

/** A comment that keeps a connection open; clients skip comments. */
export const heartbeat = ": heartbeat\n\n"
