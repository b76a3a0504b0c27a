/**
 * Formats errors of calls for the model: each fact once, without the program's internal names, and with a next step.
 */
import { ToolError } from "@bough/protocol"

/** The mark for providers that cannot mark a call as failed. */
const mark = "Error: "

/**
 * The model's next step after each kind of refusal; "" if the reason of the refusal already contains the step. The keys
 * are the tags of the refusals, which programs read.
 */
const nextSteps: Readonly<Record<string, string>> = {
  PathEscape: "the user can add its directory with --add-dir; ask for it",
  SymlinkEscape: "the user can add the directory that it leads to with --add-dir; ask for it",
  MagicLink: "name the file itself",
  HardLink: "copy the file, and work on the copy",
  NotRegular: "",
  TooLarge: "",
  BadName: "",
  Protected: "leave it as it is, or tell the user what to change there",
  Withheld: "continue without it, or tell the user",
  SecretFile: "",
  ReadOnlyWorkspace: "tell the user what is to be written"
}

export const forModel = (error: ToolError.ToolErrorData): string => {
  const description =
    error._tag === "PermissionDenied" ? withNextStep(ToolError.describe(error)) : ToolError.describe(error)
  const issues = error._tag === "ValidationError" ? error.issues : []
  // The message of most errors summarises their issues.
  const more = issues
    .filter(({ message }) => !description.includes(message))
    .map(({ message, path }) => (path === "" ? `- ${message}` : `- ${path}: ${message}`))
  return [`${mark}${description}`, ...more].join("\n")
}

const withNextStep = (reason: string): string => {
  const [prefix, name] = /^([A-Z]\w+): /u.exec(reason) ?? []
  if (prefix === undefined || !Object.hasOwn(nextSteps, name)) return reason
  const step = nextSteps[name]
  return `${reason.slice(prefix.length)}${step === "" ? "" : ` (${step})`}`
}
