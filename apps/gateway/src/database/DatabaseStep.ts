/** A change of the database's tables, which is applied once. */
export interface DatabaseStep {
  /** The name, which never changes once released. */
  readonly name: string
  /** Single statements in SQL that both SQLite and PostgreSQL accept. */
  readonly statements: ReadonlyArray<string>
}
