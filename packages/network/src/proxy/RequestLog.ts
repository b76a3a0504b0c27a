/**
 * The requests of one command through the proxy, a line for each host and method, and the bytes that it may still
 * send.
 */
import type { Execution } from "@bough/tool"

type Line = { -readonly [K in keyof Execution.CommandRequest]: Execution.CommandRequest[K] }

export interface RequestLog {
  /** Returns the line for a method at an origin; the caller changes it. */
  readonly line: (method: string, url: string) => Line
  /** Counts the bytes; true if the command may still send that many to the host. */
  readonly send: (line: Line, bytes: number) => boolean
  readonly lines: () => ReadonlyArray<Execution.CommandRequest>
}

/** The maximum number of lines; further requests are summarised in the last line. */
const maxLines = 200

export const make = (maxSentBytes: number): RequestLog => {
  const lines = new Map<string, Line>()
  const sentBytes = new Map<string, number>()
  const lineFor = (method: string, url: string): Line => {
    const key = `${method} ${url}`
    const known = lines.get(key)
    if (known !== undefined) return known
    if (lines.size >= maxLines) return lines.get("") ?? lineAt("", "OTHER", "other hosts")
    return lineAt(key, method, url)
  }
  const lineAt = (key: string, method: string, url: string): Line => {
    const newLine: Line = { method, url, status: null, bytes: 0, refused: null }
    lines.set(key, newLine)
    return newLine
  }
  return {
    line: lineFor,
    send: (line, bytes) => {
      const host = URL.parse(line.url)?.host ?? line.url
      const total = (sentBytes.get(host) ?? 0) + bytes
      if (total > maxSentBytes) return false
      sentBytes.set(host, total)
      line.bytes += bytes
      return true
    },
    lines: () => [...lines.values()].map((line) => ({ ...line }))
  }
}
