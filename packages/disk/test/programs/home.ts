/** Prints the home directory of this process's account. */
import * as HomeDirectory from "../../src/HomeDirectory.ts"

process.stdout.write(HomeDirectory.find())
