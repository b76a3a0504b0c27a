/** A conversation as a document to read: what users and the agent said, and a line for each call. Pure. */
import { type Entry, Principal } from "@bough/protocol"

type Part =
  | { readonly _tag: "Said"; readonly by: "You" | "Agent"; readonly text: string }
  | { readonly _tag: "Called"; readonly text: string }

const partsOf = (entries: ReadonlyArray<Entry.Entry>): ReadonlyArray<Part> =>
  entries.flatMap(({ body }): ReadonlyArray<Part> => {
    if (body._tag === "UserMessage") {
      return Principal.isPerson(body.principal) ? [{ _tag: "Said", by: "You", text: body.text }] : []
    }
    if (body._tag === "ModelReplied") {
      const text = body.parts.flatMap((part) => (part._tag === "Text" ? [part.text] : [])).join("\n")
      return text.trim() === "" ? [] : [{ _tag: "Said", by: "Agent", text }]
    }
    return body._tag === "CallEnded" ? [{ _tag: "Called", text: `${body.tool}: ${outcomeOf(body.outcome)}` }] : []
  })

const outcomeOf = (outcome: Entry.Outcome): string => {
  switch (outcome._tag) {
    case "Succeeded":
      return outcome.display
    case "Failed":
    case "Rejected":
      return `${outcome._tag.toLowerCase()} (${outcome.error._tag})`
    case "Unknown":
      return outcome.message
    case "NotRun":
      return outcome.reason
  }
}

/** The number of messages and of calls in the document. */
export const size = (entries: ReadonlyArray<Entry.Entry>): { readonly messages: number; readonly calls: number } => {
  const parts = partsOf(entries)
  const messages = parts.filter(({ _tag }) => _tag === "Said").length
  return { messages, calls: parts.length - messages }
}

/** Changes each text before it is rendered, for example to hide secrets. */
type Change = (text: string) => string

const identity: Change = (text) => text

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, " ").trim()

/** Renders the conversation as Markdown: messages as they were written, calls as quoted code. */
export const toMarkdown = (title: string, entries: ReadonlyArray<Entry.Entry>, change: Change = identity): string =>
  [
    `# ${oneLine(title)}`,
    ...partsOf(entries).map((part) =>
      part._tag === "Said" ? `## ${part.by}\n\n${change(part.text).trim()}` : `- ${quote(oneLine(change(part.text)))}`
    ),
    ""
  ].join("\n\n")

/** Quotes code between more backticks than the longest run of backticks in it. */
const quote = (text: string): string => {
  const longest = Math.max(0, ...(text.match(/`+/gu) ?? []).map(({ length }) => length))
  const fence = "`".repeat(longest + 1)
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/gu, (found) => entities[found] ?? found)

/**
 * Renders the conversation as a self-contained HTML page: all text is escaped, and the page's policy forbids scripts and
 * loading.
 */
export const toHtml = (title: string, entries: ReadonlyArray<Entry.Entry>, change: Change = identity): string => {
  const sections = partsOf(entries).map((part) =>
    part._tag === "Said"
      ? `<section class="${part.by.toLowerCase()}"><h2>${part.by}</h2><div>${escapeHtml(change(part.text).trim())}</div></section>`
      : `<p class="call">${escapeHtml(oneLine(change(part.text)))}</p>`
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(oneLine(title))}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
h2 { font-size: 1rem; margin: 1.5rem 0 .25rem }
div { white-space: pre-wrap; overflow-wrap: anywhere }
.you { border-left: 3px solid; padding-left: .75rem }
.call { font: .85rem ui-monospace, monospace; opacity: .7; margin: .25rem 0 }
</style>
</head>
<body>
<h1>${escapeHtml(oneLine(title))}</h1>
${sections.join("\n")}
</body>
</html>
`
}
