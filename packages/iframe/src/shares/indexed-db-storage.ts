import { newNonce } from './new-nonce.ts'
import type { ShareRow, ShareStorage } from './share-storage.ts'
import { newStorageKey } from './storage-key.ts'

const databaseName = 'symbolon-vault'
const databaseVersion = 1
const keyName = 'device'
const nonceName = 'client-nonce'

/** The database of one browser; `opened` is undefined while it must be reopened. */
type Database = { readonly factory: IDBFactory; opened: Promise<IDBDatabase> | undefined }

/**
 * Shares in IndexedDB, the key beside them as an object that cannot be exported. Rejects where the browser refuses
 * storage (private modes, blocked third-party storage).
 */
export async function indexedDbStorage(factory: IDBFactory): Promise<ShareStorage> {
  const database: Database = { factory, opened: undefined }
  await storageKey(database)
  return {
    isDurable: true,
    key: () => storageKey(database),
    nonce: () => storageNonce(database),
    async rows() {
      const rows = await transact<ShareRow[]>(database, 'readonly', (store) => store('shares').getAll())
      return rows ?? []
    },
    async change({ put = [], remove = [] }) {
      await transact(database, 'readwrite', (store) => {
        const shares = store('shares')
        for (const id of remove) shares.delete(id)
        for (const row of put) shares.put(row)
        return undefined
      })
    },
  }
}

async function storageNonce(database: Database): Promise<string> {
  const kept = await keptOr(database, nonceName, newNonce())
  if (typeof kept !== 'string') throw new Error('no nonce')
  return kept
}

async function storageKey(database: Database): Promise<CryptoKey> {
  const known = await transact<unknown>(database, 'readonly', (store) => store('keys').get(keyName))
  if (known instanceof CryptoKey) return known
  const fresh = await newStorageKey()
  const kept = await keptOr(database, keyName, fresh)
  return kept instanceof CryptoKey ? kept : fresh
}

/** What is kept under a name, after the fresh value was kept where nothing was: another tab may have been faster. */
async function keptOr(database: Database, name: string, fresh: unknown): Promise<unknown> {
  const kept = await transact<unknown>(database, 'readwrite', (store) => {
    const keys = store('keys')
    const reading = keys.get(name)
    reading.onsuccess = () => {
      if (reading.result === undefined) keys.put(fresh, name)
    }
    return reading
  })
  return kept === undefined ? fresh : kept
}

async function transact<value>(
  database: Database,
  mode: IDBTransactionMode,
  run: (store: (name: 'keys' | 'shares') => IDBObjectStore) => IDBRequest<value> | undefined,
): Promise<value | undefined> {
  const transaction = await begin(database, mode)
  const request = run((name) => transaction.objectStore(name))
  await completion(transaction)
  return request?.result
}

async function begin(database: Database, mode: IDBTransactionMode): Promise<IDBTransaction> {
  const stores = ['keys', 'shares']
  // A crash after the answer of the service must not find the share unwritten.
  const options = { durability: 'strict' } as const
  try {
    return (await connection(database)).transaction(stores, mode, options)
  } catch {
    // The browser is closing the database and has not said so yet.
    database.opened = undefined
    return (await connection(database)).transaction(stores, mode, options)
  }
}

/** The open database; opens it anew after it was deleted or closed under us. */
function connection(database: Database): Promise<IDBDatabase> {
  database.opened ??= open(database.factory, () => {
    database.opened = undefined
  })
  return database.opened
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
