/** The questions before a person, oldest first: keys answer the first of them, and every one leaves what became of it. */
import type { Approval, Event } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type * as ApprovalText from "../terminal/ApprovalText.ts"
import type { Block } from "./Block.ts"
import * as Editor from "./editor/Editor.ts"
import type { Key } from "./editor/Key.ts"
import * as Question from "./Question.ts"

/** What they need of the screen that they are on. */
export interface Place {
  readonly size: () => Question.Size
  readonly print: (blocks: ReadonlyArray<Block>) => void
  /** Something of a question has changed. */
  readonly changed: () => void
  /** What is being written. */
  readonly editor: () => Editor.State
  readonly write: (editor: Editor.State) => void
}

export interface Questions {
  /** The one that is shown; null: nothing is asked. */
  readonly first: () => Question.Question | null
  /** Whether keys and pastes are answers now, and not a part of a message. */
  readonly isListening: () => boolean
  /** Waits for a person's decision. */
  readonly ask: (asked: ApprovalText.Asked, rule: string | null) => Effect.Effect<Approval.Decision>
  /** False: the key was not for a question. */
  readonly press: (key: Key, isAlone: boolean) => boolean
  /** Says who answered elsewhere what nobody answered here. */
  readonly tell: (event: Event.Event) => void
}

interface Asked {
  readonly question: Question.Question
  readonly decide: (decision: Approval.Decision) => void
}

export const make = (place: Place): Questions => {
  let asked: ReadonlyArray<Asked> = []
  /** What was being written when words were asked for. */
  let draft: Editor.State | null = null
  /** Closed here before a key answered them. */
  const unanswered = new Set<Approval.Request["approvalId"]>()

  const replace = (change: Partial<Question.Question>): void => {
    const [first, ...others] = asked
    if (first !== undefined) asked = [{ ...first, question: { ...first.question, ...change } }, ...others]
  }
  const takeDraftBack = (): void => {
    if (draft !== null) place.write(draft)
    draft = null
  }
  /** The question leaves the screen, and what became of it stays. */
  const close = (which: Asked, decision: Approval.Decision | null): void => {
    asked = asked.filter((other) => other !== which)
    takeDraftBack()
    const at = place.size()
    place.print([{ _tag: "Decided", rows: [...Question.body(which.question, at), Question.outcome(decision, at)] }])
    place.changed()
  }

  const act = (first: Asked, meaning: Question.Meaning): void => {
    switch (meaning._tag) {
      case "Decide":
        return first.decide(meaning.decision)
      case "Ask":
        return replace({ stage: "asking" })
      case "Wait":
        return replace({ stage: "waiting" })
      case "Scope":
        return replace({ stage: "scope" })
      case "Everything":
        replace({ read: true })
        return place.print([{ _tag: "Decided", rows: Question.everything(first.question, place.size()) }])
      case "Words":
        draft = place.editor()
        place.write({ ...Editor.initial, width: draft.width })
        return replace({ stage: "words" })
    }
  }
  const pressWords = (first: Asked, key: Key): boolean => {
    if (key.name === "escape") {
      takeDraftBack()
      replace({ stage: "asking" })
      return true
    }
    if (key.name !== "enter" || key.alt || key.shift || key.ctrl) return false
    first.decide(Question.denied(place.editor().draft.text))
    return true
  }
  const first = (): Question.Question | null => asked[0]?.question ?? null
  const isListening = (): boolean => {
    const stage = first()?.stage
    return stage === "asking" || stage === "scope"
  }

  return {
    first,
    isListening,
    ask: (given, rule) =>
      Effect.callback<Approval.Decision>((resume) => {
        const current = (): Asked | undefined => asked.find(({ question }) => question.asked === given)
        const which: Asked = {
          question: Question.make(given, rule, place.editor().draft.text !== ""),
          decide: (decision) => {
            const open = current()
            if (open === undefined) return
            close(open, decision)
            resume(Effect.succeed(decision))
          }
        }
        asked = [...asked, which]
        place.changed()
        return Effect.sync(() => {
          const open = current()
          if (open === undefined) return
          unanswered.add(given.request.approvalId)
          close(open, null)
        })
      }),
    press: (key, isAlone) => {
      const [open] = asked
      if (open === undefined) return false
      // What came together with other keys was not meant as an answer.
      if (isListening() && !isAlone && key.name === "text") return true
      if (open.question.stage === "words") return pressWords(open, key)
      const meaning = Question.press(open.question, key, place.size())
      if (meaning === null) return isListening() && key.name === "text" && !key.ctrl
      act(open, meaning)
      return true
    },
    tell: (event) => {
      if (event._tag !== "ApprovalEnded" || !unanswered.delete(event.approvalId)) return
      place.print([{ _tag: "Note", text: `  ${event.decision.toLowerCase()} by ${event.principal}`, tone: "plain" }])
    }
  }
}
