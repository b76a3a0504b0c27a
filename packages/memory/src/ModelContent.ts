/**
 * The identity of a transformers.js model: a digest of the names within the model and of all bytes of the loaded files.
 * The model's own name and location do not count. Why: adr/0034-identity-of-a-model.md.
 */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, statSync } from "node:fs"
import { open } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { ModelFiles } from "./TransformersModel.ts"

/** The way in which vectors are computed from the model's output: the mean over the words, at length 1. */
const method = "onnx-1"

/** The state of each file when it was checked, by its path. */
export type Stamps = ReadonlyMap<string, string>

/** Returns the folders that the library searches, in order. */
const foldersOf = ({ cacheFolder, localFolder, name, revision }: ModelFiles): ReadonlyArray<string> => [
  ...(cacheFolder === null ? [] : [join(cacheFolder, name, revision === "main" ? "" : (revision ?? ""))]),
  ...(localFolder === null || revision !== null ? [] : [join(localFolder, name)])
]

const weightsFolder = "onnx"

const namesIn = (folder: string): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map(({ name }) => name)
    : []

const stampOf = (path: string): string => {
  const { ctimeMs, ino, mtimeMs, size } = statSync(path)
  return [ino, size, mtimeMs, ctimeMs].join(" ")
}

/** Returns the stamp of every file that exists and may be loaded. */
export const stamps = (files: ModelFiles): Stamps =>
  new Map(
    foldersOf(files)
      .flatMap((folder) => [folder, join(folder, weightsFolder)])
      .flatMap((folder) => namesIn(folder).map((name) => join(folder, name)))
      .filter((path) => existsSync(path))
      .map((path) => [path, stampOf(path)])
  )

const isUnfinished = /^\.|\.tmp\.\d+\./u

/**
 * Returns the files in the folder of an ONNX file to which it may refer by any name: all except the weights of other
 * variants.
 */
const filesBeside = (path: string): ReadonlyArray<string> =>
  namesIn(dirname(path)).filter(
    (name) => (name.startsWith(basename(path)) || !name.includes(".onnx")) && !isUnfinished.test(name)
  )

const chunkBytes = 1 << 20

/** Digests a file in a megabyte of memory, however large it is. */
const digestOf = (path: string): Promise<string> =>
  open(path).then((file) => {
    const hash = createHash("sha256")
    const chunk = Buffer.allocUnsafe(chunkBytes)
    const rest = (): Promise<string> =>
      file.read(chunk).then(({ bytesRead }) => {
        if (bytesRead === 0) return hash.digest("hex")
        hash.update(chunk.subarray(0, bytesRead))
        return rest()
      })
    return rest().finally(() => file.close())
  })

/** Finds the files by their names within the model, in the order of the names. */
const filesOf = (files: ModelFiles, names: ReadonlyArray<string>): ReadonlyArray<readonly [string, string]> => {
  const found = new Map<string, string>()
  for (const name of names) {
    const path = foldersOf(files)
      .map((folder) => join(folder, name))
      .find((candidate) => existsSync(candidate))
    if (path === undefined) continue
    found.set(name, path)
    if (!name.endsWith(".onnx")) continue
    for (const other of filesBeside(path)) found.set(`${dirname(name)}/${other}`, join(dirname(path), other))
  }
  return [...found].toSorted(([left], [right]) => (left < right ? -1 : 1))
}

/**
 * Returns the identity of a loaded model. `names` are its existing files, such as `onnx/model.onnx`; `before` are their
 * stamps before it was loaded. Fails if a file was replaced during loading, since either version may have been loaded.
 */
export const identityOf = (files: ModelFiles, names: ReadonlyArray<string>, before: Stamps): Promise<string> => {
  const found = filesOf(files, names)
  return Promise.all(found.map(([name, path]) => digestOf(path).then((digest) => [name, digest]))).then((content) => {
    for (const [, path] of found) {
      if ((before.get(path) ?? stampOf(path)) !== stampOf(path)) {
        throw new Error(`its file ${path} was changed while it was loaded: start again`)
      }
    }
    return `${method} sha256:${createHash("sha256").update(JSON.stringify(content)).digest("hex")}`
  })
}
