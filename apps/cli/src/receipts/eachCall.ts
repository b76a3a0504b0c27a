/** Reads the calls of the sessions that a report covers, one by one. */
import { CallRecord } from "@bough/receipts"
import type { CommandOptions } from "../command-line/CommandSpec.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../command-line/flags/ListFlags.ts"
import * as Shapes from "../command-line/flags/Shapes.ts"
import type { Program } from "../Program.ts"
import * as EachTree from "./EachTree.ts"

export const parameters = {
  session: Shapes.optionalArgument(
    "ID",
    "Session id or its prefix; its descendants are included; default: all sessions of this workspace"
  ),
  all: ListFlags.all,
  format: ListFlags.format
}

export type ReportOptions = CommandOptions<typeof parameters>

export const noCalls = "no calls yet"

/** Leaves out the calls that a fork copied from another session. */
export const eachCall = (
  program: Program,
  common: Common,
  report: { readonly options: ReportOptions; readonly use: (call: CallRecord.CallRecord) => void }
) => {
  const { options, use } = report
  let calls = CallRecord.empty()
  return EachTree.forEach(
    program,
    { common, options },
    {
      begin: () => {
        calls = CallRecord.empty()
      },
      use: (entry) => {
        const call = CallRecord.append(calls, entry)
        if (call !== null && !call.copied) use(call)
      }
    }
  )
}
