/** Bough and the minimal program: the same database, the same first request, the same work. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Bough from "./Bough.ts"
import { check } from "./Check.ts"
import type { Memory } from "./Memory.ts"
import type { Exchange, ModelServer, Script } from "./ModelServer.ts"
import * as ProgramRun from "./ProgramRun.ts"
import { compileProgram, environment } from "./Programs.ts"

export interface Side {
  readonly workspace: string
  /** The body of Bough's first request. */
  readonly firstBody: string
  /** The very first run of Bough, with an empty home directory. */
  readonly firstRun: Timed
  readonly bough: () => ProgramRun.Program
  readonly bare: () => ProgramRun.Program
}

/** The measurements of a run. `startMillis`: the time from before the process was started to the first request. */
export interface Timed {
  readonly startMillis: number
  readonly wholeMillis: number
  readonly exchanges: ReadonlyArray<Exchange>
  readonly peak: Memory | null
}

export interface SideOptions {
  readonly prompt: string
  readonly script: () => Script
  /** The last line that the program must print. */
  readonly answer: string
}

/** Runs Bough once to create a database and a first request, and prepares both programs. */
export const prepare = async (
  server: ModelServer,
  {
    folder,
    prepareWorkspace,
    wanted
  }: { readonly folder: string; readonly wanted: SideOptions; readonly prepareWorkspace: (workspace: string) => void }
): Promise<Side> => {
  const bough = Bough.make(folder, Bough.chatAt(server.baseUrl))
  prepareWorkspace(bough.workspace)
  const bodyFile = join(folder, "first-request.json")
  const firstRun = await time(server, bough.run(wanted.prompt), { wanted, sampled: false })
  const firstBody = firstRun.exchanges[0].body
  writeFileSync(bodyFile, firstBody)
  const program = compileProgram("bare", folder)
  return {
    workspace: bough.workspace,
    firstBody,
    firstRun,
    bough: () => bough.run(wanted.prompt),
    bare: () => ({
      command: process.execPath,
      arguments: [program, bough.database, String(server.port), bodyFile, bough.workspace],
      folder: bough.workspace,
      environment: environment(join(folder, "home"))
    })
  }
}

/** Times one run, which must send the requests that the script expects and print the answer. */
export const time = async (
  server: ModelServer,
  program: ProgramRun.Program,
  { sampled, wanted }: { readonly wanted: SideOptions; readonly sampled: boolean }
): Promise<Timed> => {
  const run: { current: ProgramRun.Run | null } = { current: null }
  const played = server.play({
    ...wanted.script(),
    ...(sampled ? { onRequest: () => run.current?.sample() } : {})
  })
  run.current = ProgramRun.start(program, sampled)
  const ended = await run.current.ended
  if (played.fault !== null) throw played.fault
  const { stdout } = ProgramRun.requireSuccess(ended)
  check(
    stdout === `${wanted.answer}\n`,
    `it printed ${JSON.stringify(stdout.slice(0, 500))}, not ${JSON.stringify(wanted.answer)}`
  )
  check(played.exchanges.length > 0, "no request came")
  return {
    startMillis: played.exchanges[0].arrivedAtMillis - run.current.startedAtMillis,
    wholeMillis: ended.elapsedMillis,
    exchanges: played.exchanges,
    peak: ended.peak
  }
}
