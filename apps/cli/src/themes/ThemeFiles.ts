/** The user's themes: JSON files in the folder `themes` of the configuration, each named after its theme. */
import * as Home from "@bough/host/config/Home"
import * as Colour from "@bough/tui/theme/Colour"
import * as Theme from "@bough/tui/theme/Theme"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { type CliFailure, usage } from "../CliFailure.ts"
import * as ThemeChoice from "./ThemeChoice.ts"

const colour = Schema.Union([Schema.String, Schema.Int]).check(
  Schema.makeFilter((value) =>
    Colour.isColour(value)
      ? undefined
      : "is not a colour: give a name such as brightBlue, a number up to 255, or #rrggbb"
  )
)

/** A theme as its file states it: omitted colours come from the built-in theme that it is based on. */
const ThemeFile = Schema.Struct({
  base: Schema.optionalKey(Schema.Literals(["dark", "light"])),
  colours: Schema.optionalKey(Schema.Record(Schema.Literals(Theme.parts), Schema.optionalKey(colour)))
})

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(ThemeFile), { onExcessProperty: "error" })

type Environment = Parameters<typeof Home.configDirectory>[0]

export const folder = (environment: Environment): string => join(Home.configDirectory(environment), "themes")

/** The names of all themes, the built-in ones first. */
export const names = (environment: Environment): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(() => readdir(folder(environment)).catch((): ReadonlyArray<string> => [])).pipe(
    Effect.map((files) => {
      const userThemes = files.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length))
      return [...ThemeChoice.builtIn, ...userThemes.toSorted()]
    })
  )

/** Reads a theme by its name. */
export const load = Effect.fnUntraced(function* (
  environment: Environment,
  name: string
): Effect.fn.Return<ThemeChoice.ThemeChoice, CliFailure> {
  const builtIn = ThemeChoice.fromName(name)
  if (builtIn !== null) return builtIn
  const all = yield* names(environment)
  if (!all.includes(name)) {
    return yield* usage(`there is no theme ${JSON.stringify(name)}`, `themes: ${all.join(", ")}`)
  }
  const file = join(folder(environment), `${name}.json`)
  const text = yield* Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: (cause) => usage(`cannot read the theme ${file}: ${String(cause)}`, "")
  })
  const { base = "dark", colours = {} } = yield* decode(text).pipe(
    Effect.mapError((error) => usage(`the theme ${file} cannot be used: ${error.message}`, "correct the file"))
  )
  return { _tag: "Colours", name, colours: { ...Theme.builtIn[base], ...colours } }
})
