/** The argument of commands that act on one approval. */
import * as Shapes from "./Shapes.ts"

export const approvalId = Shapes.nameArgument("ID", "Approval id or its prefix, as listed by `approvals list`")
