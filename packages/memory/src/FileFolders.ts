/** Where memory files are, and where changes of them wait. No user's folder begins with a dot. */
import { join } from "node:path"

/** The folder that has a folder per user, inside of that of the whole memory. */
export const files = (memory: string): string => join(memory, "files")
/** These are below `files`. Not there: nothing is held. */
export const held = (directory: string): string => join(directory, ".held")
export const kept = (directory: string): string => join(directory, ".kept")
export const dropped = (directory: string): string => join(directory, ".dropped")
