/**
 * Formats errors of calls for the model: each fact once, without the program's internal names, and with a next step.
 */
import { RefusalName, type ToolError } from "@bough/protocol"

/** The mark for providers that cannot mark a call as failed. */
const mark = "Error: "

/** The model's next step after a refusal, unless the reason of the refusal already contains the step. */
const nextSteps: Partial<Record<RefusalName.RefusalName, string>> = {
  PathEscape: "the user can add its directory with --add-dir; ask for it",
  SymlinkEscape: "the user can add the directory that it leads to with --add-dir; ask for it",
  MagicLink: "name the file itself",
  HardLink: "copy the file, and work on the copy",
  Protected: "leave it as it is, or tell the user what to change there",
  Withheld: "continue without it, or tell the user",
  ReadOnlyWorkspace: "tell the user what is to be written"
}

export const forModel = (error: ToolError.ToolErrorData): string => {
  const step = error._tag === "PermissionDenied" ? nextStep(error.reason) : ""
  const description = `${RefusalName.describeWithoutName(error)}${step}`
  const issues = error._tag === "ValidationError" ? error.issues : []
  // The message of most errors summarises their issues.
  const more = issues
    .filter(({ message }) => !description.includes(message))
    .map(({ message, path }) => (path === "" ? `- ${message}` : `- ${path}: ${message}`))
  return [`${mark}${description}`, ...more].join("\n")
}

/** Returns the next step after a refusal in brackets; "" if there is none, or the reason already contains it. */
const nextStep = (reason: string): string => {
  const name = RefusalName.nameIn(reason)
  const step = name === null ? "" : (nextSteps[name] ?? "")
  return step === "" ? "" : ` (${step})`
}
