/** Makes the sandbox of macOS from the operator's settings, and tests it. */
import * as Effect from "effect/Effect"
import type { HostVariables, Variables } from "./Environment.ts"
import * as Arguments from "./internal/Arguments.ts"
import * as Disk from "./internal/Disk.ts"
import * as SandboxReport from "./SandboxReport.ts"
import type { SeatbeltWorkshop } from "./SeatbeltExecution.ts"
import { checks } from "./SeatbeltProbe.ts"
import type { Settings } from "./Settings.ts"

export interface SeatbeltParts {
  readonly report: SandboxReport.SandboxReport
  /** Null: the machine has no `sandbox-exec`. */
  readonly workshop: SeatbeltWorkshop | null
}

const usualProgram = "/usr/bin/sandbox-exec"
const hint = "`bough doctor` shows every check"

export const build = Effect.fnUntraced(function* (
  { limits, maxOutputBytes, program }: Settings,
  variables: Variables,
  host: HostVariables
): Effect.fn.Return<SeatbeltParts> {
  const path = program ?? usualProgram
  if (!(yield* Disk.isExecutable(path))) {
    const missing = { name: "sandbox-exec", ok: false, detail: `${path} not found` }
    return { report: SandboxReport.fromChecks("seatbelt", [missing], "it is a part of macOS"), workshop: null }
  }
  const shell = yield* Arguments.shell
  const workshop: SeatbeltWorkshop = {
    program: path,
    shell,
    variables,
    limits,
    maxOutputBytes,
    home: host["HOME"] ?? "/Users"
  }
  return { report: SandboxReport.fromChecks("seatbelt", yield* checks(workshop), hint), workshop }
})
