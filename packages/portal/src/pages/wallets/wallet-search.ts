import type { Query } from '../../data/portal-client.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text is the ID of a wallet, user or session. */
export const isId = (text: string): boolean => uuid.test(text)

/** The query for wallets that a text stands for: a user ID, an email address or a wallet address. */
export function meantBy(text: string): Query<'GET /v1/orgs/{orgID}/wallets'> {
  if (isId(text)) return { user_identity_id: text.toLowerCase() }
  return text.includes('@') ? { email: text } : { address: text }
}
