import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { Keypair, StrKey } from '@stellar/stellar-base'
import { describe, expect, test } from 'vitest'
import { messageBytes } from '../intent/message-bytes.ts'
import { walletAddresses } from '../testing/by-intent.ts'
import { signIntent, testKeys } from '../testing/oracle-signer.ts'
import { sampleText } from '../testing/sample-messages.ts'
import { vectorJson, vectorText } from '../testing/vectors.ts'

const intentOf = (message: Uint8Array) =>
  ({ kind: 'message', network: 'stellar', chain: 'stellar', message }) as const

function addressOfSecret(secret: string): string | undefined {
  return walletAddresses('ed25519', ed25519.getPublicKey(StrKey.decodeEd25519SecretSeed(secret)))['stellar']
}

describe('stellar', () => {
  test('an address is the one stellar-base derives', () => {
    for (const { privateKey, publicKey } of testKeys('ed25519', 120)) {
      const pair = Keypair.fromRawEd25519Seed(Buffer.from(privateKey))
      expect(walletAddresses('ed25519', publicKey)['stellar']).toBe(pair.publicKey())
    }
  })

  test('a signed message passes stellar-base over the SEP-53 hash', () => {
    for (const [index, key] of testKeys('ed25519', 100).entries()) {
      const text = sampleText(index)
      const { address, signature } = signIntent(intentOf(messageBytes(text, 'utf8')), key)
      const hash = createHash('sha256').update(`Stellar Signed Message:\n${text}`).digest()
      const pair = Keypair.fromPublicKey(address)
      expect(pair.verify(hash, Buffer.from(messageBytes(signature, 'hex')))).toBe(true)
    }
  })

  test('the examples of SEP-53 are reproduced', () => {
    const seed = StrKey.decodeEd25519SecretSeed('SAKICEVQLYWGSOJS4WW7HZJWAHZVEEBS527LHK5V4MLJALYKICQCJXMW')
    const privateKey = Uint8Array.from(seed)
    const key = { curve: 'ed25519', privateKey, publicKey: ed25519.getPublicKey(privateKey) } as const
    const examples = [
      [
        'Hello, World!',
        'fO5dbYhXUhBMhe6kId/cuVq/AfEnHRHEvsP8vXh03M1uLpi5e46yO2Q8rEBzu3feXQewcQE5GArp88u6ePK6BA==',
      ],
      [
        'こんにちは、世界！',
        'CDU265Xs8y3OWbB/56H9jPgUss5G9A0qFuTqH2zs2YDgTm+++dIfmAEceFqB7bhfN3am59lCtDXrCtwH2k1GBA==',
      ],
    ] as const
    for (const [text, expected] of examples) {
      const { signature } = signIntent(intentOf(messageBytes(text, 'utf8')), key)
      expect(Buffer.from(messageBytes(signature, 'hex')).toString('base64')).toBe(expected)
    }
  })

  test('the key pairs of the vectors have their addresses', () => {
    type Vectors = { keypairs: { secret: string; public: string }[] }
    const vectors = vectorJson<Vectors>('chains/stellar_sdk.json')
    for (const { secret, public: address } of vectors?.keypairs ?? [])
      expect(addressOfSecret(secret)).toBe(address)
    const text = vectorText('chains/stellar_sep0005.md')
    const pairs = [...(text ?? '').matchAll(/(G[A-Z2-7]{55}) (S[A-Z2-7]{55})/g)]
    for (const [, address, secret = ''] of pairs) expect(addressOfSecret(secret)).toBe(address)
    expect(pairs.length > 0).toBe(text !== undefined)
  })
})
