/** Every benchmark, in the order in which they run. */
import type { Benchmark } from "./Benchmark.ts"
import * as Blocks from "./Blocks.ts"
import * as Coding from "./Coding.ts"
import * as GatewayLoad from "./GatewayLoad.ts"
import * as ImportCost from "./ImportCost.ts"
import * as InProcess from "./InProcess.ts"
import * as Models from "./Models.ts"
import * as NoteSpeed from "./NoteSpeed.ts"
import * as Peers from "./Peers.ts"
import * as Recall from "./Recall.ts"
import * as SandboxSpeed from "./SandboxSpeed.ts"
import * as Screen from "./Screen.ts"
import * as Start from "./Start.ts"
import * as StepOverhead from "./StepOverhead.ts"
import * as Tokens from "./Tokens.ts"
import * as ToolSpeed from "./ToolSpeed.ts"
import * as TreeRuns from "./TreeRuns.ts"
import * as TypeCheck from "./TypeCheck.ts"
import * as UndoCost from "./UndoCost.ts"

export const benchmarks: ReadonlyArray<Benchmark> = [
  Start.benchmark,
  StepOverhead.benchmark,
  SandboxSpeed.benchmark,
  InProcess.benchmark,
  TreeRuns.benchmark,
  Screen.benchmark,
  Blocks.benchmark,
  Models.benchmark,
  Tokens.benchmark,
  ImportCost.benchmark,
  Recall.benchmark,
  NoteSpeed.benchmark,
  UndoCost.benchmark,
  GatewayLoad.benchmark,
  Coding.benchmark,
  Peers.benchmark,
  ToolSpeed.benchmark,
  TypeCheck.benchmark
]
