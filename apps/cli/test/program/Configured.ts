/** Conversations of one place in a real terminal, one after another, whose model is named in the configuration, where a choice is kept. */
import { readFileSync } from "node:fs"
import { configure, type Place, withPlace } from "./Bough.ts"
import { type Answer, type ModelServer, withModel } from "./ModelServer.ts"
import { type Options, type Screen, withScreen } from "./Screen.ts"

export interface Configured {
  readonly place: Place
  readonly server: ModelServer
  /** The server, and nothing that names a model. */
  readonly env: Readonly<Record<string, string>>
  /** From the first prompt on. */
  readonly converse: (use: (screen: Screen) => Promise<void>, options?: Options) => Promise<void>
}

export type Talking = (script: ReadonlyArray<Answer>, use: (given: Configured) => Promise<void>) => Promise<void>

/** `prompt`: the empty prompt, with nothing under way. */
export const talking =
  ({ prompt, ...setting }: Options & { readonly prompt: RegExp }): Talking =>
  (script, use) =>
    withPlace((place) =>
      withModel(script, (server) => {
        const { BOUGH_MODEL, ...env } = server.env
        configure(place, `{\n  // mine\n  "model": "${BOUGH_MODEL}"\n}\n`)
        const converse: Configured["converse"] = (use, options = {}) =>
          withScreen(place, { env, columns: 100, ...setting, ...options }, async (screen) => {
            await screen.shows(prompt)
            await use(screen)
          })
        return use({ place, server, env, converse })
      })
    )

export const configOf = (place: Place): string => readFileSync(place.config, "utf8")
