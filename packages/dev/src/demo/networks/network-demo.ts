/** A wallet as the API answers it. */
export type DemoWallet = { id: string; public_key: string; addresses: Record<string, string> }

/** The part of the API's answer to a transaction that the demo uses. */
export type SignedTransaction = {
  signature: string
  signed_transaction: unknown
  transaction_hash: string
  decoded_preview: { title: string }
}

/** The part of one network in the demo: a transaction made by its own library, which verifies the answer as well. */
export type NetworkDemo = {
  /** A chain handle. */
  chain: string
  curve: 'secp256k1' | 'ed25519'
  /** Whose code verifies. */
  library: string
  /** The unsigned transaction in its serialized form, and whether an answer to it is signed by the wallet. */
  make(wallet: DemoWallet): {
    transaction: string
    isSigned(answer: SignedTransaction): boolean | Promise<boolean>
  }
}

/** The wallet's address by its name on the wire. */
export function addressOf({ addresses }: DemoWallet, name: string): string {
  const address = addresses[name]
  if (address === undefined) throw new Error(`The wallet has no address named ${name}`)
  return address
}

/** The bytes of 0x hex. */
export const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.slice(2), 'hex'))

/** Padded base64. */
export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** Lower-case hex without a prefix. */
export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
