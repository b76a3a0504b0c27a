/** The random id of the memory of one data directory, by which it knows the files again that it has exported. */
import { Directory } from "@bough/disk"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import * as SmallFile from "@bough/disk/SmallFile"

/** Made when it is first asked for. Without it, what was exported before is nobody's. */
export const memoryId = (dataDirectory: string): string => {
  const directory = join(dataDirectory, "memory")
  const path = join(directory, "id")
  const known = SmallFile.read(path)?.trim() ?? ""
  if (known !== "") return known
  Directory.make(directory)
  const made = randomUUID()
  SmallFile.replace(path, `${made}\n`)
  return made
}
