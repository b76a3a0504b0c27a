/** The machine of a measurement, without information about its owner. */
import { readFileSync } from "node:fs"
import { availableParallelism, cpus, release, totalmem, type } from "node:os"

export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryGigabytes: number
  readonly kernel: string
  readonly node: string
  /** The file system of the directory that the benchmarks write to. */
  readonly fileSystem: string
}

export const describe = (folder: string): Machine => ({
  processor: cpus()[0]?.model.trim() ?? "unknown processor",
  cores: availableParallelism(),
  memoryGigabytes: Math.round(totalmem() / 2 ** 30),
  kernel: `${type()} ${release()}`,
  node: process.version,
  fileSystem: fileSystemOf(folder)
})

export const text = (machine: Machine): string =>
  [
    machine.processor,
    `${machine.cores} cores`,
    `${machine.memoryGigabytes} GB`,
    machine.kernel,
    `Node ${machine.node}`,
    machine.fileSystem
  ].join(" · ")

/** Returns the type of the innermost mount that contains the folder. */
const fileSystemOf = (folder: string): string => {
  if (process.platform !== "linux") return "unknown file system"
  const mounts = readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .filter(([, at]) => at !== undefined && `${folder}/`.startsWith(at === "/" ? "/" : `${at}/`))
  return mounts.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[2] ?? "unknown file system"
}
