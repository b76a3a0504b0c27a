/**
 * Names the sources of ContextAdded entries. Text of any other source is an instruction of the operator or of the
 * project.
 */
import type { Entry } from "@bough/protocol"

/** Notes that are relevant to a message. */
export const memory = "memory"
/** The verdict of a reflection, before a message. */
export const reflection = "reflection"
/** The user's preferences. */
export const preferences = "preferences"
/** The machine, the date and the repository that the session works in. */
export const environment = "environment"

/** File changes of the session that the user has undone. */
export const undo = "undo"
/** The output of a command that the user ran, or the content of a file that the user mentioned. */
export const userCommand = "command of the user"

/** Untrusted text that the user inserted by name, such as a prompt of an MCP server. */
export const foreign = "untrusted text"

/** Text of a hook of the operator. */
export const hook = "hook"

type Context = Pick<Entry.BodyOf<"ContextAdded">, "source">

/** Sources of text that stays in the prompt when older messages leave it, and is added again when it has changed. */
export type StandingSource = typeof environment | typeof preferences

export const isStanding = (source: string): source is StandingSource => source === environment || source === preferences

/** True if the text is data, such as a recalled note, and not an instruction. */
export const isData = ({ source }: Context): boolean =>
  source === memory || source === reflection || mayComeBetween({ source }) || isStanding(source)

/** True if the context may be added while the model works. */
export const mayComeBetween = ({ source }: Context): boolean =>
  source === undo || source === userCommand || source === foreign || source === hook
