/** Arguments and results that the memory file tools share. */
import * as Schema from "effect/Schema"

export const Path = Schema.NonEmptyString.annotate({
  description: "Below the memory folder, such as facts/people.md"
})

export const WriteResult = Schema.Struct({ path: Schema.String, size: Schema.Natural })

export const formatWritten = ({ path, size }: typeof WriteResult.Type): string => `${path} has ${size} bytes now`

const summaryLine = /^>\s*Summary:.*$/imu
const heading = /^#[^\n]*\n+/u

/** Sets the summary of a text: it replaces the existing one, or is added below the heading or at the top. */
export const withSummary = (content: string, summary: string): string => {
  const line = `> Summary: ${summary.replaceAll(/\s+/gu, " ").trim()}`
  if (summaryLine.test(content)) return content.replace(summaryLine, () => line)
  const title = heading.exec(content)?.[0].trimEnd() ?? ""
  const rest = content.slice(title.length).trimStart()
  return [title, line, rest].filter((part) => part !== "").join("\n\n")
}
