/**
 * Asks the user at the terminal about one call: y approves · n denies, with a reason · a always approves by a rule for
 * a session, a folder or everywhere · ? shows details. One question at a time; other events are shown afterwards.
 */
import { offeredRule } from "@bough/host/approval/OfferedRule"
import type { Approval } from "@bough/protocol"
import type { Channel } from "@bough/runtime"
import type { Tool } from "@bough/tool"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import type * as Semaphore from "effect/Semaphore"
import * as ApprovalText from "../../format/ApprovalText.ts"
import type { Output } from "../../io/Output.ts"
import type { Terminal } from "../../io/Terminal.ts"
import * as PagedQuestion from "./PagedQuestion.ts"

type AskedBy = ApprovalText.PrintedApproval["askedBy"]

export interface AskContext {
  readonly terminal: Terminal["Service"]
  readonly output: Output["Service"]
  /** The principal that the decision is recorded with. */
  readonly principal: string
  readonly registry: ReadonlyMap<string, Tool.Any>
  readonly workspaceRoot: string
  /** The sessions of a path. */
  readonly askedBy: (path: Approval.Request["sessionPath"]) => Effect.Effect<AskedBy>
  /** Pauses other output while a question is on the screen. */
  readonly screen: { readonly hold: () => void; readonly release: () => void }
  /** Held while a question is on the screen, so that questions come one at a time. */
  readonly oneAtATime: Semaphore.Semaphore
  /** The terminal closed in the middle of a question. */
  readonly onHangUp: () => void
}

export const make =
  (context: AskContext): ((request: Approval.Request) => Effect.Effect<Channel.ChannelAnswer>) =>
  (request) =>
    Effect.acquireUseRelease(
      Effect.sync(context.screen.hold),
      () => ask(context, request),
      () => Effect.sync(context.screen.release)
    ).pipe(
      Effect.map((decision) => ({ decision, principal: context.principal })),
      // The note names no user: the event of the decision, which is shown too, names the user who made it.
      Effect.onInterrupt(() => Effect.sync(() => context.output.note("└ this approval is closed"))),
      (asked) => context.oneAtATime.withPermit(asked)
    )

const ask = Effect.fnUntraced(function* (context: AskContext, request: Approval.Request) {
  const { output, terminal } = context
  const rule = offeredRule(context, request)
  const always = rule !== null
  const asked = { request, askedBy: yield* context.askedBy(request.sessionPath) }
  const answers = PagedQuestion.make(context, {
    question: (screen) => ApprovalText.question(asked, rule, screen),
    everything: (screen) => ApprovalText.allFacts(asked, rule, screen),
    keys: (isWhole, screen) => ApprovalText.keys({ always, whole: isWhole, more: [] }, screen),
    approvingKeys: always ? ["y", "a"] : ["y"],
    others: ["n"]
  })
  while (true) {
    const key = yield* answers.next
    if (key === null) {
      context.onHangUp()
      return yield* Effect.never
    }
    if (key === "y") return { _tag: "Approved", rule: null } as const
    if (key === "a" && rule !== null) {
      const chosen = yield* terminal.readKey(["s", "p", "u", "b"], () => {
        const screen = ApprovalText.screenOf(output)
        const rows = [...ApprovalText.ruleRows(rule, screen.columns), ...ApprovalText.scopes(screen)]
        for (const row of rows) output.noteEscaped(row)
      })
      const scope = chosen === null ? null : ApprovalText.scopeOf(chosen)
      if (scope !== null) return ApprovalText.approvedAlways(rule, scope)
      continue
    }
    if (key === "n") return yield* askForDenial(context)
  }
})

const askForDenial = Effect.fnUntraced(function* ({ terminal }: AskContext) {
  const line = yield* terminal.readLine(text`reason (optional, Enter denies): `)
  const words = line._tag === "Line" ? line.text.trim() : ""
  return { _tag: "Denied", words: words === "" ? null : words } as const
})
