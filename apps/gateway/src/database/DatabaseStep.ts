/** A change of the database's tables, which is applied once. */
export interface DatabaseStep {
  /** Never changes once released. */
  readonly name: string
  /** One statement each, in SQL that SQLite and PostgreSQL take. */
  readonly statements: ReadonlyArray<string>
}
