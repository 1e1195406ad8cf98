import { type ApiKey, listApiKeys, mintApiKey, revokeApiKey, rotateApiKey } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { ApiKeyRow } from './api-keys.store.ts'
import type { ApiKeys, MintedKey } from './api-keys.ts'

/** The API keys of a company. */
export const apiKeysRoutes = (keys: ApiKeys) => [
  on(listApiKeys, async ({ caller }) => ({
    items: (await keys.list(caller.organization.id)).map(wireKey),
  })),
  on(mintApiKey, async ({ caller, body: { name, type, scope, ip_allowlist, expires_at }, fail }) => {
    const key = {
      name,
      type,
      ipAllowlist: ip_allowlist,
      ...(scope !== undefined && { scope }),
      ...(expires_at !== undefined && { expiresAt: expires_at }),
    }
    return wireMinted(await keys.mint(caller, key, fail))
  }),
  on(revokeApiKey, async ({ caller, params, fail }) => {
    await keys.revoke(caller, params.keyID, fail)
  }),
  on(rotateApiKey, async ({ caller, params, body, fail }) =>
    wireMinted(await keys.rotate(caller, { id: params.keyID, graceSeconds: body.grace_seconds }, fail)),
  ),
]

const prefixes = { publishable: 'pk_live_', secret: 'sk_live_' } as const

const wireKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  type: row.type,
  scope: row.scope,
  hint: `${prefixes[row.type]}…${row.last4}`,
  ip_allowlist: row.ipAllowlist,
  expires_at: row.expiresAt?.toISOString() ?? null,
  revoked_at: row.revokedAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
})

const wireMinted = ({ key, ...row }: MintedKey) => ({ ...wireKey(row), key })
