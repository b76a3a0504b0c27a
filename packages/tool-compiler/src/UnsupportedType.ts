/** Thrown where a type has no JSON form; the message says which part. */
export class UnsupportedType extends Error {
  readonly fix: string

  constructor(message: string, fix: string) {
    super(message)
    this.fix = fix
  }
}
