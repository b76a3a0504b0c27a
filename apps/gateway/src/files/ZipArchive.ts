/** Expands a `zip` file. Encrypted files, links and everything else that is neither file nor folder are refused. */
import { openPromise, type Entry, type ZipFile } from "yauzl"
import { ArchiveRefused, type ArchiveTarget } from "./ArchiveTarget.ts"

const unixShift = 16
const typeMask = 0o170000
const regular = 0o100000
const folderType = 0o040000
const executable = 0o100

const expandEntry = async (zip: ZipFile, entry: Entry, target: ArchiveTarget): Promise<void> => {
  const mode = entry.externalFileAttributes >>> unixShift
  const type = mode & typeMask
  if (type !== 0 && type !== regular && type !== folderType) {
    throw new ArchiveRefused(`${JSON.stringify(entry.fileName.slice(0, 100))} is neither a file nor a folder`)
  }
  if (entry.fileName.endsWith("/")) return target.folder(entry.fileName)
  if (entry.isEncrypted()) throw new ArchiveRefused("the archive is encrypted")
  const file = target.file(entry.fileName, (mode & executable) !== 0)
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      target.unpacked((chunk as Buffer).length)
      file.write(chunk as Buffer)
    }
  } finally {
    file.close()
  }
}

/** Rejects with `ArchiveRefused` if the archive is invalid; the caller then removes the target. */
export const expand = async (path: string, target: ArchiveTarget): Promise<void> => {
  try {
    const zip = await openPromise(path, { autoClose: false, strictFileNames: true })
    try {
      for await (const entry of zip.eachEntry()) await expandEntry(zip, entry, target)
    } finally {
      zip.close()
    }
  } catch (cause) {
    if (cause instanceof ArchiveRefused) throw cause
    throw new ArchiveRefused(`the archive cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}
