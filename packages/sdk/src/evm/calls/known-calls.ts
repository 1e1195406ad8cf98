import { isObject } from '../../json.ts'

/** One call as it was asked for; `value` in decimal wei. */
export type KnownCall = { readonly to: string; readonly data: string; readonly value: string }

/** Calls that were sent under one id: as one operation, or as a list of transactions. */
export type CallRecord = {
  readonly id: string
  /** The handle of the chain, and its id in 0x hex. */
  readonly chain: string
  readonly chainId: string
  readonly calls: readonly KnownCall[]
  /** The hash of the operation that carries all of them; null for a list. */
  readonly operation: string | null
  /** The transactions that were sent, in the order of the calls. */
  readonly hashes: readonly string[]
  /** No more will be sent. */
  readonly isEnded: boolean
}

/**
 * The calls that this browser has sent. They survive a reload where the page has a storage. A page holds a list's lock while it sends the
 * list: when nobody holds it, the rest is never sent.
 */
export type KnownCalls = {
  readonly find: (id: string) => CallRecord | undefined
  /** Keeps a new record; false where its id is in use. */
  readonly claim: (record: CallRecord) => Promise<boolean>
  readonly save: (record: CallRecord) => void
  /** Runs the sending of a list. */
  readonly hold: (id: string, send: () => Promise<void>) => Promise<void>
  readonly isHeld: (id: string) => Promise<boolean>
}

/** Storage and locks of the page's origin, where it has them. */
export type KnownCallsPorts = {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'> | undefined
  readonly locks: Pick<LockManager, 'request' | 'query'> | undefined
  readonly publishableKey: string
}

const recordsMax = 20

/** The known calls of one organization's wallets. */
export function knownCalls({ storage, locks, publishableKey }: KnownCallsPorts): KnownCalls {
  const key = `symbolon.calls.${publishableKey}`
  // Holds what the storage refuses too, for as long as this page lives.
  const own = new Map<string, CallRecord>()
  const held = new Set<string>()
  const lockOf = (id: string) => `symbolon.calls ${id}`

  const stored = (): CallRecord[] => {
    try {
      const records: unknown = JSON.parse(storage?.getItem(key) ?? '[]')
      return Array.isArray(records) ? records.filter(isRecord) : []
    } catch {
      return []
    }
  }
  const find = (id: string) => own.get(id) ?? stored().find((record) => record.id === id)
  const save = (record: CallRecord) => {
    own.set(record.id, record)
    const others = stored().filter(({ id }) => id !== record.id)
    write([...others, record].slice(-recordsMax))
  }
  const write = (records: readonly CallRecord[]) => {
    for (let first = 0; first < records.length; first++)
      try {
        return storage?.setItem(key, JSON.stringify(records.slice(first)))
      } catch {
        // The storage is full. Without the oldest record, the rest may fit.
      }
  }
  const exclusively = <value>(name: string, run: () => Promise<value>): Promise<value> =>
    locks === undefined ? run() : (locks.request(name, run) as Promise<value>)

  return {
    find,
    save,
    claim: (record) =>
      exclusively(key, async () => {
        if (find(record.id) !== undefined) return false
        save(record)
        return true
      }),
    async hold(id, send) {
      held.add(id)
      try {
        await exclusively(lockOf(id), send)
      } finally {
        held.delete(id)
      }
    },
    async isHeld(id) {
      if (held.has(id) || locks === undefined) return held.has(id)
      return (await locks.query()).held?.some(({ name }) => name === lockOf(id)) ?? false
    },
  }
}

function isRecord(value: unknown): value is CallRecord {
  if (!isObject(value)) return false
  const { id, chain, chainId, calls, hashes } = value
  return (
    [id, chain, chainId].every((text) => typeof text === 'string') && [calls, hashes].every(Array.isArray)
  )
}
