/** The output so far of a running command, or its newest part if it is long, for a call that is stopped. */

const maxLength = 256 * 1024

export interface OutputSoFar {
  readonly add: (text: string) => void
  readonly text: () => string
}

export const make = (): OutputSoFar => {
  let text = ""
  return {
    add: (piece) => {
      text += piece
      if (text.length > 2 * maxLength) text = text.slice(-maxLength)
    },
    text: () => (text === "" ? "" : `its output so far:\n${text.slice(-maxLength).trimEnd()}`)
  }
}
