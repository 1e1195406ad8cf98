/** "\x19Ethereum Signed Message:\n" + length + message (EIP-191, version 0x45); TIP-191 with its own prefix. */
export function personalMessage(prefix: string, message: Uint8Array): Uint8Array {
  const head = prefix + message.length
  const payload = new Uint8Array(head.length + message.length)
  for (let index = 0; index < head.length; index++) payload[index] = head.charCodeAt(index)
  payload.set(message, head.length)
  return payload
}

/** Prefix of EIP-191 personal messages. */
export const ethereumPrefix = '\x19Ethereum Signed Message:\n'

/** Prefix of TIP-191 messages. */
export const tronPrefix = '\x19TRON Signed Message:\n'
