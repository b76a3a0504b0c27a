/** The paths of memory files and of their staged changes. No user's folder begins with a dot. */
import { join } from "node:path"

/** Returns the folder with a folder per user, inside the memory's. */
export const files = (memory: string): string => join(memory, "files")
/** Returns the folder of staged changes, below `files`. If it is missing, nothing is staged. */
export const stagedFolder = (directory: string): string => join(directory, ".held")
export const committedFolder = (directory: string): string => join(directory, ".kept")
export const discardedFolder = (directory: string): string => join(directory, ".dropped")
