import type { Query } from '../../data/portal-client.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text is an id: of a wallet, a user, a session. */
export const isId = (text: string): boolean => uuid.test(text)

/** What a text asks for in the list of wallets: the wallets of a user, of a mail address, or the one with an address. */
export function meantBy(text: string): Query<'GET /v1/orgs/{orgID}/wallets'> {
  if (isId(text)) return { user_identity_id: text.toLowerCase() }
  return text.includes('@') ? { email: text } : { address: text }
}
