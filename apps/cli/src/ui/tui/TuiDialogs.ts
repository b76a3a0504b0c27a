/** The questions on the screen that wait for the user: approvals and lists. Owns the continuations of their askers. */
import type { Approval } from "@bough/protocol"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import type * as ApprovalText from "../../format/ApprovalText.ts"
import type { SearchablePicker } from "../conversation/ConversationUi.ts"
import * as PickerSearch from "./PickerSearch.ts"
import * as QuestionDiff from "./QuestionDiff.ts"
import type * as Questions from "./Questions.ts"
import type { TuiScreen } from "./TuiScreen.ts"
import * as TuiState from "./TuiState.ts"

export class TuiDialogs {
  readonly #screen: TuiScreen
  readonly #search: PickerSearch.PickerSearch
  readonly #deciders = new Map<ApprovalText.PrintedApproval, (decision: Approval.Decision) => void>()
  /** Resolves the pending choice from the list. */
  #chooser: ((id: string | null) => void) | null = null

  constructor(screen: TuiScreen) {
    this.#screen = screen
    this.#search = PickerSearch.make((query, items) =>
      screen.answer({ state: TuiState.addSearchResults(screen.state, query, items), actions: [] })
    )
  }

  /** Waits for the user's decision; an interruption withdraws the question. */
  ask(asked: ApprovalText.PrintedApproval, rule: string | null): Effect.Effect<Approval.Decision> {
    const screen = this.#screen
    return Effect.callback((resume) => {
      this.#deciders.set(asked, (decision) => {
        this.#deciders.delete(asked)
        resume(Effect.succeed(decision))
      })
      screen.answer({ state: TuiState.ask(screen.state, asked, rule), actions: [] })
      QuestionDiff.load(asked.request, screen.state.theme, () => screen.redraw())
      screen.notify(text`an approval is needed`)
      return Effect.sync(() => {
        if (this.#deciders.delete(asked)) screen.answer(TuiState.withdraw(screen.state, asked))
      })
    })
  }

  decide({ asked, decision }: Questions.KeyDecision): void {
    this.#deciders.get(asked)?.(decision)
  }

  /** Lets the user choose from a list; null: the user closed it. */
  pick(options: SearchablePicker): Effect.Effect<string | null> {
    const screen = this.#screen
    return Effect.callback((resume) => {
      this.#chooser = (id) => {
        this.#endPicker()
        resume(Effect.succeed(id))
      }
      this.#search.begin(options)
      screen.answer({ state: TuiState.pick(screen.state, options), actions: [] })
      return Effect.sync(() => {
        this.#endPicker()
        screen.answer({ state: { ...screen.state, picker: null }, actions: [] })
      })
    })
  }

  /** The list was closed; null: without a choice. */
  choose(id: string | null): void {
    this.#chooser?.(id)
  }

  /** The user has changed the query of the list. */
  search(query: string): void {
    this.#search.find(query)
  }

  #endPicker(): void {
    this.#chooser = null
    this.#search.end()
  }
}
