/** Searches beyond the items of a list for the query that the user types, after a pause in typing. */
import type { PickerItem } from "@bough/tui/picker/Picker"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { SearchablePicker } from "../conversation/ConversationUi.ts"

export interface PickerSearch {
  /** Begins with a list, and with its first query. */
  readonly begin: (options: SearchablePicker) => void
  /** Searches for a query in place of the one before. */
  readonly find: (query: string) => void
  readonly end: () => void
}

const pauseMillis = 120

export const make = (show: (query: string, items: ReadonlyArray<PickerItem>) => void): PickerSearch => {
  let search: SearchablePicker["search"]
  let running: Fiber.Fiber<void> | null = null
  const stop = (): void => running?.interruptUnsafe()
  const find = (query: string): void => {
    stop()
    if (search === undefined || query.trim() === "") return
    running = Effect.runFork(
      Effect.sleep(pauseMillis).pipe(
        Effect.andThen(search(query)),
        Effect.map((items) => show(query, items))
      )
    )
  }
  return {
    begin: (options) => {
      search = options.search
      find(options.query ?? "")
    },
    find,
    end: () => {
      stop()
      search = undefined
    }
  }
}
