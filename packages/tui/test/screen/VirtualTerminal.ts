/** A terminal in process that executes sequences like an xterm, and reflows its rows when its width changes. */
import Headless from "@xterm/headless"
import { Writable } from "node:stream"

export interface VirtualTerminal {
  /** The stream that a program writes to. */
  readonly stdout: NodeJS.WriteStream
  readonly write: (text: string) => Promise<void>
  /** Resolves once everything written has been drawn. */
  readonly resize: (columns: number, rows: number) => Promise<void>
  /** Rows since the start, unchanged, as far as they are drawn. */
  readonly rows: () => ReadonlyArray<string>
  /** The visible rows. */
  readonly visible: () => ReadonlyArray<string>
  /** Resolves at the next drawing. */
  readonly drawn: () => Promise<void>
  /** Rows since the start, wrapped ones joined again, without blank ones at the end. */
  readonly lines: () => Promise<ReadonlyArray<string>>
  /** The row of the cursor in `lines` if no row was wrapped, and its column. */
  readonly cursor: () => Promise<{ readonly x: number; readonly y: number }>
  /** Everything that was written, in writes. */
  readonly writes: ReadonlyArray<string>
}

export const make = (columns: number, rows: number): VirtualTerminal => {
  const terminal = new Headless.Terminal({
    cols: columns,
    rows,
    allowProposedApi: true,
    scrollback: 20_000,
    convertEol: true
  })
  const writes: Array<string> = []
  let last = Promise.resolve()
  const write = (text: string): Promise<void> => {
    last = last.then(() => new Promise((resolve) => terminal.write(text, resolve)))
    return last
  }
  const rowsFrom = (first: number): ReadonlyArray<string> =>
    Array.from({ length: terminal.buffer.active.length - first }, (_, at) =>
      (terminal.buffer.active.getLine(first + at)?.translateToString(true) ?? "").trimEnd()
    )
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _, done) => {
      writes.push(String(chunk))
      void write(String(chunk))
      done()
    }
  })
  const stdout = Object.assign(stream, { columns, rows, isTTY: true }) as unknown as NodeJS.WriteStream
  return {
    stdout,
    write,
    writes,
    resize: async (columns, rows) => {
      await last
      Object.assign(stdout, { columns, rows })
      terminal.resize(columns, rows)
      stdout.emit("resize")
    },
    rows: () => rowsFrom(0),
    visible: () => rowsFrom(terminal.buffer.active.baseY),
    drawn: () =>
      new Promise((resolve) => {
        const listener = terminal.onWriteParsed(() => {
          listener.dispose()
          resolve()
        })
      }),
    lines: async () => {
      await last
      const found: Array<string> = []
      const { active } = terminal.buffer
      for (let at = 0; at < active.length; at++) {
        const line = active.getLine(at)
        const text = line?.translateToString(true) ?? ""
        if (line?.isWrapped === true) found.push((found.pop() ?? "") + text)
        else found.push(text)
      }
      return found.slice(0, found.findLastIndex((row) => row !== "") + 1)
    },
    cursor: async () => {
      await last
      const { baseY, cursorX, cursorY } = terminal.buffer.active
      return { x: cursorX, y: baseY + cursorY }
    }
  }
}
