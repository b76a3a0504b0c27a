/** The progress that a server reports during a call. */
import * as Definition from "./Definition.ts"

export interface ServerProgress {
  readonly message?: string | undefined
  readonly progress: number
  readonly total?: number | undefined
}

/** Returns the completed share in percent; undefined: the server states no total. */
export const percentOf = ({ progress, total }: ServerProgress): number | undefined =>
  total === undefined || !(total > 0) ? undefined : Math.min(100, Math.max(0, Math.round((100 * progress) / total)))

export const textOf = (reported: ServerProgress): string => {
  const { message = "", progress } = reported
  const line = Definition.plainText(message).replaceAll("\n", " ").slice(0, 500)
  return percentOf(reported) === undefined ? `${progress} ${line}`.trimEnd() : line
}
