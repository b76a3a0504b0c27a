/** The open questions, oldest first: keys answer the first one, and each leaves a record of its outcome. Pure. */
import type { Approval, Entry, Event } from "@bough/protocol"
import * as Editor from "@bough/tui/editor/Editor"
import type { Key } from "@bough/tui/keys/Key"
import type * as ApprovalText from "../../format/ApprovalText.ts"
import * as DecisionText from "../../format/DecisionText.ts"
import type { Block } from "./Block.ts"
import * as Question from "./Question.ts"

export interface Questions {
  readonly open: ReadonlyArray<Question.Question>
  /** The text in the editor when a reason was requested; null: no reason is requested. */
  readonly draft: Editor.EditorState | null
  /** Questions that were closed here without a key, and whose end is not recorded yet. */
  readonly unanswered: ReadonlyArray<ApprovalText.PrintedApproval>
  /** The decisions of keys whose end is not recorded yet: another decision may have come first. */
  readonly answered: ReadonlyArray<KeyDecision>
}

export const none: Questions = { open: [], draft: null, unanswered: [], answered: [] }

/**
 * The questions and the draft: while a question asks for a reason, the editor contains the reason instead of the
 * message.
 */
export interface HeldQuestions {
  readonly questions: Questions
  readonly editor: Editor.EditorState
}

export interface KeyDecision {
  readonly asked: ApprovalText.PrintedApproval
  readonly decision: Approval.Decision
}

export interface QuestionsUpdate extends HeldQuestions {
  /** The blocks that stay on the screen. */
  readonly blocks: ReadonlyArray<Block>
  /** The decision of the key; null: none. */
  readonly decided: KeyDecision | null
}

/** The question that is shown; null: none is open. */
export const first = ({ open }: Questions): Question.Question | null => open[0] ?? null

/** True if the question receives keys and pastes, and the editor does not. */
export const isListening = (questions: Questions): boolean => {
  const stage = first(questions)?.stage
  return stage === "asking" || stage === "scope"
}

export const ask = (
  { editor, questions }: HeldQuestions,
  asked: ApprovalText.PrintedApproval,
  rule: string | null
): Questions => ({
  ...questions,
  open: [...questions.open, Question.make(asked, rule, editor.draft.text !== "")]
})

export interface KeyPress {
  readonly key: Key
  /** The key arrived alone. */
  readonly isAlone: boolean
  /** The question has been on the screen for a while without input: `AnswerGuard`. */
  readonly mayAnswer: boolean
  readonly size: Question.Size
}

/** Null: the key is not for a question. */
export const press = (state: HeldQuestions, { isAlone, key, mayAnswer, size }: KeyPress): QuestionsUpdate | null => {
  const question = first(state.questions)
  if (question === null) return null
  const listens = isListening(state.questions)
  // A key that arrived together with others was not meant as an answer.
  if (listens && !isAlone && key.name === "text") return withoutActions(state)
  // Typed-ahead keys were not meant as answers either.
  if (listens && !mayAnswer && isAnswer(key)) return withoutActions(state)
  const shown = { held: state, question, size }
  if (question.stage === "words") return pressWords(shown, key)
  const meaning = Question.press(question, key, size)
  if (meaning !== null) return act(shown, meaning)
  return listens && key.name === "text" && !key.ctrl ? withoutActions(state) : null
}

/** True if the key could be an answer to a question. */
const isAnswer = ({ ctrl, name }: Key): boolean =>
  (name === "text" && !ctrl) || name === "tab" || name === "pageDown" || name === "pageUp"

/** Removes a question that is no longer asked here and that was not answered by a key. */
export const withdraw = (state: HeldQuestions, asked: ApprovalText.PrintedApproval): QuestionsUpdate => {
  const question = state.questions.open.find((open) => open.asked === asked)
  if (question === undefined) return withoutActions(state)
  const { editor, questions } = removeQuestion(state, question)
  return withoutActions({ editor, questions: { ...questions, unanswered: [...questions.unanswered, asked] } })
}

/** Handles the recorded end of a question that was asked here; null: the event is not such an end. */
export const takeDecision = (state: HeldQuestions, event: Event.Event, user: string): QuestionsUpdate | null => {
  const body = event._tag === "Recorded" ? event.entry.body : null
  if (body?._tag !== "ApprovalDecided") return null
  const { answered, open, unanswered } = state.questions
  const key = answered.find(({ asked }) => asked.request.approvalId === body.approvalId)
  if (key !== undefined) {
    const questions = { ...state.questions, answered: answered.filter((other) => other !== key) }
    const blocks = isSameDecision(key.decision, body.decision) ? [] : [lateDecisionBlock(body)]
    return { ...withoutActions({ editor: state.editor, questions }), blocks }
  }
  const isDecided = ({ request }: ApprovalText.PrintedApproval): boolean => request.approvalId === body.approvalId
  const question = open.find(({ asked }) => isDecided(asked))
  const asked = question?.asked ?? unanswered.find(isDecided)
  if (asked === undefined) return null
  const { editor, questions } = question === undefined ? state : removeQuestion(state, question)
  const rest = { ...questions, unanswered: unanswered.filter((other) => other !== asked) }
  const { decision, principal } = body
  const by = principal === user ? null : principal
  return { ...withoutActions({ editor, questions: rest }), blocks: [{ _tag: "Approval", asked, decision, by }] }
}

