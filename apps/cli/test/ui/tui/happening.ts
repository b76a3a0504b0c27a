/** Random events for a conversation's screen, in words: approvals that open and close, turns, keys and pastes. */
import { type Approval, Session } from "@bough/protocol"
import * as Schema from "effect/Schema"
import { keyOf } from "../../../../../packages/tui/test/editor/typing.ts"
import type * as ApprovalText from "../../../src/format/ApprovalText.ts"
import * as Transcript from "../../../src/ui/tui/Transcript.ts"
import * as TuiState from "../../../src/ui/tui/TuiState.ts"

export const size = { columns: 80, rows: 24 }

const keys = ["y", "n", "a", "s", "b", "?", "x", "enter", "tab", "escape", "backspace", "ctrl-c", "ctrl-o"] as const
const others = ["y together", "enter together", "paste", "ask", "withdraw first", "withdraw last"] as const
const turns = ["turn begins", "turn ends"] as const
/** Keys that were typed too early to count. */
export const ahead = ["y ahead", "n ahead", "a ahead", "s ahead", "? ahead", "space ahead", "tab ahead"] as const

export type Happening = (typeof keys | typeof others | typeof turns | typeof ahead)[number]
export const anyHappenings = Schema.Array(Schema.Literals([...keys, ...others, ...turns, ...ahead]))

export const initial = TuiState.make({
  variables: { NO_COLOR: "1" },
  model: { name: "offline/planner", contextTokens: null, effort: null },
  showsReasoning: false,
  workspaceRoot: "/workspace"
})

/** The screen, and all effects that it requested, oldest first. */
export interface Run extends TuiState.StateUpdate {
  /** Every approval that was ever requested, oldest first. */
  readonly asked: ReadonlyArray<ApprovalText.PrintedApproval>
}

export const none: Run = { state: initial, actions: [], asked: [] }

export const all = (happenings: ReadonlyArray<Happening>, from: Run = none): Run => happenings.reduce(happened, from)

export const type = (text: string, from: Run = none): Run =>
  Array.from(text).reduce((run, character) => pressed(run, character, true), from)

const happened = (run: Run, happening: Happening): Run => {
  const { state } = run
  switch (happening) {
    case "ask": {
      const newQuestion = question(run.asked.length)
      return { ...run, state: TuiState.ask(state, newQuestion, "run_command make"), asked: [...run.asked, newQuestion] }
    }
    case "withdraw first":
      return withdrawn(run, state.questions.open[0]?.asked)
    case "withdraw last":
      return withdrawn(run, state.questions.open.at(-1)?.asked)
    case "turn begins":
      return { ...run, state: { ...state, view: Transcript.startTurn(state.view, 0) } }
    case "turn ends":
      return after(run, TuiState.change(state, Transcript.finishTurn(state.view)))
    case "paste":
      return after(
        run,
        TuiState.take(state, { _tag: "Pasted", text: "y" }, { ...size, isAlone: true, mayAnswer: true })
      )
    case "y together":
      return pressed(run, "y", false)
    case "enter together":
      return pressed(run, "enter", false)
    case "y ahead":
    case "n ahead":
    case "a ahead":
    case "s ahead":
    case "? ahead":
    case "space ahead":
    case "tab ahead":
      return pressed(run, happening.slice(0, -" ahead".length), true, false)
    default:
      return pressed(run, happening, true)
  }
}

const pressed = (run: Run, chord: string, isAlone: boolean, mayAnswer = true): Run =>
  after(run, TuiState.take(run.state, { _tag: "KeyPressed", key: keyOf(chord) }, { ...size, isAlone, mayAnswer }))

const withdrawn = (run: Run, asked: ApprovalText.PrintedApproval | undefined): Run =>
  asked === undefined ? run : after(run, TuiState.withdraw(run.state, asked))

const after = ({ actions, asked }: Run, updated: TuiState.StateUpdate): Run => ({
  asked,
  state: updated.state,
  actions: [...actions, ...updated.actions]
})

const question = (number: number): ApprovalText.PrintedApproval => ({ request: request(number), askedBy: [] })

const request = (number: number): Approval.Request => ({
  approvalId: Session.ApprovalId.make(`approval-${number}`),
  sessionPath: [Session.SessionId.make("ses_1")],
  toolCallId: Session.ToolCallId.make(`call-${number}`),
  tool: "run_command",
  version: 1,
  tier: "Elevated",
  arguments: "{}",
  argumentsDigest: "sha256:0",
  preview: { render: "$ make", preconditions: [] },
  reason: "it may do anything",
  askedAtMillis: 0,
  expiresAtMillis: 1
})
