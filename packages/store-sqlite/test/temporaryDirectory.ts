/** A directory that is removed with the test. */
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-store-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)
