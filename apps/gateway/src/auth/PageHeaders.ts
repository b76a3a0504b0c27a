/** Headers of the page's own files: no inline script or style, no frame, nothing from another origin. */

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'"
].join("; ")

/** A header that browsers ignore, with an error in their console, unless the page is from https or from this machine. */
export const openerPolicy = "cross-origin-opener-policy"

export const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": policy,
  [openerPolicy]: "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()"
}

/** Sent only if the public address uses https: browsers then never try http again. */
export const secureTransport = { "strict-transport-security": "max-age=31536000" } as const
