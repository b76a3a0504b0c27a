/**
 * Runs a script with its compiled code from the cache. Node caches only the top level of a module, so each start would
 * compile every function again before its first call. This cache keeps every function that a process has called.
 */
import { randomUUID } from "node:crypto"
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import * as nodeModule from "node:module"
import { join } from "node:path"
import * as vm from "node:vm"

/** A script that `build/scriptOf.ts` has made from a module. */
type Body = (imports: Context["imports"], load: Context["load"], meta: ImportMeta) => Readonly<Record<string, unknown>>

/** The parts that only the module beside the script has. */
export interface Context {
  /** The modules that the script imports, by their paths. */
  readonly imports: Readonly<Record<string, unknown>>
  /** Imports a module at run time. */
  readonly load: (path: string) => Promise<unknown>
  readonly meta: ImportMeta
}

/**
 * Runs the script of a module, and returns the module's exports. The name of its file contains a digest of its text,
 * because the engine only compares the length of the text with that of the cached code.
 */
export const run = (name: string, { imports, load, meta }: Context): ReturnType<Body> => {
  const filename = join(meta.dirname, name)
  const directory = nodeModule.getCompileCacheDir()
  const cache = directory === undefined ? null : { directory, file: join(directory, name) }
  const cached = cache === null ? null : read(cache.file)
  // The text has no characters outside of ASCII.
  const text = readFileSync(filename, "latin1")
  const script = new vm.Script(text, { filename, ...(cached === null ? {} : { cachedData: cached.code }) })
  if (cache !== null) {
    const codeBytes = cached === null || script.cachedDataRejected === true ? null : cached.codeBytes
    process.once("exit", () => renew(script, cache, codeBytes))
  }
  return (script.runInThisContext() as Body)(imports, load, meta)
}

interface Cache {
  readonly directory: string
  readonly file: string
}

interface CachedCode {
  readonly code: Buffer
  /** The size of all compiled code of the process that wrote it. */
  readonly codeBytes: number
}

/** The size of the number after the code. */
const numberBytes = 8

const read = (file: string): CachedCode | null => {
  try {
    const bytes = readFileSync(file)
    const end = bytes.length - numberBytes
    return { code: bytes.subarray(0, end), codeBytes: bytes.readDoubleLE(end) }
  } catch {
    return null
  }
}

/** Measuring takes 2 ms, and writing 20 ms, so neither is done more often than once in this time. */
const restMillis = 600_000

/** The part that a process must have compiled beyond the cache for the cache to be written again. */
const minGrowth = 1.05

/** Writes the cache at the end of a process if it has compiled much that the cache lacks. `codeBytes` null: no cache. */
const renew = (script: vm.Script, cache: Cache, codeBytes: number | null): void => {
  try {
    if (codeBytes !== null && Date.now() - statSync(cache.file).mtimeMs < restMillis) return
    const { getHeapCodeStatistics, setFlagsFromString } = process.getBuiltinModule("node:v8")
    const { bytecode_and_metadata_size: bytes } = getHeapCodeStatistics()
    if (codeBytes !== null && bytes < codeBytes * minGrowth) {
      utimesSync(cache.file, new Date(), new Date())
      return
    }
    // A conversation or a run with calls sets this flag, and the next start would reject code that was compiled with
    // other flags.
    setFlagsFromString("--no-optimize-for-size")
    write(cache, script.createCachedData(), bytes)
  } catch {
    // Without the cache the program starts more slowly. If its directory is unusable, the code that needs the directory
    // reports the error.
  }
}

/** Writes to the disk before the file gets its name, because the engine does not check the code that it loads. */
const write = (cache: Cache, code: Buffer, codeBytes: number): void => {
  const number = Buffer.alloc(numberBytes)
  number.writeDoubleLE(codeBytes)
  const temporaryPath = `${cache.file}.${randomUUID()}`
  try {
    const handle = openSync(temporaryPath, "wx", 0o600)
    try {
      writeFileSync(handle, code)
      writeFileSync(handle, number)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(temporaryPath, cache.file)
  } finally {
    // Only a write that failed leaves a file with this name, for example on a full disk.
    rmSync(temporaryPath, { force: true })
  }
  removeOld(cache)
}

const oldMillis = 30 * 24 * 3_600_000

/** Removes the code of versions that were not started for a month, and files of processes that ended while they wrote. */
const removeOld = ({ directory }: Cache): void => {
  for (const name of readdirSync(directory)) {
    const file = join(directory, name)
    if (name.startsWith("bough-") && Date.now() - statSync(file).mtimeMs > oldMillis) rmSync(file)
  }
}
