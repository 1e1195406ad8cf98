/**
 * Runs in every frame before its own code: hands on every message that is sent over a port or channel or comes to the
 * window, and every violation of the content security policy. Stands alone: it is sent to the browser as text.
 */
export function recordInPage(): void {
  const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const shown = (value: unknown): string => {
    try {
      return (
        JSON.stringify(value, (_, inner: unknown) => {
          if (inner instanceof ArrayBuffer) return hex(new Uint8Array(inner))
          if (ArrayBuffer.isView(inner)) {
            return hex(new Uint8Array(inner.buffer, inner.byteOffset, inner.byteLength))
          }
          if (typeof inner === 'bigint') return inner.toString()
          return inner
        }) ?? 'undefined'
      )
    } catch (error) {
      return `not shown: ${String(error)}`
    }
  }
  const record = (kind: string, content: string) => {
    const { symbolonRecord } = globalThis as unknown as {
      symbolonRecord(kind: string, content: string): Promise<void>
    }
    symbolonRecord(kind, content).catch(() => {})
  }
  for (const [kind, prototype] of [
    ['port message', MessagePort.prototype],
    ['channel message', BroadcastChannel.prototype],
  ] as [string, { postMessage(...given: unknown[]): void }][]) {
    const original = prototype.postMessage
    prototype.postMessage = function (this: unknown, ...given: unknown[]) {
      record(kind, shown(given[0]))
      original.apply(this as MessagePort, given)
    }
  }
  addEventListener('message', (event) => record('window message', shown(event.data)), true)
  document.addEventListener('securitypolicyviolation', (event) => {
    record('violation', `${event.violatedDirective} blocked ${event.blockedURI} ${event.sample}`)
  })
}
