import type { KeyPurpose } from '@symbolon/crypto/node'
import type { Queryable } from '../../db/pool.ts'

/** Under which key id each purpose of the API side seals; one that has sealed nothing yet is absent. */
export type RecordedKeyIds = ReadonlyMap<KeyPurpose, string>

/** The statements on the key ids of the KMS. */
export const kmsKeysStore = {
  /** What the database names. */
  async read(sql: Queryable): Promise<RecordedKeyIds> {
    const rows = await sql<{ purpose: KeyPurpose; keyId: string }[]>`
      select purpose, key_id as "keyId" from kms_keys`
    return new Map(rows.map(({ purpose, keyId }) => [purpose, keyId]))
  },

  /** Names the key id of a purpose that has none yet; of several at once the first is named. */
  async recordFirst(sql: Queryable, purpose: KeyPurpose, keyId: string): Promise<void> {
    await sql`insert into kms_keys (purpose, key_id) values (${purpose}, ${keyId}) on conflict do nothing`
  },
}
