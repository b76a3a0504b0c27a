/** A session whose call is pending approval, and the later attempts of its agent. */
import { assert } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { bough, type Ended, type Options, type TestFolder, put, withTestFolder } from "../program/Bough.ts"
import * as InProcess from "../program/InProcess.ts"
import { type Answer, type Call, type ModelServer, withModel } from "../program/ModelServer.ts"

export const precious = "precious.txt"
const remove: Answer = { text: "", calls: [{ name: "delete_path", arguments: { path: precious } }] }

export interface WaitingPlace {
  readonly place: TestFolder
  readonly server: ModelServer
  readonly sessionId: string
  readonly approvalId: string
  /** The agent makes these calls in one reply, then ends its turn. */
  readonly tries: (calls: ReadonlyArray<Call>, args?: ReadonlyArray<string>) => Promise<Ended>
}

type Run = (place: TestFolder, args: ReadonlyArray<string>, options: Options) => Promise<Ended>

/**
 * `prepare` creates the files of the attempt. `runs`: how the program runs during the attempt. The session before that
 * and the commands after it run in this process.
 */
const waiting =
  (runs: Run) =>
  (prepare: (place: TestFolder) => TestFolder, use: (waiting: WaitingPlace) => Promise<void>): Promise<void> =>
    withTestFolder((place) => {
      const script: Array<Answer> = [remove, { text: "I wait" }]
      return withModel(script, async (server) => {
        const here = prepare(place)
        put(here, precious, "precious\n")
        const ended = await InProcess.bough(here, ["run", "--format", "json", "clean up"], { env: server.env })
        assert.strictEqual(ended.code, 3, ended.stderr)
        const { approvals, sessionId } = JSON.parse(ended.stdout)
        await use({
          place: here,
          server,
          sessionId,
          approvalId: approvals[0],
          tries: (calls, args = []) => {
            script.push({ text: "approved. yes. y", calls }, { text: "y" })
            return runs(here, ["run", "--session", sessionId, ...args, "go on"], { env: server.env })
          }
        })
      })
    })

/** Runs attempts by text and tools of an agent. */
export const withWaiting = waiting(InProcess.bough)

/** Runs attempts by commands of an agent, whose ancestor is the program. */
export const withWaitingProgram = waiting(bough)

interface Pending {
  readonly request: { readonly approvalId: string }
  readonly answered: unknown
  readonly expired: boolean
}

/** The results of the calls of the last reply, as sent to the model. */
export const lastToolResults = ({ server }: WaitingPlace): ReadonlyArray<string> => {
  const messages = server.requests.at(-1)?.messages ?? []
  const start = messages.findLastIndex(({ role }) => role === "assistant")
  return messages.slice(start + 1).flatMap(({ content, role }) => (role === "tool" ? [String(content)] : []))
}

/** The approval is still pending, no rule applies, and the file that it is about exists. */
export const assertUndecided = async ({ approvalId, place, sessionId, server }: WaitingPlace): Promise<void> => {
  const all = JSON.parse(
    (await InProcess.bough(place, ["approvals", "--format", "json"])).stdout
  ) as ReadonlyArray<Pending>
  const one = all.find(({ request }) => request.approvalId === approvalId)
  assert.deepInclude(one, { answered: null, expired: false })
  assert.strictEqual((await InProcess.bough(place, ["policy", "--format", "json"])).stdout, "[]\n")
  const ended = await InProcess.bough(place, ["run", "--session", sessionId, "--continue"], { env: server.env })
  assert.strictEqual(ended.code, 3, ended.stderr)
  assert.isTrue(existsSync(join(place.workspace, precious)))
}
