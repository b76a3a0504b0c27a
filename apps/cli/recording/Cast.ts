/** A recorded terminal session in asciicast format, version 2: a header, then one event per line. Pure. */

export interface Event {
  /** The seconds since the start. */
  readonly seconds: number
  /** `o`: output to the terminal. `m`: the name of a mark. */
  readonly kind: "o" | "m"
  readonly text: string
}

export interface Cast {
  readonly columns: number
  readonly rows: number
  readonly title: string
  readonly events: ReadonlyArray<Event>
}

/** The longest pause; a player shortens longer ones. */
const maxPauseSeconds = 3

export const encode = ({ columns, events, rows, title }: Cast): string => {
  const header = { version: 2, width: columns, height: rows, idle_time_limit: maxPauseSeconds, title }
  const lines = events.map(({ kind, seconds, text }) => JSON.stringify([Number(seconds.toFixed(3)), kind, text]))
  return `${[JSON.stringify(header), ...lines].join("\n")}\n`
}

export const decode = (file: string): Cast => {
  const [header, ...lines] = file.trimEnd().split("\n")
  const { height, title, version, width } = JSON.parse(header) as {
    readonly version: number
    readonly width: number
    readonly height: number
    readonly title: string
  }
  if (version !== 2) throw new Error(`asciicast version ${version}, not 2`)
  const events = lines.map((line): Event => {
    const [seconds, kind, text] = JSON.parse(line) as [number, Event["kind"], string]
    return { seconds, kind, text }
  })
  return { columns: width, rows: height, title, events }
}

/** Returns the output to the terminal up to the mark. */
export const upTo = ({ events }: Cast, mark: string): string => {
  const end = events.findIndex(({ kind, text }) => kind === "m" && text === mark)
  if (end < 0) throw new Error(`the recording has no mark ${mark}`)
  return events
    .slice(0, end)
    .filter(({ kind }) => kind === "o")
    .map(({ text }) => text)
    .join("")
}

// Matches sequences that query the terminal, or change the encoding of its keyboard and its pastes.
const talks =
  // oxlint-disable-next-line no-control-regex -- these are the sequences
  /\u001B\]\d+;\?(?:\u0007|\u001B\\)|\u001B\[[<=>][\d;]*[a-z]|\u001B\[\?2004[hl]|\u001B\[\??\d*[cu]/gu

/** Removes sequences that a terminal must not obey during a playback. */
export const withoutTalk = (text: string): string => text.replaceAll(talks, "")

/** Splits the text before an incomplete sequence at its end. */
export const cutAtSequence = (text: string): readonly [whole: string, rest: string] => {
  // oxlint-disable-next-line no-control-regex -- these begin sequences
  const [rest = ""] = /\u001B(?:\[[\d;?<=>]*|\][^\u0007\u001B]*)?$/u.exec(text) ?? []
  return [text.slice(0, text.length - rest.length), rest]
}
