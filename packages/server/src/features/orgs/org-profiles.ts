import type { Fail } from '@symbolon/api'
import { networks } from '@symbolon/networks'
import type { Sql, Transaction } from '../../db/pool.ts'
import type { MemberPrincipal } from '../../http/principal.ts'
import type { Ids } from '../../ports/clock.ts'
import type { Audit } from '../audit/index.ts'
import { type OrgProfile, orgProfilesStore } from './org-profiles.store.ts'
import { orgsStore } from './orgs.store.ts'

/** What a portal user makes a company of. */
export type NewCompany = {
  name: string
  slug: string
  country: string
  signing_mode: 'client' | 'tee'
  supported_networks?: readonly string[]
}

/** Companies as portal users make and see them. */
export function orgProfiles({
  sql,
  ids,
  audit,
  insertMember,
}: {
  sql: Sql
  ids: Ids
  audit: Audit
  insertMember: (
    tx: Transaction,
    member: { id: string; organizationId: string; userId: string; role: 'owner' },
  ) => Promise<unknown>
}) {
  async function get(organizationId: string, userId: string, fail: Fail<'not_found'>): Promise<OrgProfile> {
    const profile = await orgProfilesStore.get(sql, organizationId, userId)
    // Left between the lane and here.
    if (profile === undefined) throw fail('not_found')
    return profile
  }

  return {
    list: (userId: string): Promise<OrgProfile[]> => orgProfilesStore.list(sql, userId),

    get: ({ organization, user }: MemberPrincipal, fail: Fail<'not_found'>): Promise<OrgProfile> =>
      get(organization.id, user.id, fail),

    /** Makes a company whose owner is the user; a slug is given once. */
    async create(
      user: { id: string },
      company: NewCompany,
      fail: Fail<'slug_taken' | 'internal'>,
    ): Promise<OrgProfile> {
      const id = ids.next()
      const memberId = ids.next()
      await sql.begin(async (tx) => {
        const isNew = await orgsStore.insertNew(tx, {
          id,
          name: company.name,
          slug: company.slug,
          country: company.country,
          signingMode: company.signing_mode,
          supportedNetworks: [...(company.supported_networks ?? networks.list.map(({ name }) => name))],
          allowedOrigins: [],
        })
        if (!isNew) throw fail('slug_taken')
        await insertMember(tx, { id: memberId, organizationId: id, userId: user.id, role: 'owner' })
        const actor = {
          organizationId: id,
          actorType: 'portal_user' as const,
          actorId: user.id,
          success: true,
        }
        await audit.append(tx, { ...actor, type: 'org.created', payload: { slug: company.slug } })
        await audit.append(tx, {
          ...actor,
          type: 'member.added',
          payload: { member_id: memberId, user_id: user.id, role: 'owner' },
        })
      })
      return get(id, user.id, () => fail('internal'))
    },
  }
}

export type OrgProfiles = ReturnType<typeof orgProfiles>
