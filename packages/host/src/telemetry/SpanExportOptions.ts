/** The values that an app passes in for the export of its spans. */

export interface SpanExportOptions {
  /** The variables of the process. */
  readonly variables: Readonly<Record<string, string | undefined>>
  /** The name of the app, which is the service's name unless the variables have one. */
  readonly name: string
  readonly version: string
  /** Receives a sentence if the variables request an export that is impossible. */
  readonly onNotice: (sentence: string) => void
}
