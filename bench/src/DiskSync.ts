/** The time that the disk takes to make a write durable, without any program around it. */
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"

/** Returns the milliseconds of each fdatasync after a page of 4 KiB was appended to a file in `folder`. */
export const fdatasyncMillis = (folder: string, count: number): ReadonlyArray<number> => {
  const page = Buffer.alloc(4096, 7)
  const file = openSync(join(folder, "fdatasync"), "w")
  const samples = Array.from({ length: count }, () => {
    writeSync(file, page)
    const startedAtMillis = performance.now()
    fdatasyncSync(file)
    return performance.now() - startedAtMillis
  })
  closeSync(file)
  return samples
}
