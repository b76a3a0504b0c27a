/** `verify`: checks a session in the database, or the files of an export, against its digests and receipts. */
import { SystemError } from "@bough/disk"
import * as SettingsFile from "@bough/host/config/Settings"
import * as FindSession from "@bough/host/session/FindSession"
import { CallCheck, CallRecord, Export, type Mismatch, Verify } from "@bough/receipts"
import { BlobStore, SessionStore, TreeEntries } from "@bough/runtime"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { readFileSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { exitCode, failure, withHint, exitSilently, type CliFailure } from "../CliFailure.ts"
import { command as declare, type CommandOptions } from "../command-line/CommandSpec.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../command-line/flags/ListFlags.ts"
import * as Shapes from "../command-line/flags/Shapes.ts"
import { toCliFailure } from "../Failures.ts"
import type { Program } from "../Program.ts"
import { linesOf } from "../receipts/FileLines.ts"
import { withStore } from "../session/WithStore.ts"

type VerifyResult = Result.Result<Verify.VerificationResult, Mismatch>

const parameters = {
  target: Shapes.nameArgument(
    "DIR|SESSION",
    "Directory written by `sessions export --to`, or a session id or its prefix"
  ),
  format: ListFlags.format
}

const verify = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { format, target }: CommandOptions<typeof parameters>
) {
  const { output, environment } = program
  const path = resolve(yield* SettingsFile.workspaceRoot(environment, common.cwd), target)
  const found = yield* isDirectory(path) ? verifyFiles(program.name, path, target) : verifySession(program, target)
  if (Result.isSuccess(found)) {
    const { entries, receipts, sessions, unseen } = found.success
    if (unseen > 0)
      output.note(`not verified, as the export contains only their digests: ${formatCount(unseen, "output")}`)
    if (format === "json") output.json({ verified: true, ...found.success }, 2)
    else
      output.answer(
        `${target}: ${formatCount(sessions, "session")}, ${formatCount(entries, "entry", "entries")}, ${formatCount(receipts, "receipt")}: all verified\n`
      )
    return
  }
  const { failure } = found
  if (format === "json") output.json({ verified: false, mismatch: failure }, 2)
  else {
    output.answerEscaped(text`${Escape.line(`${failure.where}: ${failure.what}`)}\n`)
    output.answerEscaped(
      text`  expected  ${Escape.line(failure.expected)}\n  found     ${Escape.line(failure.found)}\n`
    )
  }
  return yield* exitSilently(exitCode.failed)
})

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const { journal, receipt, replay } = Export.fileNames

const verifyFiles = (program: string, directory: string, root: string): Effect.Effect<VerifyResult, CliFailure> =>
  Effect.try({
    try: () => {
      for (const name of Object.values(Export.fileNames)) {
        if (!statSync(join(directory, name)).isFile()) throw new Error(`${name} is not a file`)
      }
      return Verify.verify({
        journal: linesOf(join(directory, journal)),
        replay: linesOf(join(directory, replay)),
        receipt: readFileSync(join(directory, receipt)),
        outputs: outputsIn(join(directory, Export.outputsName))
      })
    },
    catch: (cause) =>
      failure(
        `cannot read an export in ${root}: ${SystemError.reason(cause)}`,
        `"${program} sessions export ID --to DIR" writes one`,
        cause
      )
  })

const outputsIn = (directory: string): Verify.Files["outputs"] =>
  isDirectory(directory)
    ? (digest) => {
        const path = join(directory, Export.outputFile(digest))
        return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path) : null
      }
    : null

const sessionOf = (idOrPrefix: string) =>
  Effect.mapError(FindSession.byId(idOrPrefix), (error) =>
    withHint(toCliFailure(error), "for an export, give its directory")
  )

/** The store checks each entry against its digest chain when it is read. */
const verifySession = (program: Program, idOrPrefix: string): Effect.Effect<VerifyResult, CliFailure> =>
  withStore(
    program,
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const blobs = yield* BlobStore.BlobStore
      const calls = CallRecord.empty()
      const counts = { entries: 0, receipts: 0 }
      return yield* TreeEntries.forEach(store, yield* sessionOf(idOrPrefix), (entry) => {
        counts.entries += 1
        const call = CallRecord.append(calls, entry)
        if (call?.receipt == null) return Effect.void
        if (!call.copied) counts.receipts += 1
        const fault = CallCheck.check(call)
        if (fault !== null) return Effect.fail({ _tag: "Mismatched", where: call.id, ...fault } as const)
        return checkFullOutputs(blobs, call)
      }).pipe(
        Effect.map((): VerifyResult => Result.succeed({ sessions: calls.size, ...counts, unseen: 0 })),
        Effect.catchTag("Mismatched", ({ _tag, ...mismatch }) => Effect.succeed<VerifyResult>(Result.fail(mismatch))),
        Effect.catchTag("JournalCorrupt", ({ message, seq, sessionId }) =>
          Effect.succeed<VerifyResult>(
            Result.fail({
              where: `${sessionId}/${seq}`,
              what: "the stored entry",
              expected: "an entry that matches its digest and its schema",
              found: message
            })
          )
        ),
        Effect.mapError(toCliFailure)
      )
    })
  )

/** Fails if the full text of an output that was truncated for the model is missing or damaged. */
const checkFullOutputs = (blobs: BlobStore.BlobStore["Service"], call: CallRecord.CallRecord) =>
  Effect.forEach(Export.outputsOf(call), (digest) => checkBlob(blobs, call, digest), { discard: true })

const checkBlob = (blobs: BlobStore.BlobStore["Service"], call: CallRecord.CallRecord, digest: string) => {
  const wrong = (found: string) =>
    Effect.fail({ _tag: "Mismatched", where: call.id, what: "the whole output", expected: digest, found } as const)
  return Effect.matchEffect(blobs.get(digest), {
    // The store compares the blob with its digest while it reads it.
    onFailure: ({ message }) => wrong(message),
    onSuccess: (bytes) => (bytes === null ? wrong("no such blob") : Effect.void)
  })
}

const formatCount = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

export const command = declare({ parameters, run: verify })
