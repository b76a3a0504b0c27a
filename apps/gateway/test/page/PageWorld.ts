/** A gateway that really listens, a scripted model behind a real wire protocol, and one browser for all tests of the page. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import { type ModelServer, type Script, withModel } from "../../../cli/test/program/ModelServer.ts"
import * as Gateway from "../Gateway.ts"

export interface PageWorld {
  readonly browser: Browser
  readonly gateway: Gateway.Gateway
  readonly model: ModelServer
  readonly close: () => Promise<void>
}

const configure = (dataDirectory: string, config: unknown): void => {
  const folder = join(dataDirectory, "config", "bough")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "config.jsonc"), JSON.stringify(config))
}

const browserPath = "/usr/bin/chromium"

/** Starts everything; `close` ends it. */
export const open = async (script: Script): Promise<PageWorld> => {
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const scope = Scope.makeUnsafe()
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
  })
  return new Promise((resolve, reject) => {
    const serving = withModel(script, async (model) => {
      const gateway = await Effect.runPromise(
        Effect.gen(function* () {
          const dataDirectory = yield* Gateway.folder
          // Snapshots hold every file here, so that to delete one would not be asked about.
          yield* Effect.sync(() => configure(dataDirectory, { rules: { ask: ["delete_path"] } }))
          return yield* Gateway.start({ dataDirectory, variables: model.env })
        }).pipe(Scope.provide(scope))
      )
      resolve({
        browser,
        gateway,
        model,
        close: async () => {
          await browser.close()
          await Effect.runPromise(Scope.close(scope, Exit.void))
          end()
          await serving
        }
      })
      await ended
    })
    serving.catch(reject)
  })
}
