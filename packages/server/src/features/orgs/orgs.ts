import { mintToken } from '@symbolon/crypto'
import { networks } from '@symbolon/networks'
import type { Sql } from '../../db/pool.ts'
import type { Ids } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { type NewApiKey, orgsStore } from './orgs.store.ts'

/** What a new organization is made of. */
export type NewOrganization = {
  name: string
  slug: string
  signingMode: 'client' | 'tee'
  supportedNetworks?: readonly string[]
  allowedOrigins?: readonly string[]
}

/** A key that was just made: the only time its text is known. */
export type MintedKey = { id: string; key: string }

/** Organizations and their API keys. */
export function orgs({
  sql,
  ids,
  random,
  hashToken,
}: {
  sql: Sql
  ids: Ids
  random: Random
  hashToken: (token: string) => Uint8Array
}) {
  return {
    /** Makes an organization with its counters, all networks unless told otherwise. */
    async create(input: NewOrganization): Promise<{ id: string }> {
      const id = ids.next()
      const isNew = await sql.begin((tx) =>
        orgsStore.insertNew(tx, {
          id,
          name: input.name,
          slug: input.slug,
          country: '',
          signingMode: input.signingMode,
          supportedNetworks: [...(input.supportedNetworks ?? networks.list.map(({ name }) => name))],
          allowedOrigins: [...(input.allowedOrigins ?? [])],
        }),
      )
      if (!isNew) throw new Error(`The slug ${input.slug} is taken.`)
      return { id }
    },

    /** Mints an API key; only its keyed hash and its last four characters are kept. */
    async mintKey(
      organizationId: string,
      key: Omit<NewApiKey, 'id' | 'hash' | 'last4' | 'organizationId'>,
    ): Promise<MintedKey> {
      const token = mintToken(key.type === 'publishable' ? 'pk_live_' : 'sk_live_', random(32))
      const id = ids.next()
      await orgsStore.insertKey(sql, {
        ...key,
        id,
        organizationId,
        hash: hashToken(token),
        last4: token.slice(-4),
      })
      return { id, key: token }
    },
  }
}

export type Orgs = ReturnType<typeof orgs>
