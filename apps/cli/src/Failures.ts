/**
 * Converts errors of the runtime and its adapters into the program's own: one line, a hint, an exit code. Hints name
 * commands of `bough`; `CliFailure.hintFor` replaces the name.
 */
import type { HostFailure, NextStep } from "@bough/host/HostFailure"
import type { Fork, Model, Session, SessionStore } from "@bough/runtime"
import { exitCode, failure, CliFailure, usage } from "./CliFailure.ts"
import * as ReplacedProgram from "./ReplacedProgram.ts"

export type Failure =
  | CliFailure
  | HostFailure
  | SessionStore.ApprovalClosed
  | SessionStore.ApprovalNotFound
  | Fork.NotAStepBoundary
  | Session.NotAMain
  | Model.ModelError
  | SessionStore.JournalCorrupt
  | SessionStore.LeaseLost
  | SessionStore.SessionNotFound
  | SessionStore.StoreFailed
  | SessionStore.StoreRefused
  | SessionStore.TreeBusy

export const toCliFailure = (error: Failure): CliFailure => {
  switch (error._tag) {
    case "Stop":
      return error
    case "HostFailure":
      return fromHost(error)
    case "SessionNotFound":
      return usage(error.message, '"bough sessions" lists them')
    case "ApprovalNotFound":
      return usage(error.message, '"bough approvals" lists the pending ones')
    case "ApprovalClosed":
      return failure(error.message, `"bough approvals show ${error.approvalId}" shows its outcome`, error)
    case "NotAStepBoundary":
      return usage(error.message, '"bough sessions show ID" numbers the entries')
    case "NotAMain":
      return usage(error.message, `"bough --session ${error.treeId}" opens its conversation`)
    case "TreeBusy":
      return failure(
        error.message,
        error.waitSeconds === null
          ? `"bough send ${error.treeId} TEXT" sends it a message; or end that process, or work on a copy: "bough sessions fork ID"`
          : 'retry after that time, or work on a copy: "bough sessions fork ID"',
        error
      )
    case "LeaseLost":
      return failure(
        error.message,
        "continue in the process that has the session open, or run this command again",
        error
      )
    case "JournalCorrupt":
      return failure(
        `session ${error.sessionId} is damaged at entry ${error.seq}: ${error.message}`,
        'run "bough doctor"',
        error
      )
    case "ModelError":
      return error.reason === "UnknownProvider"
        ? usage(error.message, error.hint)
        : failure(error.message, error.hint, error)
    case "StoreFailed":
    case "StoreRefused":
      return failure(error.message, error.hint, error)
  }
}

const fromHost = ({ details, hint, message, nextStep, reason }: HostFailure): CliFailure =>
  new CliFailure({
    code: reason === "Invalid" ? exitCode.usage : exitCode.failed,
    message,
    hint: [hint, nextStep === null ? "" : nextCommands[nextStep]].filter((part) => part !== "").join("; "),
    details
  })

const nextCommands: Readonly<Record<NextStep, string>> = {
  CheckInstallation: 'run "bough doctor"',
  EnableUndo: 'run "bough config set undo.enabled true"',
  ListApprovals: '"bough approvals" lists them',
  ListConfigurationKeys: '"bough config schema" shows every key',
  ListNotes: '"bough memory list --all" lists them',
  ListRules: '"bough policy list" lists the rules',
  ListSessions: '"bough sessions" lists them',
  ListTools: '"bough tools" lists them',
  LocateConfiguration: '"bough config path" prints its path',
  ShowChanges: '"bough diff" shows what a session has changed',
  StartSession: '"bough run" starts one'
}

/**
 * Hints by Node's error codes for a process or a machine that has run out of file descriptors: any step of a command may
 * fail with one.
 */
const noDescriptors: ReadonlyMap<unknown, string> = new Map([
  ["EMFILE", 'raise the limit: "ulimit -n 65536"'],
  ["ENFILE", "the limit of the whole machine is reached: close other programs"]
])

const descriptorHint = (defect: unknown): string | undefined =>
  defect instanceof Error && "code" in defect ? noDescriptors.get(defect.code) : undefined

/** Formats an unexpected defect in one line; `--verbose` shows the rest. */
export const unexpectedFailure = (defect: unknown): CliFailure => {
  const details = defect instanceof Error ? (defect.stack ?? defect.message) : String(defect)
  if (ReplacedProgram.isCause(defect))
    return new CliFailure({
      code: exitCode.failed,
      message: "the files of the program were replaced or removed while it ran, as by an upgrade",
      hint: 'start it again: the session is saved, and "bough --continue" resumes it',
      details
    })
  const hint = descriptorHint(defect)
  if (hint !== undefined)
    return new CliFailure({ code: exitCode.failed, message: "too many files are open", hint, details })
  return new CliFailure({
    code: exitCode.failed,
    message: `internal error: ${defect instanceof Error ? defect.message : String(defect)}`,
    hint: "--verbose shows the stack trace; please report the error with it",
    details
  })
}
