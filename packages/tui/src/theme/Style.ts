/** The styles of a row that every terminal supports. Pure. */
import * as SafeText from "../text/SafeText.ts"

/** Colours a piece of a row. */
export type Paint = (text: SafeText.SafeText) => SafeText.SafeText

export interface Style {
  readonly dim: Paint
  readonly bold: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
}

/** Makes the paint of two SGR codes, which begin and end the style. Empty text stays empty. */
export const sgr =
  (on: number, off: number): Paint =>
  (text) =>
    text === "" ? text : SafeText.text`\u001B[${on}m${text}\u001B[${off}m`

/** Makes the paint of an extended foreground colour: `5;n` of the 256 colours, or `2;r;g;b`. */
export const sgrColour = (parameters: ReadonlyArray<number>): Paint => extendedColour(38, parameters)

/** Makes the paint of a background by red, green and blue, from 0 to 255. */
export const sgrGround = (channels: ReadonlyArray<number>): Paint => extendedColour(48, [2, ...channels])

const extendedColour = (code: 38 | 48, parameters: ReadonlyArray<number>): Paint => {
  const first = SafeText.text`${code}`
  const on = parameters.reduce<SafeText.SafeText>((sequence, number) => SafeText.text`${sequence};${number}`, first)
  return (text) => (text === "" ? text : SafeText.text`\u001B[${on}m${text}\u001B[${code + 1}m`)
}

/** Leaves text unchanged. */
export const noPaint: Paint = (text) => text

export const coloured: Style = {
  dim: sgr(2, 22),
  bold: sgr(1, 22),
  red: sgr(31, 39),
  green: sgr(32, 39),
  yellow: sgr(33, 39)
}

export const plain: Style = { dim: noPaint, bold: noPaint, red: noPaint, green: noPaint, yellow: noPaint }
