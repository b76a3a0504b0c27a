/** The planner's description of itself. */

/** The first words of the description, by which an earlier description is recognised. */
const name = "offline/planner"

const connect =
  "To connect a model, use /login or /model in a conversation, or set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY."

/** Introduces the planner in one line that explains how to connect a model. */
export const introduction = `(I am ${name}: no model, only an interpreter of plain requests. ${connect})`

const examples = [
  "read README.md lines 1-20",
  "list src recursively",
  "find *.json then count files in src",
  "search for TODO in src",
  "count lines in package.json",
  'write "hello" to notes.txt then read it',
  'replace "hello" with "goodbye" in notes.txt',
  "create directory drafts, move notes.txt into drafts",
  "run `npm test`",
  "what time is it"
]

const listed = `For example:\n${examples.map((example) => `- ${example}`).join("\n")}`

export const help = `I follow plain requests about this workspace, several at once if joined by "then".\n${listed}`

export const refusalText = (part: string): string =>
  part === ""
    ? `I can't do that offline: nothing was asked.\n${listed}`
    : `I can't do that offline: I follow plain requests only, and this is none: ${quote(part)}\n${listed}`

/** Explains how to connect a model; part of every refusal. */
export const connecting = connect

const maxLength = 120

const quote = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ")
  return JSON.stringify(line.length <= maxLength ? line : `${line.slice(0, maxLength)}…`)
}
