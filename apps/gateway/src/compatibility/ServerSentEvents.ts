/** Frames of a stream of server-sent events. JSON.stringify writes no line breaks, so each frame has one line of data. */
export const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

export const eventText = (event: string, value: unknown): string => `event: ${event}\n${data(value)}`

/** Ends a stream for clients that wait for it. */
export const done = "data: [DONE]\n\n"

/** Keeps a connection open; clients skip it. */
export const heartbeat = ": heartbeat\n\n"
