/**
 * Several conversations in one place, in a real terminal or in the process of the test, whose model comes from the
 * configuration, where a choice is saved.
 */
import { readFileSync } from "node:fs"
import { configure, type TestFolder, withTestFolder } from "./Bough.ts"
import { type Answer, type ModelServer, withModel } from "./ModelServer.ts"
import { type Options, type RealScreen, type Screen, withScreen } from "./Screen.ts"
import * as ScreenInProcess from "./ScreenInProcess.ts"

export interface Configured<S extends Screen = RealScreen> {
  readonly place: TestFolder
  readonly server: ModelServer
  /** The server, with no model configured. */
  readonly env: Readonly<Record<string, string>>
  /** Starts at the first prompt. */
  readonly converse: (use: (screen: S) => Promise<void>, options?: Options) => Promise<void>
}

export type Talking<S extends Screen = RealScreen> = (
  script: ReadonlyArray<Answer>,
  use: (input: Configured<S>) => Promise<void>
) => Promise<void>

type WithScreen<S extends Screen> = (
  place: TestFolder,
  options: Options,
  use: (screen: S) => Promise<void>
) => Promise<void>

const talkingOn =
  <S extends Screen>(withTerminal: WithScreen<S>) =>
  ({ prompt, ...setting }: Options & { readonly prompt: RegExp }): Talking<S> =>
  (script, use) =>
    withTestFolder((place) =>
      withModel(script, (server) => {
        const { BOUGH_MODEL, ...env } = server.env
        configure(place, `{\n  // mine\n  "model": "${BOUGH_MODEL}"\n}\n`)
        const converse: Configured<S>["converse"] = (use, options = {}) =>
          withTerminal(place, { env, columns: 100, ...setting, ...options }, async (screen) => {
            await screen.shows(prompt)
            await use(screen)
          })
        return use({ place, server, env, converse })
      })
    )

/** `prompt`: the empty prompt, with no work running. */
export const talking = talkingOn<RealScreen>(withScreen)

/** Runs the same program in this process, without a terminal of its own. */
export const inProcess = talkingOn<Screen>(ScreenInProcess.withScreen)

export const configOf = (place: TestFolder): string => readFileSync(place.config, "utf8")
