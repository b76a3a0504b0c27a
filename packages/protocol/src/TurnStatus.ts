/**
 * The end of a turn.
 *
 * - `completed`: the model requested no more calls
 * - `suspended`: calls wait for an approval that no user could give
 * - `stopped`: a step limit, a repeated call, too many approval requests in a turn, invalid arguments three times, a
 *   conversation that remains too long for the model, or a cancellation; the turn's reason names the cause
 * - `spent`: a limit of its budget is reached
 */
import * as Schema from "effect/Schema"

export const TurnStatus = Schema.Literals(["completed", "suspended", "stopped", "spent"])
export type TurnStatus = typeof TurnStatus.Type
