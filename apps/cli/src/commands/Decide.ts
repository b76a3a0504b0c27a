/**
 * `approvals approve` and `deny`: a person's decision from any terminal. It goes into the inbox of its tree, where the
 * first one counts: a process that owns the tree hears of it within a second, else the next owner uses it. What is decided
 * is shown first, and a key pressed alone agrees: a pipe decides nothing.
 */
import type { Approval } from "@bough/protocol"
import { Inbox } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Program } from "../Program.ts"
import { registryOf } from "@bough/host/session/SessionAgent"
import type { Failure } from "../Failures.ts"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import { exitCode, failed, CliFailure, usage } from "../CliFailure.ts"
import * as PagedQuestion from "../ui/plain/PagedQuestion.ts"
import * as AskPerson from "../ui/plain/AskPerson.ts"
import * as ApprovalText from "../format/ApprovalText.ts"
import * as DecisionText from "../format/DecisionText.ts"
import * as RequestingSessions from "@bough/host/approval/RequestingSessions"
import * as PendingApprovals from "@bough/host/approval/PendingApprovals"
import { withStore } from "../session/WithStore.ts"

interface Approving {
  readonly id: string
  /** Null: this once. */
  readonly always: Approval.Scope | null
}

export const approve = (program: Program, { always, id }: Approving) =>
  decide(program, id, (request) =>
    always === null
      ? Effect.succeed({ deed: text`yes, let it run`, decision: { _tag: "Approved", rule: null }, rule: null })
      : Effect.map(ruleOf(program, request), (rule) => ({
          deed: text`yes, and always ${reach[always]}`,
          decision: ApprovalText.approvedAlways(rule, always),
          rule
        }))
  )

const reach = {
  session: "in its session and those beside it",
  project: "in its folder",
  user: "in all folders"
} as const

export const deny = (program: Program, { id, words }: { readonly id: string; readonly words: string | null }) =>
  decide(program, id, () => Effect.succeed({ deed: text`refuse it`, decision: { _tag: "Denied", words }, rule: null }))

interface Deciding {
  /** What the key stands for. */
  readonly deed: SafeText
  readonly decision: Approval.Decision
  /** As it will be kept; null: none is given. */
  readonly rule: string | null
}

/** The rule that "always" makes of the call. */
const ruleOf = Effect.fnUntraced(function* ({ packs }: Program, request: Approval.Request) {
  const store = yield* SessionStore.SessionStore
  const { workspaceRoot } = yield* store.session(PendingApprovals.treeOf(request))
  const rule = AskPerson.ruleFor({ registry: registryOf(packs), workspaceRoot }, request)
  return rule === null
    ? yield* usage("no rule can answer such a call: it is asked about every time", "leave --always out")
    : rule
})

type Made = Effect.Effect<Deciding, Failure | CliFailure, SessionStore.SessionStore>

const decide = Effect.fnUntraced(function* (program: Program, id: string, make: (request: Approval.Request) => Made) {
  if (!program.terminal.isInteractive) return yield* nobodyThere(program, id)
  yield* withStore(
    program,
    Effect.gen(function* () {
      const { open, request } = yield* PendingApprovals.byId(id)
      yield* refuseWhatIsOver(program, request, open)
      const deciding = yield* make(request)
      yield* Effect.raceFirst(confirm(program, request, deciding), decidedElsewhere(program, request))
      yield* submit(program, request, deciding.decision)
    })
  )
})

/** No script, no command of an agent and no text decides. */
const nobodyThere = ({ name }: Program, id: string) =>
  Effect.fail(
    new CliFailure({
      code: exitCode.needsApproval,
      message:
        "an approval is decided by a person at a terminal: neither input nor stderr may be a pipe, and no command of an agent is one",
      hint: `${name} approvals show ${id} shows it; for scripts there are --allow and --approve`,
      details: ""
    })
  )

const refuseWhatIsOver = Effect.fnUntraced(function* (program: Program, request: Approval.Request, open: boolean) {
  const store = yield* SessionStore.SessionStore
  const answered = yield* PendingApprovals.findDecision(request)
  if (answered !== null) return yield* over(program, request, answered)
  if (!open) return yield* new SessionStore.ApprovalClosed({ approvalId: request.approvalId })
  if ((yield* store.now) >= request.expiresAtMillis) {
    return yield* failed(
      `the deadline of approval ${request.approvalId} has passed`,
      `${program.name} run --session ${PendingApprovals.treeOf(request)} --continue goes on without it`
    )
  }
})

const over = (
  { name }: Program,
  { approvalId }: Approval.Request,
  { decision, principal }: PendingApprovals.GivenDecision
) =>
  failed(
    `approval ${approvalId} is decided by ${principal}: ${DecisionText.formatDecision(decision)}`,
    `the first decision counts; ${name} approvals lists what waits`
  )

const confirm = Effect.fnUntraced(function* (program: Program, request: Approval.Request, { deed, rule }: Deciding) {
  const askedBy = yield* RequestingSessions.load(yield* SessionStore.SessionStore, request.sessionPath)
  const asked = { request, askedBy }
  const answers = PagedQuestion.make(program, {
    question: (screen) => ApprovalText.question(asked, rule, screen),
    everything: (screen) => ApprovalText.everything(asked, rule, screen),
    keys: (whole, screen) => ApprovalText.confirmation(deed, whole, screen),
    agreeing: ["y"],
    others: ["n"]
  })
  if ((yield* answers.next) === "y") return
  return yield* new CliFailure({
    code: exitCode.needsApproval,
    message: `nothing is decided: approval ${request.approvalId} waits`,
    hint: "",
    details: ""
  })
})

/** Fails once somebody else has decided. */
const decidedElsewhere = (program: Program, request: Approval.Request) =>
  Effect.flatMap(SessionStore.SessionStore, (store) =>
    Stream.runForEach(SessionStore.inboxChanges(store, PendingApprovals.treeOf(request)), () =>
      Effect.gen(function* () {
        const answered = yield* PendingApprovals.findDecision(request)
        if (answered !== null) return yield* over(program, request, answered)
      })
    ).pipe(Effect.andThen(Effect.never))
  )

const submit = Effect.fnUntraced(function* (program: Program, request: Approval.Request, decision: Approval.Decision) {
  const { name, output, environment } = program
  const store = yield* SessionStore.SessionStore
  const submission = Inbox.deciding(request, { decision, principal: environment.user ?? "terminal" })
  const { inserted } = yield* store.submit(submission)
  if (!inserted) return yield* refuseWhatIsOver(program, request, false)
  output.note(`${request.approvalId}: ${DecisionText.formatDecision(decision)}`)
  output.note(`where its session is not open, ${name} run --session ${submission.treeId} --continue goes on with it`)
})
