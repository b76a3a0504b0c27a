/** Distinguishes temporary failures from refusals. */
import { GatewayError } from "@bough/client"

/** True if the gateway could not be reached, or is starting or stopping: the request may succeed later. */
export const isOutage = (error: unknown): boolean =>
  error instanceof GatewayError && (error.status === 0 || error.status >= 500)
