import { wipe } from '@symbolon/crypto'
import type { KeyPurpose, WrappedKey } from '@symbolon/crypto/node'
import type { Queryable } from '../../db/pool.ts'
import { type KeyFault, type Kms, KmsError } from '../../ports/kms.ts'
import { kmsKeysStore, type RecordedKeyIds } from './kms-keys.store.ts'

/**
 * A KMS that serves one installation. The database names the key id of a purpose before the first data key under it is handed out; from
 * then on a KMS that names another id, or does not have it, makes nothing: no data key and no version. `ping` and whatever needs the key
 * reject with a `KmsError` that is `unavailable` and has a `fault`.
 */
export function recordedKms(kms: Kms, sql: Queryable): Kms {
  const ids = recordedIds(sql)
  const checkKey = async (purpose: KeyPurpose, recorded: string | undefined) => {
    if (recorded === undefined) return
    const keyId = await kms.keyId(purpose).catch(missing(purpose))
    if (keyId !== recorded) throw faulty({ reason: 'key_foreign', purpose })
  }
  // A row that names an id of its own was altered, or is of another installation: that says nothing about the KMS.
  const missingFor = async ({ purpose, keyId }: WrappedKey) =>
    (await ids.of(purpose)) === keyId ? missing(purpose) : rejecting

  return {
    async generateDataKey(purpose, context) {
      const recorded = await ids.of(purpose)
      await checkKey(purpose, recorded)
      const made = await kms
        .generateDataKey(purpose, context)
        .catch(recorded === undefined ? rejecting : missing(purpose))
      try {
        const { keyId } = made.wrappedKey
        if ((recorded ?? (await ids.record(purpose, keyId))) === keyId) return made
        throw faulty({ reason: 'key_foreign', purpose })
      } catch (error) {
        wipe(made.dataKey)
        throw error
      }
    },
    unwrap: (wrappedKey, context) =>
      kms.unwrap(wrappedKey, context).catch(async (error) => (await missingFor(wrappedKey))(error)),
    rewrap: (wrappedKey, context) =>
      kms.rewrap(wrappedKey, context).catch(async (error) => (await missingFor(wrappedKey))(error)),
    async rotate(purpose) {
      await checkKey(purpose, await ids.of(purpose))
      return kms.rotate(purpose)
    },
    currentVersion: (purpose) => kms.currentVersion(purpose),
    keyId: (purpose) => kms.keyId(purpose),
    async ping() {
      for (const [purpose, keyId] of await ids.recent()) await checkKey(purpose, keyId)
      await kms.ping()
    },
  }
}

/** The key ids that the database names. One is never replaced, so what was read once stays true. */
function recordedIds(sql: Queryable) {
  let known: RecordedKeyIds | undefined
  const read = async () => {
    known = await kmsKeysStore.read(sql)
    return known
  }
  const of = async (purpose: KeyPurpose) => known?.get(purpose) ?? (await read()).get(purpose)
  return {
    of,
    async record(purpose: KeyPurpose, keyId: string) {
      await kmsKeysStore.recordFirst(sql, purpose, keyId)
      return of(purpose)
    },
    /** At most one reading behind; none while the database, which is a component of its own, has never answered. */
    async recent(): Promise<RecordedKeyIds> {
      const reading = read().catch((): RecordedKeyIds => known ?? new Map())
      return known ?? reading
    },
  }
}

const faulty = (fault: KeyFault, cause?: unknown) => new KmsError('unavailable', cause, fault)

function rejecting(error: unknown): never {
  throw error
}

/** Says of a key that the KMS does not have that the installation needs it. */
const missing =
  (purpose: KeyPurpose) =>
  (error: unknown): never => {
    if (error instanceof KmsError && error.code === 'unknown_key')
      throw faulty({ reason: 'key_missing', purpose }, error)
    throw error
  }
