/**
 * A decision on an approval from any terminal, for `approvals approve` and `approvals deny`. The decision goes into the
 * inbox of its tree, where the first one counts: the process that owns the tree sees it within a second, else the next
 * owner uses it. The approval is shown first, and a key press confirms it. Only an interactive terminal can decide, so a
 * pipe cannot.
 */
import * as PendingApprovals from "@bough/host/approval/PendingApprovals"
import * as RequestingSessions from "@bough/host/approval/RequestingSessions"
import type { Approval } from "@bough/protocol"
import { Inbox } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import type { SafeText } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { exitCode, failure, CliFailure } from "../CliFailure.ts"
import type { Failure } from "../Failures.ts"
import * as ApprovalText from "../format/ApprovalText.ts"
import * as DecisionText from "../format/DecisionText.ts"
import type { Program } from "../Program.ts"
import { withStore } from "../session/WithStore.ts"
import * as PagedQuestion from "../ui/plain/PagedQuestion.ts"

export interface DecisionCommand {
  /** The description of the decision that the key makes. */
  readonly action: SafeText
  readonly decision: Approval.Decision
  /** The rule that `--always` adds; null: none. */
  readonly rule: string | null
}

type DecidingEffect = Effect.Effect<DecisionCommand, Failure | CliFailure, SessionStore.SessionStore>

export const decide = Effect.fnUntraced(function* (
  program: Program,
  id: string,
  make: (request: Approval.Request) => DecidingEffect
) {
  if (!program.terminal.isInteractive) return yield* refuseNotInteractive(program, id)
  yield* withStore(
    program,
    Effect.gen(function* () {
      const { open, request } = yield* PendingApprovals.byId(id)
      yield* failIfClosed(program, request, open)
      const deciding = yield* make(request)
      yield* Effect.raceFirst(confirm(program, request, deciding), noteOtherDecision(program, request))
      yield* submit(program, request, deciding.decision)
    })
  )
})

/** The failure for scripts, piped text and commands of agents: only a user at a terminal decides. */
const refuseNotInteractive = ({ name }: Program, id: string) =>
  Effect.fail(
    new CliFailure({
      code: exitCode.needsApproval,
      message:
        "approvals are decided at a terminal: stdin and stderr cannot be pipes, and commands of an agent cannot decide",
      hint: `"${name} approvals show ${id}" shows it; scripts can use --allow and --approve`,
      details: ""
    })
  )

const failIfClosed = Effect.fnUntraced(function* (program: Program, request: Approval.Request, open: boolean) {
  const store = yield* SessionStore.SessionStore
  const answered = yield* PendingApprovals.findDecision(request)
  if (answered !== null) return yield* alreadyDecidedFailure(program, request, answered)
  if (!open) return yield* new SessionStore.ApprovalClosed({ approvalId: request.approvalId })
  if ((yield* store.now) >= request.expiresAtMillis) {
    return yield* failure(
      `approval ${request.approvalId} has expired`,
      `"${program.name} run --session ${PendingApprovals.treeOf(request)} --continue" continues the session`
    )
  }
})

const alreadyDecidedFailure = (
  { name }: Program,
  { approvalId }: Approval.Request,
  { decision, principal }: PendingApprovals.UsedDecision
) =>
  failure(
    `approval ${approvalId} was already decided by ${principal}: ${DecisionText.formatDecision(decision)}`,
    `the first decision counts; "${name} approvals" lists the pending ones`
  )

const confirm = Effect.fnUntraced(function* (
  program: Program,
  request: Approval.Request,
  { action, rule }: DecisionCommand
) {
  const askedBy = yield* RequestingSessions.load(yield* SessionStore.SessionStore, request.sessionPath)
  const printed = { request, askedBy }
  const answers = PagedQuestion.make(program, {
    question: (screen) => ApprovalText.question(printed, rule, screen),
    everything: (screen) => ApprovalText.allFacts(printed, rule, screen),
    keys: (isWhole, screen) => ApprovalText.confirmation(action, isWhole, screen),
    approvingKeys: ["y"],
    others: ["n"]
  })
  if ((yield* answers.next) === "y") return
  return yield* new CliFailure({
    code: exitCode.needsApproval,
    message: `approval ${request.approvalId} is still pending`,
    hint: "",
    details: ""
  })
})

/** Fails if the approval is decided elsewhere first. */
const noteOtherDecision = (program: Program, request: Approval.Request) =>
  Effect.flatMap(SessionStore.SessionStore, (store) =>
    Stream.runForEach(SessionStore.inboxChanges(store, PendingApprovals.treeOf(request)), () =>
      Effect.gen(function* () {
        const answered = yield* PendingApprovals.findDecision(request)
        if (answered !== null) return yield* alreadyDecidedFailure(program, request, answered)
      })
    ).pipe(Effect.andThen(Effect.never))
  )

const submit = Effect.fnUntraced(function* (program: Program, request: Approval.Request, decision: Approval.Decision) {
  const { name, output, environment } = program
  const store = yield* SessionStore.SessionStore
  const submission = Inbox.toDecisionRow(request, { decision, principal: environment.user ?? "terminal" })
  const { inserted } = yield* store.submit(submission)
  if (!inserted) return yield* failIfClosed(program, request, false)
  output.note(`${request.approvalId}: ${DecisionText.formatDecision(decision)}`)
  output.note(`if its session is not open, "${name} run --session ${submission.treeId} --continue" continues it`)
})
