/** A child with the services of its session and of its parent's, for the code that runs and ends it. */
import type { SessionServices } from "../session/SessionServices.ts"
import * as Tree from "./Tree.ts"

export interface RunningChild extends Tree.Child {
  readonly session: SessionServices
  readonly parent: SessionServices
}

export const make = (child: Omit<RunningChild, "status">): RunningChild => ({ ...child, status: Tree.newStatus() })
