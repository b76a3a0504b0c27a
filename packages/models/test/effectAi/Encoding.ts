/** The names that effect 4.0 had in one module and 4.1 has in several, as far as provider packages use them. */
export { encode as encodeBase64 } from "effect/encoding/Base64"
