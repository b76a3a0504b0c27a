/** Links to the page on which an approval is decided, for clients that cannot decide it themselves. */
import * as Context from "effect/Context"
import type { ApprovalLink } from "./CallText.ts"

export class ApprovalLinks extends Context.Service<ApprovalLinks, ApprovalLink>()("@bough/gateway/ApprovalLinks") {}

/** Makes links below the address under which the page is reached. */
export const linksBelow =
  (pageUrl: string): ApprovalLink =>
  (approvalId) =>
    `${pageUrl.replace(/\/+$/u, "")}/#/approvals/${encodeURIComponent(approvalId)}`
