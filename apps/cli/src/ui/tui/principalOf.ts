/** The name under which the user's decisions and messages are recorded. */
import type { Settings } from "@bough/host/config/Settings"

export const principalOf = ({ environment }: Settings): string => environment.user ?? "terminal"
