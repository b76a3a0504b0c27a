/** A change of the database's tables, which is applied once. */
export interface DatabaseStep {
  /** Never changes once released. */
  readonly name: string
  /** Single statements in SQL that both SQLite and PostgreSQL accept. */
  readonly statements: ReadonlyArray<string>
}
