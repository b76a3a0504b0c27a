/** Checks the instructions and settings of the folder, and whether the user trusts their current state. */
import * as ProjectFiles from "@bough/host/project/ProjectFiles"
import * as Trust from "@bough/host/project/Trust"
import { type Check, pass, problem } from "./Check.ts"

export const checkTrust = (workspaceRoot: string, dataDirectory: string): Check => {
  const name = "trust"
  const { files, unreadable } = ProjectFiles.find(workspaceRoot)
  if (unreadable.length > 0) {
    const sentences = unreadable.map(({ name, problem }) => `${name} is not used: ${problem}`)
    return problem(name, sentences.join("; "), "make it readable, or remove it")
  }
  if (files.length === 0) return pass(name, "no AGENTS.md, no skill and no .bough/config.jsonc here")
  const decided = Trust.decisions(dataDirectory, files)
  const states = files.map((file) => `${file.name} ${words[decided.get(file) ?? "undecided"]}`).join(", ")
  const isWhole = files.every((file) => decided.get(file) === "trusted")
  return pass(name, isWhole ? states : `${states}; --trust trusts their current state`)
}

const words = {
  trusted: "is trusted",
  declined: "was declined and is not used",
  undecided: "is not trusted in its current state and is not used"
}
