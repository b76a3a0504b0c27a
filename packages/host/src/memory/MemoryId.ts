/** The random id of the memory of a data directory, which marks the files that it exports. */
import { Directory } from "@bough/disk"
import * as SmallFile from "@bough/disk/SmallFile"
import { randomUUID } from "node:crypto"
import { join } from "node:path"

/** Reads the id, or creates it on the first call. After the id is lost, earlier exports are not recognised. */
export const memoryId = (dataDirectory: string): string => {
  const directory = join(dataDirectory, "memory")
  const path = join(directory, "id")
  const known = SmallFile.read(path)?.trim() ?? ""
  if (known !== "") return known
  Directory.make(directory)
  const newId = randomUUID()
  SmallFile.replace(path, `${newId}\n`)
  return newId
}