type DecisionEntry = Entry.BodyOf<"ApprovalDecided">

const isSameDecision = (one: Approval.Decision, other: DecisionEntry["decision"]): boolean => {
  if (one._tag === "Approved") return other._tag === "Approved" && one.rule === other.rule && one.scope === other.scope
  return one._tag === "Denied" ? other._tag === "Denied" && one.words === other.words : one._tag === other._tag
}

/** The key was pressed, but another decision or the deadline came first. */
const lateDecisionBlock = ({ decision, principal }: DecisionEntry): Block => {
  const first = DecisionText.formatDecision(decision)
  const isByUser = decision._tag === "Approved" || decision._tag === "Denied"
  const text = `your answer came too late: ${isByUser ? `${principal} decided first, ${first}` : first}`
  return { _tag: "Note", text, tone: "error" }
}

/** A question with the room available for it. */
interface ShownQuestion {
  readonly held: HeldQuestions
  readonly question: Question.Question
  readonly size: Question.Size
}

const pressWords = (shown: ShownQuestion, key: Key): QuestionsUpdate | null => {
  const { held: state } = shown
  if (key.name === "escape") return withoutActions(changeFirst(takeDraftBack(state), { stage: "asking" }))
  if (key.name !== "enter" || key.alt || key.shift || key.ctrl) return null
  return decide(shown, Question.denial(state.editor.draft.text))
}

const act = (shown: ShownQuestion, meaning: Question.KeyMeaning): QuestionsUpdate => {
  const { held: state, question, size } = shown
  switch (meaning._tag) {
    case "Decide":
      return decide(shown, meaning.decision)
    case "Ask":
      return withoutActions(changeFirst(state, { stage: "asking" }))
    case "Wait":
      return withoutActions(changeFirst(state, { stage: "waiting" }))
    case "Scope":
      return withoutActions(changeFirst(state, { stage: "scope" }))
    case "More":
    case "Back":
      return withoutActions(changeFirst(state, { position: Question.turnPage(question, meaning._tag, size) }))
    case "Everything": {
      const rows = Question.allRows(question, size)
      return {
        ...withoutActions(changeFirst(state, { wasPrintedWhole: true })),
        blocks: [{ _tag: "ApprovalDetails", rows }]
      }
    }
    case "Words":
      return withoutActions(changeFirst(putDraftAside(state), { stage: "words" }))
  }
}

/** Answers the question, which leaves a record of the decision. */
const decide = ({ held, question }: ShownQuestion, decision: Approval.Decision): QuestionsUpdate => {
  const { asked } = question
  const block: Block = { _tag: "Approval", asked, decision, by: null }
  const { editor, questions } = removeQuestion(held, question)
  const decided = { asked, decision }
  const answered = [...questions.answered, decided]
  return { ...withoutActions({ editor, questions: { ...questions, answered } }), blocks: [block], decided }
}

/** Removes a question from the screen. */
const removeQuestion = (state: HeldQuestions, question: Question.Question): HeldQuestions => {
  // Another question may close while the reason for the first is written.
  const { editor, questions } = question.stage === "words" ? takeDraftBack(state) : state
  return { editor, questions: { ...questions, open: questions.open.filter((other) => other !== question) } }
}

const withoutActions = ({ editor, questions }: HeldQuestions): QuestionsUpdate => ({
  editor,
  questions,
  blocks: [],
  decided: null
})

const changeFirst = ({ editor, questions }: HeldQuestions, change: Partial<Question.Question>): HeldQuestions => {
  const [question, ...others] = questions.open
  return { editor, questions: { ...questions, open: [{ ...question, ...change }, ...others] } }
}

const putDraftAside = ({ editor, questions }: HeldQuestions): HeldQuestions => ({
  editor: Editor.cleared(editor),
  questions: { ...questions, draft: editor }
})

const takeDraftBack = ({ editor, questions }: HeldQuestions): HeldQuestions => ({
  editor: questions.draft === null ? editor : { ...questions.draft, width: editor.width },
  questions: { ...questions, draft: null }
})
