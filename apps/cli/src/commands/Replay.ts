/**
 * `replay`: runs the repeatable calls of a session again, under the current rules and capabilities, and compares the
 * results.
 */
import * as SettingsFile from "@bough/host/config/Settings"
import * as Memory from "@bough/host/memory/Memories"
import * as FindSession from "@bough/host/session/FindSession"
import { Canonical } from "@bough/protocol"
import { CallRecord, Difference, Replay } from "@bough/receipts"
import { BlobStore, SessionStore, TreeEntries } from "@bough/runtime"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { exitCode, exitSilently } from "../CliFailure.ts"
import { command as declare, type CommandOptions } from "../command-line/CommandSpec.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../command-line/flags/ListFlags.ts"
import { toCliFailure } from "../Failures.ts"
import type { Program } from "../Program.ts"
import * as Rerun from "../receipts/Rerun.ts"
import { withStore } from "../session/WithStore.ts"

/** The comparison of one call. `reason` and `differences` explain a result that is not the same. */
type CallComparison = { readonly id: string; readonly tool: string } & (
  | { readonly result: "same" }
  | { readonly result: "different"; readonly differences: ReadonlyArray<Difference.Difference> }
  | { readonly result: "not replayed"; readonly reason: string }
)

const parameters = { id: ListFlags.sessionId, format: ListFlags.format }

const replay = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { format, id }: CommandOptions<typeof parameters>
) {
  const { output } = program
  const counts = { same: 0, different: 0, "not replayed": 0 }
  const take = (compared: CallComparison): void => {
    counts[compared.result] += 1
    if (format === "json") output.json(compared)
    else for (const row of rowsOf(compared)) output.answerEscaped(text`${Escape.line(row)}\n`)
  }
  yield* withStore(
    program,
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const blobs = yield* BlobStore.BlobStore
      const sessionId = yield* FindSession.byId(id)
      const { workspaceRoot } = yield* Effect.mapError(store.session(sessionId), toCliFailure)
      const overrides = { ...SettingsFile.noOverrides, cwd: common.cwd ?? workspaceRoot }
      const settings = yield* SettingsFile.load(program.environment, overrides, null)
      const memories = yield* Memory.make(settings)
      const rerun = Rerun.make(program, settings, blobs)
      const calls = CallRecord.empty()
      yield* TreeEntries.forEach(store, sessionId, (entry) => {
        rerun.see(entry)
        const call = CallRecord.append(calls, entry)
        return call === null || call.copied ? Effect.void : Effect.map(compare(call, rerun, blobs), take)
      }).pipe(Effect.provideService(Memory.Memories, memories))
    })
  )
  if (format === "text") {
    output.note(`${counts.same} the same, ${counts.different} different, ${counts["not replayed"]} not replayed`)
  }
  if (counts.different > 0) return yield* exitSilently(exitCode.failed)
})

const rowsOf = (compared: CallComparison): ReadonlyArray<string> => {
  const { id, result, tool } = compared
  const head = `${result.padEnd(12)}  ${id}  ${tool}`
  if (compared.result === "same") return [head]
  if (compared.result === "not replayed") return [`${head}: ${compared.reason}`]
  return [
    head,
    ...compared.differences.map(
      ({ expected, found, path }) => `  ${path === "" ? "the output" : path}: was ${expected}, is ${found}`
    )
  ]
}

const compare = Effect.fnUntraced(function* (
  call: CallRecord.CallRecord,
  rerun: Rerun.Rerun,
  blobs: BlobStore.BlobStore["Service"]
) {
  const { id, outcome, receipt, tool } = call
  const not = (reason: string): CallComparison => ({ id, tool, result: "not replayed", reason })
  if (receipt === null || outcome._tag !== "Succeeded") return not("the recorded call did not succeed")
  const written = Replay.argumentsOf(call)
  if (written === null) return not("its arguments are not recorded")
  const rerunResult = yield* rerun.run(call, { arguments: written, version: receipt.version })
  if (rerunResult._tag === "NotRun") return not(rerunResult.reason)
  if (Canonical.digest(rerunResult.output) === receipt.outputDigest)
    return { id, tool, result: "same" } satisfies CallComparison
  const before = outcome.outputBlob === null ? null : yield* blobs.get(outcome.outputBlob)
  const was = before === null ? outcome.output : new TextDecoder().decode(before)
  return {
    id,
    tool,
    result: "different",
    differences: Difference.differencesOf(was, rerunResult.output)
  } satisfies CallComparison
})

export const command = declare({ parameters, run: replay })
