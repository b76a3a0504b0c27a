/** A conversation with a scripted model in a real terminal. */
import { configure, type Place, put, withPlace } from "./Bough.ts"
import { type Answer, type ModelServer, withModel } from "./ModelServer.ts"
import { type Options, type Screen, withScreen } from "./Screen.ts"

export interface Conversation {
  readonly place: Place
  readonly server: ModelServer
  readonly screen: Screen
}

export interface Setting extends Options {
  /** The empty prompt, with nothing under way. */
  readonly prompt: RegExp
  /** In the workspace, by path. */
  readonly files?: Readonly<Record<string, string>>
  readonly config?: string
  /** Variables that name the place. */
  readonly variables?: (place: Place) => Readonly<Record<string, string>>
}

export type Script = ReadonlyArray<Answer>
export type Use = (conversation: Conversation) => Promise<void>

/** From the first prompt on. */
export const talking = (
  { config, env, files = {}, prompt, variables, ...options }: Setting,
  script: Script,
  use: Use
): Promise<void> =>
  withPlace((place) =>
    withModel(script, (server) => {
      if (config !== undefined) configure(place, config)
      for (const [path, text] of Object.entries(files)) put(place, path, text)
      const all = { ...server.env, ...variables?.(place), ...env }
      return withScreen(place, { ...options, env: all }, async (screen) => {
        await screen.shows(prompt)
        await use({ place, server, screen })
      })
    })
  )
