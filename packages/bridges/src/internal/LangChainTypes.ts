/** The parts of LangChain's middleware and of LangGraph's configuration that tools of a pack meet. */

interface LangChainCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly id?: string | undefined
}

/** The conditions under which the middleware interrupts for a tool, and the text that it shows. */
export interface InterruptOn {
  readonly allowedDecisions: Array<"approve" | "reject">
  readonly when: (request: { readonly toolCall: LangChainCall }) => Promise<boolean>
  readonly description: (toolCall: LangChainCall) => Promise<string>
}

/** The parts of the configuration that a tool reads. */
export interface ToolConfig {
  readonly signal?: AbortSignal
  readonly toolCall?: { readonly id?: string }
  readonly writer?: (chunk: unknown) => void
}
