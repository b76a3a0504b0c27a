/** A framework with a scripted model that makes one call and then says "done". */
import type { openWorld } from "../World.ts"

export type World = Awaited<ReturnType<typeof openWorld>>

export interface EndedOutcome {
  /** The result of its call as text for the model. */
  readonly told: string
}

export interface AskedOutcome {
  /** The text that the user is shown. */
  readonly shown: string
  readonly decide: (approved: boolean) => Promise<EndedOutcome>
}

export interface Driver {
  /** The JSON Schema of `write_note` that the model gets. */
  readonly declared: (world: World) => Promise<unknown>
  /** Runs a call to its end, or until the framework asks the user. */
  readonly run: (world: World, call: Call) => Promise<EndedOutcome | AskedOutcome>
}

export interface Call {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly onProgress?: (message: string) => void
  readonly signal?: AbortSignal
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))
