/** Every step of the database, in the order in which they are applied. A released step is never edited: append another. */
import * as AccountTables from "../accounts/AccountTables.ts"
import * as ConversationTables from "../compatibility/ConversationTables.ts"
import * as AttachmentTables from "../files/AttachmentTables.ts"
import * as IdempotencyTables from "../operations/IdempotencyTables.ts"
import * as UsageTables from "../operations/UsageTables.ts"
import * as SessionTables from "../sessions/SessionTables.ts"
import * as WebhookTables from "../webhooks/WebhookTables.ts"
import type { DatabaseStep } from "./DatabaseStep.ts"

export const steps: ReadonlyArray<DatabaseStep> = [
  ...AccountTables.steps,
  ...SessionTables.steps,
  ...IdempotencyTables.steps,
  ...ConversationTables.steps,
  ...UsageTables.steps,
  ...AttachmentTables.steps,
  ...WebhookTables.steps
]
