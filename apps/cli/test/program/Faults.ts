/** Checks how a failure was reported: it must be one line on stderr with a hint, and nothing on stdout. */
import { type Ended, lines, type Options, type TestFolder } from "./Bough.ts"
import { bough } from "./InProcess.ts"

export interface Line {
  readonly args: ReadonlyArray<string>
  readonly code: number
  readonly says: RegExp
  readonly options?: Options
}

/** The faults of this ending. */
export const faultsOf = (ended: Ended, { args, code, says }: Line): ReadonlyArray<string> => {
  const messages = lines(ended.stderr).filter((line) => line.startsWith("bough: "))
  const faults = [
    ...(ended.code === code ? [] : [`exit code ${ended.code}`]),
    ...(ended.stdout === "" ? [] : [`stdout ${ended.stdout}`]),
    ...(messages.length === 1 ? [] : [`${messages.length} lines`]),
    ...(says.test(messages.join("\n")) ? [] : [`not ${says}`]),
    ...(/\bat .*:\d+:\d+/.test(ended.stderr) ? ["a stack trace"] : [])
  ]
  return faults.length === 0 ? [] : [`${args.join(" ")}: ${faults.join(", ")}\n${ended.stderr}`]
}

export const faultsOfAll = async (place: TestFolder, table: ReadonlyArray<Line>): Promise<ReadonlyArray<string>> => {
  const faults: Array<string> = []
  for (const line of table) faults.push(...faultsOf(await bough(place, line.args, line.options), line))
  return faults
}

/** No model is asked. */
export const offline = ["--model", "offline/planner"]
