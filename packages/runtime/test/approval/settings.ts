/**
 * The scopes of the explorer. A scope names the tree, the decision of each user, the events that end the work, and the
 * number of processes that continue it.
 */
import type { Approval } from "@bough/protocol"
import { intact } from "./breakages.ts"
import type { Family } from "./family.ts"
import type { Deciders, Ending, Setting } from "./play.ts"

const approved: Approval.Decision = { _tag: "Approved", rule: null }
const denied: Approval.Decision = { _tag: "Denied", words: null }

/** The scope of a Main: two users decide at the same time, a second process takes over, and a deadline may pass. */
export const whole: Setting = {
  family: "Main",
  deciders: { ada: approved, grace: denied },
  store: intact,
  owner: intact,
  restarts: 1,
  waitsToRead: false,
  graceMillis: null,
  endings: [],
  expires: true
}

export interface Scope {
  readonly name: string
  readonly setting: Setting
}

const graceApproves: Deciders = { ada: null, grace: approved }
const graceDenies: Deciders = { ada: null, grace: denied }
const noDeciders: Deciders = { ada: null, grace: null }

const scope = (name: string, changes: Partial<Setting>): Scope => ({ name, setting: { ...whole, ...changes } })

/** In each scope one user decides, and one event ends the work. */
const endsOfMain: ReadonlyArray<Scope> = [
  scope("a Main that is cancelled", { deciders: graceApproves, restarts: 0, endings: ["asker"] }),
  scope("a Main that is interrupted", { deciders: graceApproves, restarts: 0, endings: ["interrupt"] }),
  scope("a Main that is interrupted, followed", { deciders: noDeciders, endings: ["interrupt"] }),
  scope("a Main whose process is told to end", { deciders: graceApproves, endings: ["leave"] }),
  scope("a Main whose process learns that it lost the tree", { deciders: graceApproves, endings: ["lost"] })
]

const below: ReadonlyArray<readonly [Family, Ending]> = [
  ["Branch", "asker"],
  ["Branch", "Main"],
  ["Branch", "interrupt"],
  ["Branch", "leave"],
  ["Branch below a Branch", "asker"],
  ["Branch below a Branch", "above"],
  ["Branch below a Branch", "Main"]
]

/** The scopes with the sessions below a Main, within one process. */
const endsBelow = below.map(([family, ending]) =>
  scope(`a ${family}: ${ending}`, { family, deciders: graceApproves, restarts: 0, endings: [ending] })
)

/** The scopes of a thorough run of the suite; `pnpm test` explores some of them. */
export const short: ReadonlyArray<Scope> = [
  ...endsOfMain,
  ...endsBelow,
  scope("a Branch, followed by another process", { family: "Branch", deciders: graceApproves }),
  scope("two Branches, each with a call", {
    family: "two Branches",
    deciders: graceApproves,
    restarts: 0,
    expires: false
  })
]

const endings: ReadonlyArray<Ending> = ["asker", "interrupt", "leave", "lost"]

/** The scopes that take minutes: every end of the work races two users, in every tree, and another process follows. */
export const long: ReadonlyArray<Scope> = [
  ...endings.map((ending) => scope(`a Main, ${ending}, two race`, { endings: [ending] })),
  ...endings.map((ending) => scope(`a Main, ${ending}, denied`, { deciders: graceDenies, endings: [ending] })),
  ...below.map(([family, ending]) =>
    scope(`a ${family}: ${ending}, followed`, { family, deciders: graceApproves, endings: [ending] })
  ),
  scope("a Branch below a Branch, followed", { family: "Branch below a Branch", deciders: graceApproves }),
  scope("two Branches, one is cancelled", {
    family: "two Branches",
    deciders: graceApproves,
    restarts: 0,
    endings: ["asker"]
  }),
  scope("two Branches, two race", { family: "two Branches", restarts: 0, expires: false })
]
