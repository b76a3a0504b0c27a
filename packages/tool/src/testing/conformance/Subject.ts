/** The tool under test with its world, which every check of the conformance kit receives. */
import type { Provision } from "../../Provided.ts"
import type * as Tool from "../../Tool.ts"

/** A fresh world for one run of a tool. */
export interface TestWorld {
  /** The capabilities of the tool. A missing one becomes a fake whose methods all fail with an ExecutionError. */
  readonly provisions?: ReadonlyArray<Provision>
  /** The workspace, a folder; its files before and after a run are compared. */
  readonly root?: string
  /** State outside of `root`, such as the rows of a database, as JSON. It is compared before and after a run. */
  readonly state?: () => unknown
  readonly dispose?: () => void | Promise<void>
}

export interface TestedTool {
  readonly tool: Tool.Any
  /** Arguments as JSON; the tool should succeed with each of them in a new world. */
  readonly samples: ReadonlyArray<unknown>
  readonly open: () => TestWorld | Promise<TestWorld>
  /** Exports the tool to the format of a provider, by the name of the format. */
  readonly formats: Readonly<Record<string, (tools: ReadonlyArray<Tool.Any>) => unknown>>
}

/** A rule that a tool breaks, with the fault and the fix. */
export class Nonconformance extends Error {
  override readonly name = "Nonconformance"
}

/** Throws the fault of a tool. */
export const refuse = (tool: Tool.Any, fault: string): never => {
  throw new Nonconformance(`${tool.name}: ${fault}`)
}
