import type { AuditEventType } from '@symbolon/api'
import type { Sql } from '@symbolon/server/pool'
import { type AuditListQuery, listAuditEvents } from '@symbolon/server/testing/audit'
import { listWallets, type WalletListQuery } from '@symbolon/server/testing/wallets'

/** One page of one list: `run` is the store's own query. `filter` names what is compared across offsets. */
export type VolumeCase = {
  list: 'wallets' | 'audit'
  filter: string
  depth: string
  limit: number
  offset: number
  run(sql: Sql): Promise<{ items: unknown[]; total: number }>
}

const depths = { '0': 0, '10 %': 0.1, '50 %': 0.5, '99.9 %': 0.999 }
const limits = [50, 200]

/** The cases of the wallet list. */
export async function walletCases(sql: Sql, organizationId: string): Promise<VolumeCase[]> {
  const [someone] = await sql<{ id: string; email: string; address: string }[]>`
    select i.id, i.email, w.address from wallets w join identities i on i.id = w.user_identity_id
    where w.organization_id = ${organizationId}
      and w.org_seq = (select wallets / 6 * 3 from organization_counters where organization_id = ${organizationId})`
  if (someone === undefined) throw new Error('The organization has no wallets.')
  const { id: userIdentityId, email, address } = someone
  const statuses = ['active', 'archived'] as const
  const curves = ['secp256k1', 'ed25519'] as const
  const narrow = [{ userIdentityId }, { email }, { address }]
  const filters: Partial<WalletListQuery>[] = [
    {},
    ...statuses.map((status) => ({ status })),
    ...curves.map((curve) => ({ curve })),
    ...statuses.flatMap((status) => curves.map((curve) => ({ status, curve }))),
    ...narrow,
    ...narrow.map((filter) => ({ ...filter, status: 'active' as const, curve: 'secp256k1' as const })),
  ]
  return casesOf('wallets', filters, (one, filter: Partial<WalletListQuery>, page) =>
    listWallets(one, { organizationId, ...filter, ...page }),
  )(sql)
}

/** The cases of the audit log. */
export async function auditCases(sql: Sql, organizationId: string): Promise<VolumeCase[]> {
  const types: AuditEventType[] = ['wallet.signed', 'wallet.archived']
  const outcomes = [true, false]
  const filters: Partial<AuditListQuery>[] = [
    {},
    ...types.map((type) => ({ type })),
    ...outcomes.map((isSuccess) => ({ isSuccess })),
    ...types.flatMap((type) => outcomes.map((isSuccess) => ({ type, isSuccess }))),
  ]
  return casesOf('audit', filters, (one, filter: Partial<AuditListQuery>, page) =>
    listAuditEvents(one, { organizationId, ...filter, ...page }),
  )(sql)
}

function casesOf<filter extends object>(
  list: VolumeCase['list'],
  filters: filter[],
  query: (sql: Sql, filter: filter, page: { limit: number; offset: number }) => ReturnType<VolumeCase['run']>,
) {
  return async (sql: Sql): Promise<VolumeCase[]> => {
    const cases: VolumeCase[] = []
    for (const filter of filters) {
      const { total } = await query(sql, filter, { limit: 1, offset: 0 })
      const name = nameOf(filter)
      for (const limit of limits) {
        for (const [depth, part] of Object.entries(depths)) {
          const offset = Math.floor(total * part)
          cases.push({
            list,
            filter: name,
            depth,
            limit,
            offset,
            run: (one) => query(one, filter, { limit, offset }),
          })
        }
      }
    }
    return cases
  }
}

// Ids and addresses differ from run to run: only what is named without them can be compared.
const nameOf = (filter: object) =>
  Object.entries(filter)
    .map(([name, value]) =>
      ['userIdentityId', 'email', 'address'].includes(name) ? name : `${name}=${value}`,
    )
    .join(' ') || 'none'
