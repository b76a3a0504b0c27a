/** Generates the reference of the API again. */
import { writeReference } from "./writeReference.ts"

writeReference()
