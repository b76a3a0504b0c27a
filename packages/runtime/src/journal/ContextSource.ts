/**
 * Where the text of a ContextAdded entry comes from, by its `source`. Text of any other source is an instruction of the
 * operator or of the project.
 */
import type { Entry } from "@bough/protocol"

/** Notes that bear on a message. */
export const memory = "memory"
/** What a reflection said of the work before a message. */
export const reflection = "reflection"
/** What the user prefers. */
export const preferences = "preferences"

type Context = Pick<Entry.BodyOf<"ContextAdded">, "source">

export const isPreferences = ({ source }: Context): boolean => source === preferences

/** Whether the text was recalled or reflected: it instructs nobody. */
export const isRecalled = ({ source }: Context): boolean =>
  source === memory || source === reflection || source === preferences
