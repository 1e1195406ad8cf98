import type { ShareRow, ShareStorage } from './share-storage.ts'

/** One promise of a storage; `run` throws an `Error` when it is broken. Bundles into a page as it is. */
export type StoragePromise = { readonly name: string; run(storage: ShareStorage): Promise<void> }

const row = (id: string, version: number | null = null): ShareRow => ({
  id,
  organization_id: 'o',
  user_identity_id: 'u',
  curve: 'ed25519',
  public_key: '0x00',
  wallet_id: null,
  version,
  iv: new Uint8Array(12).fill(1),
  ciphertext: new Uint8Array(49).fill(2),
})

function must(isSo: boolean, promise: string): void {
  if (!isSo) throw new Error(`broken: ${promise}`)
}

const ids = async (storage: ShareStorage) => (await storage.rows()).map(({ id }) => id).sort()

/** What every storage promises, tried on an empty one each. */
export const shareStorageContract: readonly StoragePromise[] = [
  {
    name: 'the key encrypts, stays the same, and cannot be read out',
    async run(storage) {
      const [key, again] = await Promise.all([storage.key(), storage.key()])
      must(!key.extractable && key.algorithm.name === 'AES-GCM', 'a key without bytes')
      const algorithm = { name: 'AES-GCM', iv: new Uint8Array(12) }
      const sealed = await crypto.subtle.encrypt(algorithm, key, new Uint8Array(33))
      const opened = await crypto.subtle.decrypt(algorithm, again, sealed)
      must(opened.byteLength === 33, 'one key')
      const read = await crypto.subtle.exportKey('raw', key).then(
        () => true,
        () => false,
      )
      must(!read, 'no export')
    },
  },
  {
    name: 'the nonce is of the form that the service takes, and stays the same',
    async run(storage) {
      const [nonce, again] = await Promise.all([storage.nonce(), storage.nonce()])
      must(/^[A-Za-z0-9_-]{43}$/.test(nonce) && nonce === again, 'one nonce')
      must((await storage.nonce()) === nonce, 'the same nonce later')
    },
  },
  {
    name: 'rows come back as they were put, bytes and nulls included',
    async run(storage) {
      must((await storage.rows()).length === 0, 'an empty storage')
      await storage.change({ put: [row('a'), row('b', 3)] })
      const [a, b] = (await storage.rows()).sort((one, other) => one.id.localeCompare(other.id))
      must(a?.version === null && a.wallet_id === null && b?.version === 3, 'versions and nulls')
      must(a?.iv instanceof Uint8Array && a.iv.every((byte) => byte === 1) && a.iv.length === 12, 'the iv')
      must(a?.ciphertext.length === 49 && a.ciphertext.every((byte) => byte === 2), 'the ciphertext')
    },
  },
  {
    name: 'a row of the same id is replaced, a deleted one is gone, an absent one is no matter',
    async run(storage) {
      await storage.change({ put: [row('a'), row('b')] })
      await storage.change({ put: [row('a', 2)], remove: ['b', 'c'] })
      const rows = await storage.rows()
      must(rows.length === 1 && rows[0]?.version === 2, 'one row')
    },
  },
  {
    name: 'what is both deleted and put is there afterwards',
    async run(storage) {
      await storage.change({ put: [row('a')] })
      await storage.change({ put: [row('a', 5)], remove: ['a'] })
      must((await storage.rows())[0]?.version === 5, 'the new row')
    },
  },
  {
    name: 'changes at once all count',
    async run(storage) {
      await Promise.all(['a', 'b', 'c', 'd'].map((id) => storage.change({ put: [row(id)] })))
      must((await ids(storage)).join() === 'a,b,c,d', 'four rows')
    },
  },
]
