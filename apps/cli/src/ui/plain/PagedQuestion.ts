/**
 * A question in plain lines: a page of it, then its keys once they are enabled. Space shows the next page, `?`
 * everything; keys that approve are enabled once all of it has been shown on a screen at least as large as the current
 * one.
 */
import type { SafeText } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import * as ApprovalText from "../../format/ApprovalText.ts"
import type { Output } from "../../io/Output.ts"
import type { Terminal } from "../../io/Terminal.ts"
import * as Pager from "./Pager.ts"

export interface QuestionTexts {
  readonly question: (screen: ApprovalText.ApprovalScreen) => ReadonlyArray<SafeText>
  readonly everything: (screen: ApprovalText.ApprovalScreen) => ReadonlyArray<SafeText>
  readonly keys: (isWhole: boolean, screen: ApprovalText.ApprovalScreen) => ReadonlyArray<SafeText>
  /** The keys that are enabled only after the whole question was shown, and the keys that are always enabled. */
  readonly approvingKeys: ReadonlyArray<string>
  readonly others: ReadonlyArray<string>
}

export interface QuestionOptions {
  readonly output: Output["Service"]
  readonly terminal: Terminal["Service"]
}

export interface Answers {
  /** Waits for one of its keys. Null: the input has ended. */
  readonly next: Effect.Effect<string | null>
}

/** Shows the question, and remembers between keys how far it was read. */
export const make = ({ output, terminal }: QuestionOptions, paged: QuestionTexts): Answers => {
  let reading = Pager.unread
  let hasRead = false
  /** The size of the screen that showed the last page; null: none was shown. */
  let shownOn: ApprovalText.ApprovalScreen | null = null

  const show = (rows: ReadonlyArray<SafeText>): void => rows.forEach((row) => output.noteEscaped(row))
  const sheetOn = (screen: ApprovalText.ApprovalScreen): Pager.Sheet => ({
    rows: paged.question(screen),
    columns: screen.columns,
    // The keys and the cursor are below the page.
    room: Math.max(minRows, screen.rows - paged.keys(true, screen).length - 2)
  })
  const showPage = (screen: ApprovalText.ApprovalScreen): void => {
    const sheet = sheetOn(screen)
    show(ApprovalText.page(Pager.windowOf(reading, sheet), sheet.rows.length, screen))
    shownOn = screen
  }
  const isSmaller = (screen: ApprovalText.ApprovalScreen): boolean =>
    shownOn === null || screen.columns !== shownOn.columns || screen.rows < shownOn.rows

  return {
    next: Effect.gen(function* () {
      if (shownOn === null) showPage(ApprovalText.screenOf(output))
      while (true) {
        const screen = shownOn ?? ApprovalText.screenOf(output)
        const isWhole = hasRead || Pager.windowOf(reading, sheetOn(screen)).isWhole
        const accepted = [...paged.others, "?", ...(isWhole ? paged.approvingKeys : [" "])]
        const key = yield* terminal.readKey(accepted, () => show(paged.keys(isWhole, screen)))
        const now = ApprovalText.screenOf(output)
        if (key === "?") {
          hasRead = true
          show(paged.everything(now))
        } else if (key === " ") {
          reading = isSmaller(now) ? Pager.unread : Pager.next(reading, sheetOn(now))
          showPage(now)
        } else if (key !== null && paged.approvingKeys.includes(key) && !hasRead && isSmaller(now)) {
          // The rows that were shown have left the screen, or were laid out again.
          reading = Pager.unread
          showPage(now)
        } else return key
      }
    })
  }
}

const minRows = 2
