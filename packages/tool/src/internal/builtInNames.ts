/** The short names of Bough's own capabilities, and what an async handler is given beside capabilities: nobody else's to use. */
export const builtInNames: ReadonlySet<string> = new Set([
  "WorkspaceRead",
  "WorkspaceWrite",
  "RepositoryRead",
  "RepositoryWrite",
  "CodeIntelligence",
  "MemoryRead",
  "MemoryWrite",
  "Scratchpad",
  "Environment",
  "Attachments",
  "NetworkRead",
  "NetworkWrite",
  "SpilledOutput",
  "History",
  "Execution",
  "Channel",
  "Spawn",
  "Schedule",
  "Vault",
  "External",
  "Invocation",
  "Progress",
  "invocation",
  "signal"
])

/** Namespaces whose services mean something to the dispatcher or to Effect. */
export const reservedNamespace = /^(?:@bough|~?@?effect)\//u
