/** Reads a SKILL.md: front matter in YAML between two lines of dashes, then Markdown. */
import * as Result from "effect/Result"
import { parse as parseYaml } from "yaml"
import { nearest } from "../config/Nearest.ts"

export interface DescribedFile {
  readonly name: string
  /** The description in one line. */
  readonly description: string
  /** The Markdown after the front matter. */
  readonly body: string
}

const matter = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n([\s\S]*))?$/
const maxMatter = 16 * 1024
const maxName = 64
const maxDescription = 1024
const namePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** Splits front matter into keys and values, and the text after it. */
export interface ParsedMatter {
  readonly facts: ReadonlyMap<unknown, unknown>
  readonly body: string
}

/** Reads front matter with any keys, or returns a sentence about its fault. */
export const readMatter = (text: string): ParsedMatter | string => {
  const [, written, body] = matter.exec(text.replaceAll("\r\n", "\n")) ?? []
  if (written === undefined) return "it does not start with front matter between two lines of ---"
  if (written.length > maxMatter) return `its front matter is longer than ${maxMatter} characters`
  const facts = factsOf(written)
  return typeof facts === "string" ? facts : { facts, body: (body ?? "").trim() }
}

/** Reads the skill, or returns a sentence about its fault. */
export const read = (text: string): DescribedFile | string => {
  const found = readMatter(text)
  if (typeof found === "string") return found
  const { body, facts } = found
  const name = facts.get("name")
  if (typeof name !== "string") return "its front matter has no name"
  if (name.length > maxName || !namePattern.test(name)) {
    return `its name may have only lower-case letters, digits and single hyphens, at most ${maxName} characters`
  }
  const declared = facts.get("description")
  const description = typeof declared === "string" ? declared.trim().replaceAll(/\s+/g, " ") : ""
  if (description === "") return "its front matter has no description"
  if (description.length > maxDescription) return `its description is longer than ${maxDescription} characters`
  return { name, description, body }
}

const factsOf = (written: string): ReadonlyMap<unknown, unknown> | string => {
  const parsed = Result.try(() => parseYaml(written, { mapAsMap: true, logLevel: "error" }) as unknown)
  if (Result.isFailure(parsed)) {
    return `its front matter is not YAML: ${(parsed.failure as Error).message.split("\n")[0]}`
  }
  return parsed.success instanceof Map ? parsed.success : "its front matter is not a list of keys and values"
}

/** Describes a key that the front matter of a file may not have, with the keys that it may. */
export const unknownKey = (path: ReadonlyArray<string>, known: ReadonlyArray<string>): string => {
  const [key = ""] = path
  if (path.length !== 1) return `its front matter has the unknown key ${path.join(".")}`
  const similar = nearest(key, known)
  return `its front matter has the unknown key ${key}: ${similar === null ? `there are ${known.join(", ")}` : `did you mean ${similar}?`}`
}
