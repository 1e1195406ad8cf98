import type { Frame } from 'playwright-core'

/** All storage of a frame's origin as text, bytes in hex; what the frame may not read is empty. */
export async function storageOf(frame: Frame): Promise<string> {
  return frame.evaluate(readStorage).catch((error: unknown) => `not read: ${String(error)}`)
}

/** Runs in the frame: stands alone. */
async function readStorage(): Promise<string> {
  const whenDone = <value>(request: IDBRequest<value>) =>
    new Promise<value>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const plain = (_: string, value: unknown): unknown => {
    if (value instanceof ArrayBuffer) return hex(new Uint8Array(value))
    if (ArrayBuffer.isView(value))
      return hex(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
    return value
  }
  const found: unknown[] = []
  const attempt = async (read: () => unknown) => {
    try {
      found.push(await read())
    } catch {
      // Refused to this frame, so nothing is there.
    }
  }
  await attempt(() => ({ ...localStorage }))
  await attempt(() => ({ ...sessionStorage }))
  await attempt(async () => {
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined) continue
      const database = await whenDone(indexedDB.open(name))
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store)
        found.push(name, store, await whenDone(objects.getAllKeys()), await whenDone(objects.getAll()))
      }
      database.close()
    }
  })
  return JSON.stringify(found, plain)
}
