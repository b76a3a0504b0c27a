/** One sentence for each operation, which the OpenAPI document and the reference show as its summary. */
export const summaries: Readonly<Record<string, string>> = {
  "system.metrics": "Read the server's numbers in Prometheus' format",
  "system.health": "Check that the process responds",
  "system.ready": "Check that the server accepts requests",
  "sessions.list": "List sessions, the newest change first",
  "sessions.create": "Create a session",
  "sessions.search": "Search the text of all sessions",
  "sessions.get": "Read a session",
  "sessions.change": "Rename or archive a session",
  "sessions.remove": "Delete a session with its descendants",
  "sessions.mode": "Read the mode of a session",
  "sessions.changeMode": "Change the mode of a session",
  "sessions.fork": "Fork a session at a step",
  "sessions.export": "Export every entry of a session as JSON lines",
  "messages.send": "Send a message, or steer the running turn",
  "messages.cancel": "Stop the running turn",
  "journal.tree": "List the sessions of a tree with their states",
  "journal.entries": "List the entries of a session",
  "journal.events": "Stream the frames of a session as server-sent events",
  "journal.socket": "Stream the frames of a session over a WebSocket",
  "approvals.list": "List pending approvals",
  "approvals.get": "Read an approval with its preview",
  "approvals.decide": "Approve or deny a call",
  "signIn.methods": "List the ways to sign in",
  "signIn.link": "Sign in with a link that works once",
  "signIn.token": "Sign in with a token",
  "signIn.openid": "Begin a sign-in at the OpenID provider",
  "signIn.me": "Read the signed-in user",
  "signIn.signOut": "Sign out",
  "tokens.list": "List one's own credentials",
  "tokens.create": "Issue a token",
  "tokens.revoke": "Revoke a credential",
  "tenants.list": "List tenants",
  "tenants.create": "Add a tenant",
  "tenants.remove": "Remove a tenant with its users' credentials",
  "tenants.quotas": "Read the quotas of a tenant",
  "tenants.setQuotas": "Change the quotas of a tenant",
  "tenants.audit": "List the administrative acts of a tenant",
  "tenants.users": "List the users of a tenant",
  "tenants.addUser": "Add a user",
  "tenants.setUserScopes": "Change the scopes of a user",
  "tenants.removeUser": "Remove a user with their credentials",
  "tenants.tokens": "List the credentials of a tenant",
  "tenants.revokeToken": "Revoke a credential of a tenant",
  "catalog.agents": "List agents",
  "catalog.models": "List models",
  "catalog.tools": "List tools",
  "rules.list": "List saved rules",
  "rules.remove": "Remove a saved rule",
  "rules.ofSession": "List the rules of a session",
  "rules.revoke": "Revoke a rule of a session",
  "notes.list": "List or search notes",
  "notes.create": "Save a note",
  "notes.get": "Read a note",
  "notes.change": "Change a note",
  "notes.remove": "Delete a note",
  "usage.list": "Sum up model calls, tokens and cost",
  "attachments.list": "List the files of a session",
  "attachments.upload": "Attach a file to a session",
  "attachments.get": "Read the facts of an attachment",
  "attachments.download": "Download an attachment",
  "attachments.remove": "Delete an attachment",
  "artifacts.list": "List files and outputs that calls made",
  "artifacts.download": "Download a file or output of a call",
  "workspaces.list": "List workspaces",
  "workspaces.upload": "Make a workspace from an archive",
  "workspaces.get": "Read a workspace",
  "workspaces.remove": "Delete a workspace",
  "changes.list": "List the files that a session changed, with differences",
  "webhooks.list": "List webhooks",
  "webhooks.create": "Add a webhook",
  "webhooks.get": "Read a webhook",
  "webhooks.remove": "Delete a webhook",
  "webhooks.rotate": "Give a webhook a new secret",
  "webhooks.test": "Send a webhook a test delivery",
  "webhooks.deliveries": "List the deliveries of a webhook"
}

interface DocumentedOperation {
  readonly operationId: string
}

type Paths = Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>

/** Returns the document with the summary of each operation. */
export const addTo = <Document extends { readonly paths?: unknown }>(document: Document): Document => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries((document.paths ?? {}) as Paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => {
          const summary = summaries[operation.operationId]
          return [method, summary === undefined ? operation : { ...operation, summary }]
        })
      )
    ])
  )
})
