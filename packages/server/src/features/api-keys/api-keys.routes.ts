import {
  type ApiKey,
  listApiKeys,
  mintApiKey as mint,
  revokeApiKey as revoke,
  rotateApiKey as rotate,
} from '@symbolon/api'
import { on } from '../../http/handler.ts'
import { mapResult } from '../../runtime/failure.ts'
import { type ApiKeyRow, apiKeysStore } from './api-keys.store.ts'
import { type ApiKeysCtx, type MintedKey, mintApiKey, revokeApiKey, rotateApiKey } from './api-keys.ts'

/** The API keys of an organization, as its members manage them. */
export const apiKeysRoutes = (ctx: ApiKeysCtx) => [
  on(listApiKeys, async ({ principal }) => ({
    items: (await apiKeysStore.list(ctx.sql, principal.organization.id)).map(wireKey),
  })),
  on(mint, async ({ principal, body: { name, type, scope, ip_allowlist, expires_at } }) =>
    mapResult(
      await mintApiKey(ctx, principal, {
        name,
        type,
        ipAllowlist: ip_allowlist,
        ...(scope !== undefined && { scope }),
        ...(expires_at !== undefined && { expiresAt: expires_at }),
      }),
      wireMinted,
    ),
  ),
  on(revoke, ({ principal, params }) => revokeApiKey(ctx, principal, params.keyID)),
  on(rotate, async ({ principal, params, body }) =>
    mapResult(
      await rotateApiKey(ctx, principal, { id: params.keyID, graceSeconds: body.grace_seconds }),
      wireMinted,
    ),
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
