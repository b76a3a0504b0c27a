/** The progress that a server reports during a call, as a line for the user. */
import * as Definition from "./Definition.ts"

export interface ServerProgress {
  readonly message?: string | undefined
  readonly progress: number
  readonly total?: number | undefined
}

/** Returns the completed share in percent; undefined: the server states no total. */
export const percentOf = ({ progress, total }: ServerProgress): number | undefined =>
  total === undefined || !(total > 0) ? undefined : Math.min(100, Math.max(0, Math.round((100 * progress) / total)))

const maxLength = 500

export const textOf = (reported: ServerProgress): string => {
  const { message = "", progress } = reported
  const line = Definition.plainText(message.slice(0, 2 * maxLength))
    .replaceAll("\n", " ")
    .slice(0, maxLength)
  return percentOf(reported) === undefined ? `${progress} ${line}`.trimEnd() : line
}
