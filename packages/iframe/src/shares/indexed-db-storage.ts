import type { ShareRow, ShareStorage } from './share-storage.ts'
import { newStorageKey } from './storage-key.ts'

const databaseName = 'symbolon-vault'
const databaseVersion = 1
const keyName = 'device'

/**
 * Shares in IndexedDB, the key beside them as an object that cannot be exported. Rejects where the browser refuses
 * storage (private modes, blocked third-party storage), so that the caller can do without.
 */
export async function indexedDbStorage(factory: IDBFactory): Promise<ShareStorage> {
  let opened: Promise<IDBDatabase> | undefined

  /** The open database; one that was deleted or closed under us is opened anew. */
  function database(): Promise<IDBDatabase> {
    opened ??= open(factory, () => {
      opened = undefined
    })
    return opened
  }

  async function transaction<value>(
    mode: IDBTransactionMode,
    run: (store: (name: 'keys' | 'shares') => IDBObjectStore) => IDBRequest<value> | undefined,
  ): Promise<value | undefined> {
    // A crash after the answer of the service must not find the share unwritten.
    const started = await start(mode, { durability: 'strict' })
    const request = run((name) => started.objectStore(name))
    await completion(started)
    return request?.result
  }

  async function start(mode: IDBTransactionMode, options: IDBTransactionOptions): Promise<IDBTransaction> {
    const stores = ['keys', 'shares']
    try {
      return (await database()).transaction(stores, mode, options)
    } catch {
      // The browser is closing the database, and has not said so yet.
      opened = undefined
      return (await database()).transaction(stores, mode, options)
    }
  }

  async function key(): Promise<CryptoKey> {
    const known = await transaction<unknown>('readonly', (store) => store('keys').get(keyName))
    if (known instanceof CryptoKey) return known
    const fresh = await newStorageKey()
    // Another tab may have been faster: what is there stays.
    const kept = await transaction<unknown>('readwrite', (store) => {
      const keys = store('keys')
      const reading = keys.get(keyName)
      reading.onsuccess = () => {
        if (reading.result === undefined) keys.put(fresh, keyName)
      }
      return reading
    })
    return kept instanceof CryptoKey ? kept : fresh
  }

  await key()

  return {
    isDurable: true,
    key,
    async rows() {
      const rows = await transaction<ShareRow[]>('readonly', (store) => store('shares').getAll())
      return rows ?? []
    },
    async change({ put = [], remove = [] }) {
      await transaction('readwrite', (store) => {
        const shares = store('shares')
        for (const id of remove) shares.delete(id)
        for (const row of put) shares.put(row)
        return undefined
      })
    },
  }
}

function open(factory: IDBFactory, onGone: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory.open(databaseName, databaseVersion)
    request.onupgradeneeded = () => {
      request.result.createObjectStore('keys')
      request.result.createObjectStore('shares', { keyPath: 'id' })
    }
    request.onsuccess = () => {
      const database = request.result
      database.onclose = onGone
      database.onversionchange = () => {
        database.close()
        onGone()
      }
      resolve(database)
    }
    request.onerror = () => {
      onGone()
      reject(request.error)
    }
  })
}

function completion(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
    transaction.onerror = () => reject(transaction.error)
  })
}
