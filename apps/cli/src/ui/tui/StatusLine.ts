/**
 * The status line: model, use of its context window, cost, child sessions and background commands that are running,
 * folder, session title. Pure.
 */
import type { Mode } from "@bough/host/session/SessionMode"
import type { Session } from "@bough/protocol"
import * as Escape from "@bough/tui/text/Escape"
import * as Rows from "@bough/tui/text/Rows"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import * as Figures from "../../format/Figures.ts"
import * as IndexText from "../../format/IndexText.ts"
import * as SessionUsage from "../conversation/SessionUsage.ts"
import type { Transcript } from "./Transcript.ts"

export interface Model {
  readonly name: string
  /** Null: not known. */
  readonly contextTokens: number | null
  /** The reasoning effort; null: the provider's default. */
  readonly effort: string | null
  /** The name of the workspace folder. */
  readonly folder?: string
  /** The branch that is checked out in the workspace; null: none. */
  readonly branch?: string | null
  /** The mode of the session; default: auto, which is not named. */
  readonly mode?: Mode
  /** The vim mode; null: vim keys are off. */
  readonly editing?: string | null
  /** True: no command needs an approval. */
  readonly allowsCommands?: boolean
}

/** The cells that the title gets before the other parts are shortened for it. */
const titleRoom = 24

/**
 * A row that is too long for the screen is shortened in steps, so that folder, cost and title remain: the model without
 * its provider, the context and the effort in fewer words, the branch without the folder. The end of the title is cut.
 */
export const row = (view: Transcript, model: Model, columns: number): SafeText => {
  const title = Escape.line(view.title)
  const width = columns - (title === "" ? 0 : Math.min(titleRoom, Rows.width(title)) + Rows.width(separator))
  const rows = Array.from({ length: maxSteps + 1 }, (_, step) => parts(view, model, step))
  const fitting = rows.find((candidate) => Rows.width(candidate) <= width) ?? parts(view, model, maxSteps)
  return Rows.cut(title === "" ? fitting : text`${fitting}${separator}${title}`, columns)
}

const separator = text` · `

const maxSteps = 3

/** Returns all parts except the title, shortened in that number of steps. */
const parts = (view: Transcript, model: Model, steps: number): SafeText =>
  Escape.line(
    [
      model.editing ?? "",
      model.allowsCommands === true || model.mode === "all" ? "ALL COMMANDS ALLOWED" : "",
      model.mode === "plan" || model.mode === "ask" ? `${model.mode} mode` : "",
      steps < 1 ? model.name : model.name.slice(model.name.lastIndexOf("/") + 1),
      model.effort === null ? "" : steps < 2 ? `effort ${model.effort}` : model.effort,
      (steps < 2 ? context : briefContext)(view.usage.contextTokens, model.contextTokens),
      cost(view),
      childrenText([...view.tree.branches.values()]),
      commands(view.commands.size),
      view.indexing === null ? "" : IndexText.percent(view.indexing),
      folder(steps < 3 || (model.branch ?? null) === null ? model : { ...model, folder: "" })
    ]
      .filter((part) => part !== "")
      .join(" · ")
  )

/** Formats `context 24.0k of 200k (12%)`, or only tokens if the window is not known. */
const context = (used: number | null, window: number | null): string => {
  if (used === null) return ""
  if (window === null || window === 0) return `context ${Figures.thousands(used)} tokens`
  return `context ${Figures.thousands(used)} of ${Figures.thousands(window)} (${SessionUsage.percent(used, window)}%)`
}

/** Formats `24.0k (12%)`, or only tokens if the window is not known. */
const briefContext = (used: number | null, window: number | null): string => {
  if (used === null) return ""
  const tokens = Figures.thousands(used)
  return window === null || window === 0 ? `${tokens} tokens` : `${tokens} (${SessionUsage.percent(used, window)}%)`
}

/** Formats the cost; "" if nothing was spent or the cost is unknown. `~`: part of it is an estimate. */
const cost = ({
  usage: {
    isEstimated,
    total: { costUsd }
  }
}: Transcript): string =>
  costUsd === null || costUsd === 0 ? "" : `${isEstimated ? "~" : ""}${Figures.dollars(costUsd)}`

/** Formats the folder and its branch, as in `workspace (main)`. */
const folder = ({ branch = null, folder = "" }: Model): string =>
  branch === null ? folder : folder === "" ? `on ${branch}` : `${folder} (${branch})`

/** Formats the sessions that this one started and that have not ended. */
const childrenText = (states: ReadonlyArray<Session.SessionState>): string => {
  if (states.length === 0) return ""
  const waiting = states.filter((state) => state === "Suspended").length
  const many = `${states.length} ${states.length === 1 ? "agent" : "agents"} running`
  return waiting === 0 ? many : `${many}, ${waiting} waiting`
}

/** Formats the number of background commands that are running. */
const commands = (running: number): string =>
  running === 0 ? "" : `${running} ${running === 1 ? "command" : "commands"} running`
