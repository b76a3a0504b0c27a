/**
 * Trees of sessions with a call that needs an approval: which session starts which, and which of them make the Elevated
 * call.
 */
import type { Model } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as Steady from "../tree/steady.ts"

/** The Main makes the call; its child; its grandchild; two Branches beside each other. */
export type Family = "Main" | "Branch" | "Branch below a Branch" | "two Branches"

export const elevatedTool = "launch"

/** Each session makes one call, which names its task. */
export const launches = (task: string): ReadonlyArray<Reply.Reply> => [
  Reply.toolCall(elevatedTool, { target: task }),
  Reply.text("done")
]

const starts = (...tasks: ReadonlyArray<string>): ReadonlyArray<Reply.Reply> => [
  Reply.toolCalls(tasks.map((task) => ({ name: "spawn_branch", arguments: { task } }))),
  Reply.toolCall("wait_for_sessions"),
  Reply.text("done")
]

/** The task of the Main. */
export const mainTask = "go"

const casts: Readonly<Record<Family, Steady.Cast>> = {
  Main: { [mainTask]: launches(mainTask) },
  Branch: { [mainTask]: starts("low"), low: launches("low") },
  "Branch below a Branch": { [mainTask]: starts("middle"), middle: starts("low"), low: launches("low") },
  "two Branches": { [mainTask]: starts("left", "right"), left: launches("left"), right: launches("right") }
}

/** The tasks of the sessions that make an Elevated call. */
export const askers: Readonly<Record<Family, ReadonlyArray<string>>> = {
  Main: [mainTask],
  Branch: ["low"],
  "Branch below a Branch": ["low"],
  "two Branches": ["left", "right"]
}

export const modelOf = (family: Family): Model.Model["Service"] => Steady.make(casts[family])
