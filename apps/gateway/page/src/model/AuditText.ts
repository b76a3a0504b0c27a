/** Describes the actions in an audit log. Pure. */
interface Actor {
  readonly tenant: string | null
  readonly user: string | null
  readonly address: string | null
}

export const actorText = ({ address, tenant, user }: Actor): string => {
  if (user === null) return address === null ? "the gateway or its command line" : `from ${address}`
  return `${tenant}/${user}${address === null ? "" : ` from ${address}`}`
}
