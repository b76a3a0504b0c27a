/** The key of a call's effects: the same for every attempt, different for every call. */
import { Receipt } from "@bough/protocol"

export const callKey = Receipt.callKeyOf
