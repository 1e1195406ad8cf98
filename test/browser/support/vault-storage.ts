import { frameAt } from '@symbolon/testing/browser'
import type { Frame } from 'playwright-core'
import type { Holder } from './holder.ts'
import type { Shop } from './shop.ts'

/** A row of the vault's store of shares, as it lies in the browser; bytes stay in the browser. */
export type StoredShare = {
  id: string
  wallet_id: string | null
  version: number | null
  [field: string]: unknown
}

/** The vault's frame in a holder's page: what code in it could reach. */
export const vaultFrame = (shop: Shop, holder: Holder): Promise<Frame> =>
  frameAt(holder.page, `${shop.app.frameUrl}/frame`)

/** Reads the rows of the vault's store, without their bytes. */
export async function storedShares(frame: Frame): Promise<StoredShare[]> {
  return frame.evaluate(async () => {
    const rows = await new Promise<StoredShare[]>((resolve, reject) => {
      const open = indexedDB.open('symbolon-vault')
      open.onerror = () => reject(open.error)
      open.onsuccess = () => {
        const all = open.result.transaction('shares').objectStore('shares').getAll()
        all.onsuccess = () => {
          open.result.close()
          resolve(all.result)
        }
      }
    })
    return rows.map(({ iv: _iv, ciphertext: _text, ...row }) => row)
  })
}

/** Rewrites rows of the vault's store: `change` runs in the frame on each row that has `id`, and gets all rows. */
export async function tamper(
  frame: Frame,
  changes: readonly { id: string; fields?: Record<string, unknown>; bytesOf?: string; isFlipped?: boolean }[],
): Promise<void> {
  await frame.evaluate(
    (wanted) =>
      new Promise<void>((resolve, reject) => {
        const open = indexedDB.open('symbolon-vault')
        open.onerror = () => reject(open.error)
        open.onsuccess = () => {
          const transaction = open.result.transaction('shares', 'readwrite')
          const shares = transaction.objectStore('shares')
          const all = shares.getAll()
          all.onsuccess = () => {
            for (const { id, fields, bytesOf, isFlipped } of wanted) {
              const row = all.result.find((candidate) => candidate.id === id)
              const donor = all.result.find((candidate) => candidate.id === (bytesOf ?? id))
              const ciphertext = new Uint8Array(donor.ciphertext)
              if (isFlipped === true) ciphertext[0] = (ciphertext[0] ?? 0) ^ 1
              shares.put({ ...row, iv: donor.iv, ciphertext, ...fields })
            }
          }
          transaction.oncomplete = () => {
            open.result.close()
            resolve()
          }
          transaction.onabort = () => reject(transaction.error)
        }
      }),
    changes,
  )
}

/** Deletes everything that the vault keeps in this browser, under the open frame, as a person does in the settings. */
export async function clearVault(frame: Frame): Promise<void> {
  await frame.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const deletion = indexedDB.deleteDatabase('symbolon-vault')
        deletion.onsuccess = () => resolve()
        deletion.onerror = () => reject(deletion.error)
      }),
  )
}
