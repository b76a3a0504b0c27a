/** A conversation with a scripted model, in a real terminal or in the process of the test. */
import { configure, type TestFolder, put, withTestFolder } from "./Bough.ts"
import { type Answer, type ModelServer, withModel } from "./ModelServer.ts"
import { type Options, type RealScreen, type Screen, withScreen } from "./Screen.ts"
import * as ScreenInProcess from "./ScreenInProcess.ts"

export interface Conversation<S extends Screen = RealScreen> {
  readonly place: TestFolder
  readonly server: ModelServer
  readonly screen: S
}

export interface Setting extends Options {
  /** The empty prompt, with no work running. */
  readonly prompt: RegExp
  /** Files of the workspace, by path. */
  readonly files?: Readonly<Record<string, string>>
  readonly config?: string
  /** Variables that name the place. */
  readonly variables?: (place: TestFolder) => Readonly<Record<string, string>>
}

export type Script = ReadonlyArray<Answer>
export type Use<S extends Screen = RealScreen> = (conversation: Conversation<S>) => Promise<void>

type WithScreen<S extends Screen> = (
  place: TestFolder,
  options: Options,
  use: (screen: S) => Promise<void>
) => Promise<void>

const talkingOn =
  <S extends Screen>(withTerminal: WithScreen<S>) =>
  ({ config, env, files = {}, prompt, variables, ...options }: Setting, script: Script, use: Use<S>): Promise<void> =>
    withTestFolder((place) =>
      withModel(script, (server) => {
        if (config !== undefined) configure(place, config)
        for (const [path, text] of Object.entries(files)) put(place, path, text)
        const all = { ...server.env, ...variables?.(place), ...env }
        return withTerminal(place, { ...options, env: all }, async (screen) => {
          await screen.shows(prompt)
          await use({ place, server, screen })
        })
      })
    )

/** Starts at the first prompt. */
export const talking = talkingOn<RealScreen>(withScreen)

/** Runs the same conversation in this process, without a terminal of its own. */
export const inProcess = talkingOn<Screen>(ScreenInProcess.withScreen)
