/**
 * The claims of a JWT (RFC 7519), unverified: for display and for the timer of its end only. `expiresAtMs` is null
 * where it says nothing or cannot be read.
 */
export function readToken(token: string): { expiresAtMs: number | null; email: string | null } {
  const { exp, email } = claims(token)
  return {
    expiresAtMs: typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : null,
    email: typeof email === 'string' ? email : null,
  }
}

function claims(token: string): { exp?: unknown; email?: unknown } {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0))
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}
