/** The types of the gateway's requests and answers. Generated from its OpenAPI document by build/schema.ts. */
export interface paths {
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the server's numbers in Prometheus' format */
        get: operations["system.metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the process responds */
        get: operations["system.health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the server accepts requests */
        get: operations["system.ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List sessions, the newest change first */
        get: operations["sessions.list"];
        put?: never;
        /** Create a session */
        post: operations["sessions.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Search the text of all sessions */
        get: operations["sessions.search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a session */
        get: operations["sessions.get"];
        put?: never;
        post?: never;
        /** Delete a session with its descendants */
        delete: operations["sessions.remove"];
        options?: never;
        head?: never;
        /** Rename or archive a session */
        patch: operations["sessions.change"];
        trace?: never;
    };
    "/api/v1/sessions/{sessionId}/mode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the mode of a session */
        get: operations["sessions.mode"];
        /** Change the mode of a session */
        put: operations["sessions.changeMode"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{sessionId}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fork a session at a step */
        post: operations["sessions.fork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{sessionId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export every entry of a session as JSON lines */
        get: operations["sessions.export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{sessionId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message, or steer the running turn */
        post: operations["messages.send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{sessionId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop the running turn */
        post: operations["messages.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{sessionId}/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sessions of a tree with their states */
        get: operations["journal.tree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{sessionId}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the entries of a session */
        get: operations["journal.entries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{sessionId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Stream the frames of a session as server-sent events */
        get: operations["journal.events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{sessionId}/socket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Stream the frames of a session over a WebSocket */
        get: operations["journal.socket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List pending approvals */
        get: operations["approvals.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/{approvalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an approval with its preview */
        get: operations["approvals.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/{approvalId}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve or deny a call */
        post: operations["approvals.decide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the ways to sign in */
        get: operations["signIn.methods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a link that works once */
        post: operations["signIn.link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a token */
        post: operations["signIn.token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/openid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin a sign-in at the OpenID provider */
        post: operations["signIn.openid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the signed-in user */
        get: operations["signIn.me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out */
        post: operations["signIn.signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List one's own credentials */
        get: operations["tokens.list"];
        put?: never;
        /** Issue a token */
        post: operations["tokens.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a credential */
        delete: operations["tokens.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tenants */
        get: operations["tenants.list"];
        put?: never;
        /** Add a tenant */
        post: operations["tenants.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tenants/{tenant}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a tenant with its users' credentials */
        delete: operations["tenants.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tenants/{tenant}/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the quotas of a tenant */
        get: operations["tenants.quotas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the quotas of a tenant */
        patch: operations["tenants.setQuotas"];
        trace?: never;
    };
    "/api/v1/tenants/{tenant}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the administrative acts of a tenant */
        get: operations["tenants.audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tenants/{tenant}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the users of a tenant */
        get: operations["tenants.users"];
        put?: never;
        /** Add a user */
        post: operations["tenants.addUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tenants/{tenant}/users/{user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a user with their credentials */
        delete: operations["tenants.removeUser"];
        options?: never;
        head?: never;
        /** Change the scopes of a user */
        patch: operations["tenants.setUserScopes"];
        trace?: never;
    };
    "/api/v1/tenants/{tenant}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the credentials of a tenant */
        get: operations["tenants.tokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tenants/{tenant}/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a credential of a tenant */
        delete: operations["tenants.revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List agents */
        get: operations["catalog.agents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List models */
        get: operations["catalog.models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tools */
        get: operations["catalog.tools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List saved rules */
        get: operations["rules.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rules/{ruleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a saved rule */
        delete: operations["rules.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{sessionId}/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the rules of a session */
        get: operations["rules.ofSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{sessionId}/rules/revocations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke a rule of a session */
        post: operations["rules.revoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or search notes */
        get: operations["notes.list"];
        put?: never;
        /** Save a note */
        post: operations["notes.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notes/{noteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a note */
        get: operations["notes.get"];
        put?: never;
        post?: never;
        /** Delete a note */
        delete: operations["notes.remove"];
        options?: never;
        head?: never;
        /** Change a note */
        patch: operations["notes.change"];
        trace?: never;
    };
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sum up model calls, tokens and cost */
        get: operations["usage.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{sessionId}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the files of a session */
        get: operations["attachments.list"];
        put?: never;
        /** Attach a file to a session */
        post: operations["attachments.upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{sessionId}/attachments/{attachmentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the facts of an attachment */
        get: operations["attachments.get"];
        put?: never;
        post?: never;
        /** Delete an attachment */
        delete: operations["attachments.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{sessionId}/attachments/{attachmentId}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download an attachment */
        get: operations["attachments.download"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{sessionId}/artifacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List files and outputs that calls made */
        get: operations["artifacts.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{sessionId}/artifacts/{artifactId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a file or output of a call */
        get: operations["artifacts.download"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List workspaces */
        get: operations["workspaces.list"];
        put?: never;
        /** Make a workspace from an archive */
        post: operations["workspaces.upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a workspace */
        get: operations["workspaces.get"];
        put?: never;
        post?: never;
        /** Delete a workspace */
        delete: operations["workspaces.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{sessionId}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the files that a session changed, with differences */
        get: operations["changes.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhooks */
        get: operations["webhooks.list"];
        put?: never;
        /** Add a webhook */
        post: operations["webhooks.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a webhook */
        get: operations["webhooks.get"];
        put?: never;
        post?: never;
        /** Delete a webhook */
        delete: operations["webhooks.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhookId}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a webhook a new secret */
        post: operations["webhooks.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a webhook a test delivery */
        post: operations["webhooks.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the deliveries of a webhook */
        get: operations["webhooks.deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        UnavailableEncoded: {
            detail?: string;
            instance?: string;
            recoverable: boolean;
            /** @enum {string} */
            code: "draining" | "store_unavailable" | "provider_unavailable";
            retryAfterSeconds: number;
            /** @enum {string} */
            type: "about:blank";
            /** @enum {number} */
            status?: 503;
            /** @enum {string} */
            title?: "Service Unavailable";
        };
        InternalErrorEncoded: {
            detail?: string;
            instance?: string;
            recoverable: boolean;
            /** @enum {string} */
            code: "internal_error";
            /** @enum {string} */
            type: "about:blank";
            /** @enum {number} */
            status?: 500;
            /** @enum {string} */
            title?: "Internal Server Error";
        };
        UnsupportedMediaTypeEncoded: {
            detail?: string;
            instance?: string;
            recoverable: boolean;
            /** @enum {string} */
            code: "unsupported_media_type";
            /** @enum {string} */
            type: "about:blank";
            /** @enum {number} */
            status?: 415;
            /** @enum {string} */
            title?: "Unsupported Media Type";
        };
        PayloadTooLargeEncoded: {
            detail?: string;
            instance?: string;
            recoverable: boolean;
            /** @enum {string} */
            code: "payload_too_large";
            /** @enum {string} */
            type: "about:blank";
            /** @enum {number} */
            status?: 413;
            /** @enum {string} */
            title?: "Content Too Large";
        };
        InvalidRequestEncoded: {
            detail?: string;
            instance?: string;
            recoverable: boolean;
            /** @enum {string} */
            code: "invalid_request";
            errors?: {
                path: (string | number | ("Infinity" | "-Infinity" | "NaN"))[];
                message: string;
            }[];
            /** @enum {string} */
            type: "about:blank";
            /** @enum {number} */
            status?: 400;
            /** @enum {string} */
            title?: "Bad Request";
        };
        TooManyRequestsEncoded: {
            detail?: string;
            instance?: string;
            recoverable: boolean;
            /** @enum {string} */
            code: "rate_limited" | "quota_exceeded";
            quota?: string;
            retryAfterSeconds?: number;
            /** @enum {string} */
            type: "about:blank";
            /** @enum {number} */
            status?: 429;
            /** @enum {string} */
            title?: "Too Many Requests";
        };
        ForbiddenEncoded: {
            detail?: string;
            instance?: string;
            recoverable: boolean;
            /** @enum {string} */
            code: "scope_missing" | "csrf_failed" | "origin_not_allowed" | "host_not_allowed" | "operator_only";
            /** @enum {string} */
            type: "about:blank";
            /** @enum {number} */
            status?: 403;
            /** @enum {string} */
            title?: "Forbidden";
        };
        UnauthenticatedEncoded: {
            detail?: string;
            instance?: string;
            recoverable: boolean;
            /** @enum {string} */
            code: "unauthenticated";
            /** @enum {string} */
            type: "about:blank";
            /** @enum {number} */
            status?: 401;
            /** @enum {string} */
            title?: "Unauthorized";
        };
        ConflictEncoded: {
            detail?: string;
            instance?: string;
            recoverable: boolean;
            /** @enum {string} */
            code: "session_busy" | "not_a_main_session" | "approval_closed" | "account_exists" | "own_tenant" | "workspace_in_use" | "idempotency_key_reused" | "idempotency_in_progress";
            /** @enum {string} */
            type: "about:blank";
            /** @enum {number} */
            status?: 409;
            /** @enum {string} */
            title?: "Conflict";
        };
        NotFoundEncoded: {
            detail?: string;
            instance?: string;
            recoverable: boolean;
            /** @enum {string} */
            code: "not_found";
            /** @enum {string} */
            type: "about:blank";
            /** @enum {number} */
            status?: 404;
            /** @enum {string} */
            title?: "Not Found";
        };
        WebhookDelivery: {
            id: string;
            type: string;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            attempts: number;
            createdAtMillis: number;
            nextAttemptAtMillis: number | null;
            deliveredAtMillis: number | null;
            lastStatus: number | null;
            lastError: string | null;
        };
        WebhookWithSecret: {
            webhook: components["schemas"]["Webhook"];
            secret: string;
        };
        Webhook: {
            id: string;
            url: string;
            events: ("approval.requested" | "turn.ended" | "session.ended")[];
            createdAtMillis: number;
            disabledAtMillis: number | null;
        };
        UnprocessableEncoded: {
            detail?: string;
            instance?: string;
            recoverable: boolean;
            /** @enum {string} */
            code: "not_a_step_boundary" | "no_rule_offered" | "unknown_agent" | "unknown_model" | "invalid_name" | "scope_not_held" | "no_provider" | "invalid_media" | "invalid_archive" | "archive_too_large" | "attachment_refused" | "webhook_url_refused";
            /** @enum {string} */
            type: "about:blank";
            /** @enum {number} */
            status?: 422;
            /** @enum {string} */
            title?: "Unprocessable Content";
        };
        CreateWebhook: {
            url: string;
            events: [
                "approval.requested" | "turn.ended" | "session.ended"
            ];
        };
        ChangedFile: {
            path: string;
            /** @enum {string} */
            change: "added" | "modified" | "deleted";
            bytesBefore: number | null;
            bytesAfter: number | null;
            note: string | null;
            diff: string;
            truncated: boolean;
        };
        Workspace: {
            id: string;
            uploadedBytes: number;
            createdAtMillis: number;
        };
        Artifact: {
            id: string;
            sequence: number;
            tool: string;
            /** @enum {string} */
            kind: "file" | "sent" | "output" | "text" | "image";
            name: string;
            bytes: number | null;
        };
        Attachment: {
            id: string;
            treeId: string;
            name: string;
            mediaType: string;
            bytes: number;
            digest: string;
            createdAtMillis: number;
        };
        UsageRow: {
            day: string;
            model: string;
            treeId: string;
            steps: number;
            inputTokens: number;
            cachedInputTokens: number;
            outputTokens: number;
            costUsd: number | null;
        };
        PreconditionFailedEncoded: {
            detail?: string;
            instance?: string;
            recoverable: boolean;
            /** @enum {string} */
            code: "etag_mismatch";
            /** @enum {string} */
            type: "about:blank";
            /** @enum {number} */
            status?: 412;
            /** @enum {string} */
            title?: "Precondition Failed";
        };
        Note: {
            noteId: string;
            /** @enum {string} */
            kind: "fact" | "preference" | "decision" | "procedure" | "episode" | "conversation";
            text: string;
            tags: string[];
            source: string;
            untrusted: boolean;
            createdAtMillis: number;
            updatedAtMillis: number;
            project: string | null;
            validUntilMillis: number | null;
        };
        ChangeNote: {
            text?: string;
            /** @enum {string} */
            kind?: "fact" | "preference" | "decision" | "procedure" | "episode" | "conversation";
            tags?: string[];
        };
        CreateNote: {
            text: string;
            /** @enum {string} */
            kind?: "fact" | "preference" | "decision" | "procedure" | "episode" | "conversation";
            tags?: string[];
        };
        SavedRule: {
            id: string;
            rule: string;
            /** @enum {string} */
            scope: "project" | "user";
            workspaceId: string | null;
            savedAtMillis: number;
        };
        Tool: {
            name: string;
            description: string;
            version: number;
            /** @enum {string} */
            tier: "ReadOnly" | "Workspace" | "System" | "Elevated";
            replay: string;
            kinds: ("Main" | "Branch" | "Worker")[];
            parameters: Record<string, never>;
        };
        Model: {
            name: string;
            reason: string;
            isDefault: boolean;
        };
        Agent: {
            name: string;
            description: string;
            /** @enum {string} */
            from: "gateway" | "configuration" | "workspace";
            model: string | null;
            kinds: ("Main" | "Branch" | "Worker")[];
        };
        Credential: {
            tokenId: string;
            /** @enum {string} */
            kind: "token" | "cookie" | "link";
            tenant: string;
            user: string;
            scopes: ("read" | "chat" | "approve" | "admin")[];
            label: string;
            createdAtMillis: number;
            expiresAtMillis: number | null;
            lastUsedAtMillis: number | null;
        };
        UserScopes: {
            scopes: ("read" | "chat" | "approve" | "admin")[];
        };
        AddedUser: {
            user: components["schemas"]["User"];
            link: components["schemas"]["IssuedCredential"];
        };
        IssuedCredential: {
            credential: components["schemas"]["Credential"];
            secret: string;
        };
        User: {
            tenant: string;
            user: string;
            name: string;
            scopes: ("read" | "chat" | "approve" | "admin")[];
            createdAtMillis: number;
        };
        CreateUser: {
            user: string;
            name: string;
            scopes: ("read" | "chat" | "approve" | "admin")[];
        };
        AuditRecord: {
            seq: number;
            atMillis: number;
            actor: {
                tenant: string | null;
                user: string | null;
                tokenId: string | null;
                address: string | null;
            };
            action: string;
            tenant: string | null;
            subject: string;
            detail: string;
        };
        QuotaUsage: {
            /** @enum {string} */
            resource: "sessions" | "concurrentSteps" | "moneyPerDay" | "storage" | "attachments";
            limit: number | null;
            used: number;
            resetsAtMillis: number | null;
        };
        QuotaLimits: {
            sessions?: number | null;
            concurrentSteps?: number | null;
            moneyPerDay?: number | null;
            storage?: number | null;
            attachments?: number | null;
        };
        Tenant: {
            tenant: string;
            name: string;
            isOperator: boolean;
            createdAtMillis: number;
        };
        CreateTenant: {
            tenant: string;
            name: string;
        };
        CreateToken: {
            label: string;
            scopes: ("read" | "chat" | "approve" | "admin")[];
            lifetimeSeconds: number | null;
        };
        SignedIn: {
            tenant: string;
            user: string;
            scopes: ("read" | "chat" | "approve" | "admin")[];
            isOperator: boolean;
            csrf: string | null;
            expiresAtMillis: number | null;
        };
        SignInMethods: {
            /** @enum {boolean} */
            link: true;
            /** @enum {boolean} */
            token: true;
            openid: {
                name: string;
            } | null;
        };
        Accepted: {
            inserted: boolean;
        };
        Decision: {
            /** @enum {string} */
            decision: "approve";
            always?: {
                rule: string;
                /** @enum {string} */
                scope: "session" | "project" | "user";
            };
        } | {
            /** @enum {string} */
            decision: "deny";
            words?: string;
        };
        Approval: {
            request: {
                approvalId: string;
                sessionPath: string[];
                toolCallId: string;
                tool: string;
                version: number;
                /** @enum {string} */
                tier: "ReadOnly" | "Workspace" | "System" | "Elevated";
                arguments: string;
                argumentsDigest: string;
                preview: {
                    render: string;
                    preconditions: ({
                        /** @enum {string} */
                        _tag: "FileDigest";
                        path: string;
                        digest: string | null;
                    } | {
                        /** @enum {string} */
                        _tag: "Directory";
                        path: string;
                        identity: string;
                    } | {
                        /** @enum {string} */
                        _tag: "EnvironmentKeys";
                        keys: string[];
                    } | {
                        /** @enum {string} */
                        _tag: "SandboxProfile";
                        profile: string;
                    } | {
                        /** @enum {string} */
                        _tag: "Addresses";
                        host: string;
                        port: number;
                        addresses: string[];
                    } | {
                        /** @enum {string} */
                        _tag: "WorkspaceWrites";
                        digest: string;
                    } | {
                        /** @enum {string} */
                        _tag: "Fact";
                        key: string;
                        digest: string;
                    })[];
                };
                reason: string;
                everyTime?: boolean;
                opensHost?: string;
                rule?: string;
                reaches?: string;
                askedAtMillis: number;
                expiresAtMillis: number;
            };
            open: boolean;
            askedBy: {
                sessionId: string;
                kind: string;
                title: string;
            }[];
            rule: string | null;
            nowMillis: number;
        };
        FrameEncoded: string;
        Frame: {
            /** @enum {string} */
            _tag: "Entry";
            treeId: string;
            sessionId: string;
            path: string[];
            turn: number;
            step: number;
            id: string;
            sequence: number;
            entry: components["schemas"]["Entry"];
        } | {
            /** @enum {string} */
            _tag: "Delta";
            treeId: string;
            sessionId: string;
            path: string[];
            turn: number;
            step: number;
            /** @enum {string} */
            part: "text" | "reasoning";
            text: string;
            whole: boolean;
        } | {
            /** @enum {string} */
            _tag: "ToolStarted";
            treeId: string;
            sessionId: string;
            path: string[];
            turn: number;
            step: number;
            toolCallId: string;
            tool: string;
            /** @enum {string} */
            tier: "ReadOnly" | "Workspace" | "System" | "Elevated";
        } | {
            /** @enum {string} */
            _tag: "ToolProgressed";
            treeId: string;
            sessionId: string;
            path: string[];
            turn: number;
            step: number;
            toolCallId: string;
            tool: string;
            message: string;
            percent?: number;
        } | {
            /** @enum {string} */
            _tag: "ApprovalAsked";
            treeId: string;
            sessionId: string;
            path: string[];
            turn: number;
            step: number;
            request: {
                approvalId: string;
                sessionPath: string[];
                toolCallId: string;
                tool: string;
                version: number;
                /** @enum {string} */
                tier: "ReadOnly" | "Workspace" | "System" | "Elevated";
                arguments: string;
                argumentsDigest: string;
                preview: {
                    render: string;
                    preconditions: ({
                        /** @enum {string} */
                        _tag: "FileDigest";
                        path: string;
                        digest: string | null;
                    } | {
                        /** @enum {string} */
                        _tag: "Directory";
                        path: string;
                        identity: string;
                    } | {
                        /** @enum {string} */
                        _tag: "EnvironmentKeys";
                        keys: string[];
                    } | {
                        /** @enum {string} */
                        _tag: "SandboxProfile";
                        profile: string;
                    } | {
                        /** @enum {string} */
                        _tag: "Addresses";
                        host: string;
                        port: number;
                        addresses: string[];
                    } | {
                        /** @enum {string} */
                        _tag: "WorkspaceWrites";
                        digest: string;
                    } | {
                        /** @enum {string} */
                        _tag: "Fact";
                        key: string;
                        digest: string;
                    })[];
                };
                reason: string;
                everyTime?: boolean;
                opensHost?: string;
                rule?: string;
                reaches?: string;
                askedAtMillis: number;
                expiresAtMillis: number;
            };
        } | {
            /** @enum {string} */
            _tag: "ApprovalEnded";
            treeId: string;
            sessionId: string;
            path: string[];
            turn: number;
            step: number;
            approvalId: string;
            decision: string;
            principal: string;
        } | {
            /** @enum {string} */
            _tag: "MessageSent";
            treeId: string;
            sessionId: string;
            path: string[];
            turn: number;
            step: number;
            messageId: string;
            text: string;
        } | {
            /** @enum {string} */
            _tag: "Notice";
            treeId: string;
            sessionId: string;
            path: string[];
            turn: number;
            step: number;
            message: string;
        } | {
            /** @enum {string} */
            _tag: "TurnStarted";
            treeId: string;
            sessionId: string;
            path: string[];
            turn: number;
            step: number;
        } | {
            /** @enum {string} */
            _tag: "TurnEnded";
            treeId: string;
            sessionId: string;
            path: string[];
            turn: number;
            step: number;
            status: string;
            text: string;
            usage: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                costUsd: number | null;
            };
        } | {
            /** @enum {string} */
            _tag: "TurnFailed";
            treeId: string;
            sessionId: string;
            path: string[];
            turn: number;
            step: number;
            error: string;
            message: string;
            retryInMillis: number | null;
        } | {
            /** @enum {string} */
            _tag: "Heartbeat";
        } | {
            /** @enum {string} */
            _tag: "Resume";
            after: string | null;
            /** @enum {string} */
            reason: "slow" | "draining" | "deleted" | "moved";
            retryAfterMillis: number;
        };
        Entry: {
            id: string;
            sessionId: string;
            seq: number;
            commit: number;
            labels: ("untrusted" | "private")[];
            digest: string;
            body: {
                /** @enum {string} */
                _tag: "SessionOpened";
                v: number;
                /** @enum {string} */
                kind: "Main" | "Branch" | "Worker";
                origin: {
                    /** @enum {string} */
                    _tag: "Main";
                    forkedFrom: {
                        sessionId: string;
                        entryId: string;
                    } | null;
                } | {
                    /** @enum {string} */
                    _tag: "Branch";
                    parentId: string;
                    forkedAt: string | null;
                } | {
                    /** @enum {string} */
                    _tag: "Worker";
                    parentId: string;
                    spawnedBy: string;
                };
                agent: string;
                user: string | null;
                workspaceRoot: string;
                channel: string | null;
                openedAtMillis: number;
                terms?: {
                    parentPath: string[];
                    budget: {
                        inputTokens: number | null;
                        outputTokens: number | null;
                        costUsd: number | null;
                        activeMillis: number | null;
                        steps: number | null;
                        spawns: number | null;
                    };
                    lifetimeMillis: number;
                    maxSteps: number;
                    copied: number;
                    outputSchema: string | null;
                };
            } | {
                /** @enum {string} */
                _tag: "UserMessage";
                text: string;
                media: {
                    mediaType: string;
                    data: string;
                }[];
                principal: string;
                messageId: string;
            } | {
                /** @enum {string} */
                _tag: "ContextAdded";
                source: string;
                text: string;
                digest: string;
            } | {
                /** @enum {string} */
                _tag: "StepStarted";
                turn: number;
                step: number;
                model: string;
                reservedTokens: number;
                purpose?: "compaction";
                limit?: {
                    inputTokens: number | null;
                    outputTokens: number | null;
                    costUsd: number | null;
                    activeMillis: number | null;
                    steps: number | null;
                    spawns: number | null;
                };
            } | {
                /** @enum {string} */
                _tag: "ModelReplied";
                turn: number;
                step: number;
                /** @enum {string} */
                completion: "complete" | "interrupted";
                parts: ({
                    /** @enum {string} */
                    _tag: "Text";
                    text: string;
                } | {
                    /** @enum {string} */
                    _tag: "Reasoning";
                    text: string;
                    signature?: string;
                } | {
                    /** @enum {string} */
                    _tag: "ToolCall";
                    toolCallId: string;
                    providerCallId: string;
                    name: string;
                    arguments: string;
                    redacted?: boolean;
                    signature?: string;
                })[];
                usage: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    costUsd: number | null;
                };
                unreported?: boolean;
                estimated?: boolean;
                failure?: {
                    reason: string;
                    message: string;
                    hint: string;
                };
                activeMillis?: number;
            } | {
                /** @enum {string} */
                _tag: "ApprovalAsked";
                request: {
                    approvalId: string;
                    sessionPath: string[];
                    toolCallId: string;
                    tool: string;
                    version: number;
                    /** @enum {string} */
                    tier: "ReadOnly" | "Workspace" | "System" | "Elevated";
                    arguments: string;
                    argumentsDigest: string;
                    preview: {
                        render: string;
                        preconditions: ({
                            /** @enum {string} */
                            _tag: "FileDigest";
                            path: string;
                            digest: string | null;
                        } | {
                            /** @enum {string} */
                            _tag: "Directory";
                            path: string;
                            identity: string;
                        } | {
                            /** @enum {string} */
                            _tag: "EnvironmentKeys";
                            keys: string[];
                        } | {
                            /** @enum {string} */
                            _tag: "SandboxProfile";
                            profile: string;
                        } | {
                            /** @enum {string} */
                            _tag: "Addresses";
                            host: string;
                            port: number;
                            addresses: string[];
                        } | {
                            /** @enum {string} */
                            _tag: "WorkspaceWrites";
                            digest: string;
                        } | {
                            /** @enum {string} */
                            _tag: "Fact";
                            key: string;
                            digest: string;
                        })[];
                    };
                    reason: string;
                    everyTime?: boolean;
                    opensHost?: string;
                    rule?: string;
                    reaches?: string;
                    askedAtMillis: number;
                    expiresAtMillis: number;
                };
            } | {
                /** @enum {string} */
                _tag: "ApprovalDecided";
                approvalId: string;
                toolCallId: string;
                decision: {
                    /** @enum {string} */
                    _tag: "Approved";
                    rule: string | null;
                    /** @enum {string} */
                    scope?: "session" | "project" | "user";
                } | {
                    /** @enum {string} */
                    _tag: "Denied";
                    words: string | null;
                } | {
                    /** @enum {string} */
                    _tag: "Expired";
                } | {
                    /** @enum {string} */
                    _tag: "Withdrawn";
                    reason: string;
                } | {
                    /** @enum {string} */
                    _tag: "Lapsed";
                    reason: string;
                };
                principal: string;
            } | {
                /** @enum {string} */
                _tag: "CallStarted";
                toolCallId: string;
                callKey: string;
                tool: string;
                version: number;
                /** @enum {string} */
                tier: "ReadOnly" | "Workspace" | "System" | "Elevated";
                argumentsDigest: string;
                attempt: number;
                preconditions: ({
                    /** @enum {string} */
                    _tag: "FileDigest";
                    path: string;
                    digest: string | null;
                } | {
                    /** @enum {string} */
                    _tag: "Directory";
                    path: string;
                    identity: string;
                } | {
                    /** @enum {string} */
                    _tag: "EnvironmentKeys";
                    keys: string[];
                } | {
                    /** @enum {string} */
                    _tag: "SandboxProfile";
                    profile: string;
                } | {
                    /** @enum {string} */
                    _tag: "Addresses";
                    host: string;
                    port: number;
                    addresses: string[];
                } | {
                    /** @enum {string} */
                    _tag: "WorkspaceWrites";
                    digest: string;
                } | {
                    /** @enum {string} */
                    _tag: "Fact";
                    key: string;
                    digest: string;
                })[];
                approvalId: string | null;
                workspace?: string;
            } | {
                /** @enum {string} */
                _tag: "CallDeferred";
                toolCallId: string;
                approvalId: string;
            } | {
                /** @enum {string} */
                _tag: "CallEnded";
                toolCallId: string;
                tool: string;
                outcome: {
                    /** @enum {string} */
                    _tag: "Succeeded";
                    output: string;
                    outputBlob: string | null;
                    text?: string;
                    textBlob?: string;
                    media: {
                        mediaType: string;
                        data: string;
                    }[];
                    display: string;
                    details?: string;
                    found?: string[];
                } | {
                    /** @enum {string} */
                    _tag: "Failed";
                    error: {
                        /** @enum {string} */
                        _tag: "ValidationError";
                        message: string;
                        field?: string;
                        issues: {
                            path: string;
                            message: string;
                        }[];
                    } | {
                        /** @enum {string} */
                        _tag: "ExecutionError";
                        message: string;
                        hint?: string;
                    } | {
                        /** @enum {string} */
                        _tag: "PermissionDenied";
                        /** @enum {string} */
                        tier: "ReadOnly" | "Workspace" | "System" | "Elevated";
                        reason: string;
                        userMessage?: string;
                    } | {
                        /** @enum {string} */
                        _tag: "Timeout";
                        elapsedMillis: number;
                        hint?: string;
                    };
                    schema: string | null;
                } | {
                    /** @enum {string} */
                    _tag: "Rejected";
                    error: {
                        /** @enum {string} */
                        _tag: "ValidationError";
                        message: string;
                        field?: string;
                        issues: {
                            path: string;
                            message: string;
                        }[];
                    } | {
                        /** @enum {string} */
                        _tag: "ExecutionError";
                        message: string;
                        hint?: string;
                    } | {
                        /** @enum {string} */
                        _tag: "PermissionDenied";
                        /** @enum {string} */
                        tier: "ReadOnly" | "Workspace" | "System" | "Elevated";
                        reason: string;
                        userMessage?: string;
                    } | {
                        /** @enum {string} */
                        _tag: "Timeout";
                        elapsedMillis: number;
                        hint?: string;
                    };
                } | {
                    /** @enum {string} */
                    _tag: "Unknown";
                    message: string;
                } | {
                    /** @enum {string} */
                    _tag: "NotRun";
                    reason: string;
                };
                receipt: {
                    sessionPath: string[];
                    toolCallId: string;
                    callKey: string;
                    tool: string;
                    version: number;
                    /** @enum {string} */
                    tier: "ReadOnly" | "Workspace" | "System" | "Elevated";
                    argumentsDigest: string;
                    arguments?: string;
                    outputDigest: string | null;
                    textDigest?: string;
                    artifacts: ({
                        /** @enum {string} */
                        _tag: "FileWritten";
                        path: string;
                        bytes: number;
                        digest: string;
                    } | {
                        /** @enum {string} */
                        _tag: "FileDeleted";
                        path: string;
                    } | {
                        /** @enum {string} */
                        _tag: "DirectoryWritten";
                        path: string;
                        files: number;
                    } | {
                        /** @enum {string} */
                        _tag: "FileMoved";
                        from: string;
                        to: string;
                    } | {
                        /** @enum {string} */
                        _tag: "CommandExecuted";
                        command: string;
                        exitCode: number | null;
                        commandId?: string;
                    } | {
                        /** @enum {string} */
                        _tag: "MessageSent";
                        channel: string;
                        messageId: string;
                    } | {
                        /** @enum {string} */
                        _tag: "MemoryWritten";
                        noteId: string;
                    } | {
                        /** @enum {string} */
                        _tag: "MemoryDeleted";
                        noteId: string;
                    } | {
                        /** @enum {string} */
                        _tag: "MediaSent";
                        channel: string;
                        path: string;
                    } | {
                        /** @enum {string} */
                        _tag: "RequestSent";
                        method: string;
                        url: string;
                        status: number | null;
                        bytes?: number;
                    } | {
                        /** @enum {string} */
                        _tag: "SessionEnded";
                        sessionId: string;
                    } | {
                        /** @enum {string} */
                        _tag: "Declared";
                        kind: string;
                        data: unknown;
                    })[];
                    authority: {
                        /** @enum {string} */
                        _tag: "Automatic";
                    } | {
                        /** @enum {string} */
                        _tag: "Rule";
                        rule: string;
                    } | {
                        /** @enum {string} */
                        _tag: "Config";
                        source: string;
                    } | {
                        /** @enum {string} */
                        _tag: "User";
                        approvalId: string;
                        principal: string;
                    };
                    attempt: number;
                    startedAtMillis: number;
                    elapsedMillis: number;
                    cached?: {
                        sessionId: string;
                        toolCallId: string;
                    };
                    workspace?: {
                        before: string;
                        after: string | null;
                    };
                    commit?: string;
                } | null;
                version?: number;
            } | {
                /** @enum {string} */
                _tag: "ChildSpawned";
                childId: string;
                /** @enum {string} */
                kind: "Main" | "Branch" | "Worker";
                toolCallId: string;
                title: string;
                budget: {
                    inputTokens: number | null;
                    outputTokens: number | null;
                    costUsd: number | null;
                    activeMillis: number | null;
                    steps: number | null;
                    spawns: number | null;
                };
                purpose?: "reflection";
            } | {
                /** @enum {string} */
                _tag: "ChildEnded";
                childId: string;
                result: {
                    /** @enum {string} */
                    status: "Completed" | "Failed" | "Expired" | "Cancelled";
                    reason: string;
                    summary: string;
                    output: string | null;
                    artifacts: ({
                        /** @enum {string} */
                        _tag: "FileWritten";
                        path: string;
                        bytes: number;
                        digest: string;
                    } | {
                        /** @enum {string} */
                        _tag: "FileDeleted";
                        path: string;
                    } | {
                        /** @enum {string} */
                        _tag: "DirectoryWritten";
                        path: string;
                        files: number;
                    } | {
                        /** @enum {string} */
                        _tag: "FileMoved";
                        from: string;
                        to: string;
                    } | {
                        /** @enum {string} */
                        _tag: "CommandExecuted";
                        command: string;
                        exitCode: number | null;
                        commandId?: string;
                    } | {
                        /** @enum {string} */
                        _tag: "MessageSent";
                        channel: string;
                        messageId: string;
                    } | {
                        /** @enum {string} */
                        _tag: "MemoryWritten";
                        noteId: string;
                    } | {
                        /** @enum {string} */
                        _tag: "MemoryDeleted";
                        noteId: string;
                    } | {
                        /** @enum {string} */
                        _tag: "MediaSent";
                        channel: string;
                        path: string;
                    } | {
                        /** @enum {string} */
                        _tag: "RequestSent";
                        method: string;
                        url: string;
                        status: number | null;
                        bytes?: number;
                    } | {
                        /** @enum {string} */
                        _tag: "SessionEnded";
                        sessionId: string;
                    } | {
                        /** @enum {string} */
                        _tag: "Declared";
                        kind: string;
                        data: unknown;
                    })[];
                    memoryIds: string[];
                    usage: {
                        inputTokens: number;
                        outputTokens: number;
                        costUsd: number | null;
                        activeMillis: number;
                        steps: number;
                        spawns: number;
                    };
                };
                purpose?: "reflection";
                labels?: ("untrusted" | "private")[];
            } | {
                /** @enum {string} */
                _tag: "RuleGiven";
                rule: string;
                approvalId: string;
                principal: string;
            } | {
                /** @enum {string} */
                _tag: "RuleRevoked";
                rule: string;
                principal: string;
            } | {
                /** @enum {string} */
                _tag: "CommandEnded";
                commandId: string;
                exitCode: number | null;
                reason: string;
                command?: string;
            } | {
                /** @enum {string} */
                _tag: "Compacted";
                fromSeq: number;
                throughSeq: number;
                summary: string;
            } | {
                /** @enum {string} */
                _tag: "SamplingStarted";
                toolCallId: string;
                requester: string;
                model: string;
                reserved: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    costUsd: number | null;
                };
                system: string;
                messages: {
                    /** @enum {string} */
                    role: "user" | "assistant";
                    text: string;
                }[];
            } | {
                /** @enum {string} */
                _tag: "SamplingEnded";
                startedSeq: number;
                toolCallId: string;
                model: string;
                text: string;
                failure: string | null;
                usage: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    costUsd: number | null;
                };
                estimated?: boolean;
            } | {
                /** @enum {string} */
                _tag: "StateChanged";
                /** @enum {string} */
                state: "Active" | "Suspended" | "Completed" | "Failed" | "Expired" | "Cancelled";
                reason: string;
                activeMillis?: number;
            } | {
                /** @enum {string} */
                _tag: "SessionEnded";
                result: {
                    /** @enum {string} */
                    status: "Completed" | "Failed" | "Expired" | "Cancelled";
                    reason: string;
                    summary: string;
                    output: string | null;
                    artifacts: ({
                        /** @enum {string} */
                        _tag: "FileWritten";
                        path: string;
                        bytes: number;
                        digest: string;
                    } | {
                        /** @enum {string} */
                        _tag: "FileDeleted";
                        path: string;
                    } | {
                        /** @enum {string} */
                        _tag: "DirectoryWritten";
                        path: string;
                        files: number;
                    } | {
                        /** @enum {string} */
                        _tag: "FileMoved";
                        from: string;
                        to: string;
                    } | {
                        /** @enum {string} */
                        _tag: "CommandExecuted";
                        command: string;
                        exitCode: number | null;
                        commandId?: string;
                    } | {
                        /** @enum {string} */
                        _tag: "MessageSent";
                        channel: string;
                        messageId: string;
                    } | {
                        /** @enum {string} */
                        _tag: "MemoryWritten";
                        noteId: string;
                    } | {
                        /** @enum {string} */
                        _tag: "MemoryDeleted";
                        noteId: string;
                    } | {
                        /** @enum {string} */
                        _tag: "MediaSent";
                        channel: string;
                        path: string;
                    } | {
                        /** @enum {string} */
                        _tag: "RequestSent";
                        method: string;
                        url: string;
                        status: number | null;
                        bytes?: number;
                    } | {
                        /** @enum {string} */
                        _tag: "SessionEnded";
                        sessionId: string;
                    } | {
                        /** @enum {string} */
                        _tag: "Declared";
                        kind: string;
                        data: unknown;
                    })[];
                    memoryIds: string[];
                    usage: {
                        inputTokens: number;
                        outputTokens: number;
                        costUsd: number | null;
                        activeMillis: number;
                        steps: number;
                        spawns: number;
                    };
                };
            };
        };
        Tree: {
            treeId: string;
            sessions: components["schemas"]["TreeSession"][];
        };
        TreeSession: {
            id: string;
            treeId: string;
            /** @enum {string} */
            kind: "Main" | "Branch" | "Worker";
            /** @enum {string} */
            state: "Active" | "Suspended" | "Completed" | "Failed" | "Expired" | "Cancelled";
            title: string;
            agent: string;
            workspaceId: string | null;
            entries: number;
            createdAtMillis: number;
            updatedAtMillis: number;
            archivedAtMillis: number | null;
            parentId: string | null;
            turn: number;
            step: number;
            approvals: string[];
            liveChildren: string[];
            spent: {
                inputTokens: number;
                outputTokens: number;
                costUsd: number | null;
                activeMillis: number;
                steps: number;
                spawns: number;
            };
            limit: {
                inputTokens: number | null;
                outputTokens: number | null;
                costUsd: number | null;
                activeMillis: number | null;
                steps: number | null;
                spawns: number | null;
            } | null;
        };
        Cancel: {
            reason?: string;
        };
        SendMessage: {
            text: string;
            media?: {
                mediaType: string;
                data: string;
            }[];
            attachments?: string[];
            /** @enum {string} */
            delivery?: "queue" | "steer";
        };
        Session: {
            id: string;
            treeId: string;
            /** @enum {string} */
            kind: "Main" | "Branch" | "Worker";
            /** @enum {string} */
            state: "Active" | "Suspended" | "Completed" | "Failed" | "Expired" | "Cancelled";
            title: string;
            agent: string;
            workspaceId: string | null;
            entries: number;
            createdAtMillis: number;
            updatedAtMillis: number;
            archivedAtMillis: number | null;
        };
        ForkSession: {
            throughSeq?: number;
        };
        SessionMode: {
            /** @enum {string} */
            mode: "auto" | "ask" | "plan";
        };
        ChangeSession: {
            title?: string;
            archived?: boolean;
        };
        SearchHit: {
            sessionId: string;
            sequence: number;
            /** @enum {string} */
            speaker: "user" | "agent";
            text: string;
            title: string;
            updatedAtMillis: number;
        };
        CreateSession: {
            agent?: string;
            model?: string;
            workspaceId?: string;
        };
        Health: {
            /** @enum {string} */
            status: "ok";
            version: string;
        };
    };
    responses: {
        /** @description Bad Request */
        InvalidRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidRequestEncoded"];
            };
        };
        /** @description Unauthorized */
        Unauthenticated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnauthenticatedEncoded"];
            };
        };
        /** @description Forbidden */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ForbiddenEncoded"];
            };
        };
        /** @description Content Too Large */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PayloadTooLargeEncoded"];
            };
        };
        /** @description Unsupported Media Type */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnsupportedMediaTypeEncoded"];
            };
        };
        /** @description Too Many Requests */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["TooManyRequestsEncoded"];
            };
        };
        /** @description Internal Server Error */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InternalErrorEncoded"];
            };
        };
        /** @description Service Unavailable */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnavailableEncoded"];
            };
        };
        /** @description Conflict */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConflictEncoded"];
            };
        };
        /** @description Not Found */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["NotFoundEncoded"];
            };
        };
        /** @description Unprocessable Content */
        Unprocessable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnprocessableEncoded"];
            };
        };
        /** @description Precondition Failed */
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PreconditionFailedEncoded"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type UnavailableEncoded = components['schemas']['UnavailableEncoded'];
export type InternalErrorEncoded = components['schemas']['InternalErrorEncoded'];
export type UnsupportedMediaTypeEncoded = components['schemas']['UnsupportedMediaTypeEncoded'];
export type PayloadTooLargeEncoded = components['schemas']['PayloadTooLargeEncoded'];
export type InvalidRequestEncoded = components['schemas']['InvalidRequestEncoded'];
export type TooManyRequestsEncoded = components['schemas']['TooManyRequestsEncoded'];
export type ForbiddenEncoded = components['schemas']['ForbiddenEncoded'];
export type UnauthenticatedEncoded = components['schemas']['UnauthenticatedEncoded'];
export type ConflictEncoded = components['schemas']['ConflictEncoded'];
export type NotFoundEncoded = components['schemas']['NotFoundEncoded'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type Webhook = components['schemas']['Webhook'];
export type UnprocessableEncoded = components['schemas']['UnprocessableEncoded'];
export type CreateWebhook = components['schemas']['CreateWebhook'];
export type ChangedFile = components['schemas']['ChangedFile'];
export type Workspace = components['schemas']['Workspace'];
export type Artifact = components['schemas']['Artifact'];
export type Attachment = components['schemas']['Attachment'];
export type UsageRow = components['schemas']['UsageRow'];
export type PreconditionFailedEncoded = components['schemas']['PreconditionFailedEncoded'];
export type Note = components['schemas']['Note'];
export type ChangeNote = components['schemas']['ChangeNote'];
export type CreateNote = components['schemas']['CreateNote'];
export type SavedRule = components['schemas']['SavedRule'];
export type Tool = components['schemas']['Tool'];
export type Model = components['schemas']['Model'];
export type Agent = components['schemas']['Agent'];
export type Credential = components['schemas']['Credential'];
export type UserScopes = components['schemas']['UserScopes'];
export type AddedUser = components['schemas']['AddedUser'];
export type IssuedCredential = components['schemas']['IssuedCredential'];
export type User = components['schemas']['User'];
export type CreateUser = components['schemas']['CreateUser'];
export type AuditRecord = components['schemas']['AuditRecord'];
export type QuotaUsage = components['schemas']['QuotaUsage'];
export type QuotaLimits = components['schemas']['QuotaLimits'];
export type Tenant = components['schemas']['Tenant'];
export type CreateTenant = components['schemas']['CreateTenant'];
export type CreateToken = components['schemas']['CreateToken'];
export type SignedIn = components['schemas']['SignedIn'];
export type SignInMethods = components['schemas']['SignInMethods'];
export type Accepted = components['schemas']['Accepted'];
export type Decision = components['schemas']['Decision'];
export type Approval = components['schemas']['Approval'];
export type FrameEncoded = components['schemas']['FrameEncoded'];
export type Frame = components['schemas']['Frame'];
export type Entry = components['schemas']['Entry'];
export type Tree = components['schemas']['Tree'];
export type TreeSession = components['schemas']['TreeSession'];
export type Cancel = components['schemas']['Cancel'];
export type SendMessage = components['schemas']['SendMessage'];
export type Session = components['schemas']['Session'];
export type ForkSession = components['schemas']['ForkSession'];
export type SessionMode = components['schemas']['SessionMode'];
export type ChangeSession = components['schemas']['ChangeSession'];
export type SearchHit = components['schemas']['SearchHit'];
export type CreateSession = components['schemas']['CreateSession'];
export type Health = components['schemas']['Health'];
export type ResponseInvalidRequest = components['responses']['InvalidRequest'];
export type ResponseUnauthenticated = components['responses']['Unauthenticated'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseConflict = components['responses']['Conflict'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseUnprocessable = components['responses']['Unprocessable'];
export type ResponsePreconditionFailed = components['responses']['PreconditionFailed'];
export type $defs = Record<string, never>;
export interface operations {
    "system.metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; version=0.0.4": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "system.health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Health */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "system.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Health */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "sessions.list": {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
                state?: "Active" | "Suspended" | "Completed" | "Failed" | "Expired" | "Cancelled";
                archived?: "true" | "false" | "any";
                title?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Session"][];
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "sessions.create": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateSession"];
            };
        };
        responses: {
            /** @description Session */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "sessions.search": {
        parameters: {
            query: {
                text: string;
                limit?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["SearchHit"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "sessions.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Session */
            200: {
                headers: {
                    etag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "sessions.remove": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "sessions.change": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
                "if-match"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeSession"];
            };
        };
        responses: {
            /** @description Session */
            200: {
                headers: {
                    etag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "sessions.mode": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description SessionMode */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionMode"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "sessions.changeMode": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionMode"];
            };
        };
        responses: {
            /** @description SessionMode */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionMode"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "sessions.fork": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ForkSession"];
            };
        };
        responses: {
            /** @description Session */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "sessions.export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "messages.send": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendMessage"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "messages.cancel": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Cancel"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "journal.tree": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tree */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tree"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "journal.entries": {
        parameters: {
            query?: {
                fromSeq?: string;
                limit?: string;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Entry"][];
                        nextSeq: number | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "journal.events": {
        parameters: {
            query?: {
                after?: string | "latest";
            };
            header?: {
                "last-event-id"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        id?: string | null;
                        event: string;
                        data: components["schemas"]["FrameEncoded"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "journal.socket": {
        parameters: {
            query?: {
                after?: string | "latest";
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "approvals.list": {
        parameters: {
            query?: {
                sessionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Approval"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "approvals.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                approvalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Approval */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "approvals.decide": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                approvalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Decision"];
            };
        };
        responses: {
            /** @description Accepted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "signIn.methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description SignInMethods */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInMethods"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "signIn.link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    secret: string;
                };
            };
        };
        responses: {
            /** @description SignedIn */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "signIn.token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description SignedIn */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "signIn.openid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        url: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "signIn.me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description SignedIn */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "signIn.signOut": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tokens.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Credential"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tokens.create": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateToken"];
            };
        };
        responses: {
            /** @description IssuedCredential */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedCredential"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tokens.revoke": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tenants.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Tenant"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tenants.create": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTenant"];
            };
        };
        responses: {
            /** @description Tenant */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tenants.remove": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tenants.quotas": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["QuotaUsage"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tenants.setQuotas": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuotaLimits"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["QuotaUsage"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tenants.audit": {
        parameters: {
            query?: {
                limit?: string;
                beforeSeq?: string;
            };
            header?: never;
            path: {
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AuditRecord"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tenants.users": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["User"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tenants.addUser": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                tenant: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUser"];
            };
        };
        responses: {
            /** @description AddedUser */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedUser"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tenants.removeUser": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                tenant: string;
                user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tenants.setUserScopes": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                tenant: string;
                user: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserScopes"];
            };
        };
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tenants.tokens": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Credential"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "tenants.revokeToken": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                tenant: string;
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "catalog.agents": {
        parameters: {
            query?: {
                workspaceId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Agent"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "catalog.models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Model"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "catalog.tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Tool"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "rules.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["SavedRule"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "rules.remove": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "rules.ofSession": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: string[];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "rules.revoke": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    rule: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        inserted: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "notes.list": {
        parameters: {
            query?: {
                text?: string;
                kind?: "fact" | "preference" | "decision" | "procedure" | "episode" | "conversation";
                limit?: string;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Note"][];
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "notes.create": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateNote"];
            };
        };
        responses: {
            /** @description Note */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "notes.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                noteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Note */
            200: {
                headers: {
                    etag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "notes.remove": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                noteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "notes.change": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
                "if-match"?: string;
            };
            path: {
                noteId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeNote"];
            };
        };
        responses: {
            /** @description Note */
            200: {
                headers: {
                    etag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "usage.list": {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                sessionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["UsageRow"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "attachments.list": {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Attachment"][];
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "attachments.upload": {
        parameters: {
            query: {
                name: string;
            };
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Attachment */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "attachments.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                attachmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Attachment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "attachments.remove": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                sessionId: string;
                attachmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "attachments.download": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                attachmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "artifacts.list": {
        parameters: {
            query?: {
                fromSeq?: string;
                limit?: string;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Artifact"][];
                        nextSeq: number | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "artifacts.download": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                artifactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "workspaces.list": {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Workspace"][];
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "workspaces.upload": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Workspace */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "workspaces.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Workspace */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "workspaces.remove": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "changes.list": {
        parameters: {
            query?: {
                turn?: string;
                limit?: string;
                cursor?: string;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ChangedFile"][];
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Webhook"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.create": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            /** @description WebhookWithSecret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Webhook */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.remove": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description <No Content> */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.rotate": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description WebhookWithSecret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.test": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description WebhookDelivery */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhooks.deliveries": {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
            };
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["WebhookDelivery"][];
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
