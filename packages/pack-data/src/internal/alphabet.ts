/** The two alphabets of RFC 4648. */
export type Alphabet = "standard" | "url"
