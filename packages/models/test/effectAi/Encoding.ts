/** What effect 4.0 had in one module and 4.1 has in several, as far as provider packages use it. */
export { encode as encodeBase64 } from "effect/encoding/Base64"
