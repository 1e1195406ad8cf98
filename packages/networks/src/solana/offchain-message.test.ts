import { base58 } from '@scure/base'
import {
  compileOffchainMessageV0Envelope,
  createKeyPairSignerFromPrivateKeyBytes,
  type OffchainMessageV0,
  offchainMessageApplicationDomain,
  offchainMessageContentRestrictedAsciiOf1232BytesMax,
  offchainMessageContentUtf8Of1232BytesMax,
  offchainMessageContentUtf8Of65535BytesMax,
  type SignatureBytes,
  address as toAddress,
  verifyOffchainMessageEnvelope,
} from '@solana/kit'
import { describe, expect, test } from 'vitest'
import { toHex0x } from '../codec/hex.ts'
import { messageBytes } from '../intent/message-bytes.ts'
import { walletAddresses } from '../testing/by-intent.ts'
import { signIntent, testKey, testKeys } from '../testing/oracle-signer.ts'
import { sampleText } from '../testing/sample-messages.ts'
import { vectorJson } from '../testing/vectors.ts'

function contentOf(text: string) {
  const { length } = messageBytes(text, 'utf8')
  if (length > 1147) return offchainMessageContentUtf8Of65535BytesMax(text)
  if (/^[\x20-\x7e]+$/.test(text)) return offchainMessageContentRestrictedAsciiOf1232BytesMax(text)
  return offchainMessageContentUtf8Of1232BytesMax(text)
}

const intentOf = (message: Uint8Array, applicationDomain?: Uint8Array) =>
  ({
    kind: 'message',
    network: 'solana',
    chain: 'solana',
    message,
    ...(applicationDomain && { applicationDomain }),
  }) as const

describe('solana', () => {
  test('an address is the one kit derives', async () => {
    for (const { privateKey, publicKey } of testKeys('ed25519', 100)) {
      const signer = await createKeyPairSignerFromPrivateKeyBytes(privateKey)
      expect(walletAddresses('ed25519', publicKey)['solana']).toBe(signer.address)
    }
  })

  test('an off-chain message is byte for byte that of kit, and passes its verifier', async () => {
    for (const [index, key] of testKeys('ed25519', 100).entries()) {
      const text = sampleText(index)
      const domain = index % 3 === 0 ? undefined : testKey('ed25519', index + 1000).publicKey
      const answer = signIntent(intentOf(messageBytes(text, 'utf8'), domain), key)
      const signer = toAddress(answer.address)
      const envelope = compileOffchainMessageV0Envelope({
        version: 0,
        applicationDomain: offchainMessageApplicationDomain(base58.encode(domain ?? new Uint8Array(32))),
        content: contentOf(text),
        requiredSignatories: [{ address: signer }],
      } as OffchainMessageV0)
      expect(answer.signed_payload).toBe(toHex0x(Uint8Array.from(envelope.content)))
      const signature = base58.decode(answer.signature_base58 ?? '') as SignatureBytes
      expect(toHex0x(signature)).toBe(answer.signature)
      await verifyOffchainMessageEnvelope({ ...envelope, signatures: { [signer]: signature } })
      expect(answer.application_domain).toBe(toHex0x(domain ?? new Uint8Array(32)))
    }
  })

  test('a message that kit would not compile is refused: empty, not UTF-8, above 65,535 bytes', () => {
    const key = testKey('ed25519', 0)
    for (const message of [new Uint8Array(0), Uint8Array.of(0xc0, 0x80), new Uint8Array(65_536).fill(0x61)]) {
      expect(() => signIntent(intentOf(message), key)).toThrow(
        expect.objectContaining({ code: 'invalid_payload' }),
      )
    }
  })

  test('raw signs the bare bytes', () => {
    const message = messageBytes('Sign in to example.test', 'utf8')
    const answer = signIntent({ ...intentOf(message), scheme: 'raw' }, testKey('ed25519', 0))
    expect(answer.signed_payload).toBe(toHex0x(message))
  })

  test('the key pairs of the vectors have their addresses', () => {
    type Vectors = { keypairs: { secretKey_b64?: string; address: string }[] }
    const vectors = vectorJson<Vectors>('chains/solana_web3js_wire.json')
    for (const { secretKey_b64, address } of vectors?.keypairs ?? []) {
      if (secretKey_b64 === undefined) continue
      const publicKey = messageBytes(secretKey_b64, 'base64').slice(32)
      expect(walletAddresses('ed25519', publicKey)['solana']).toBe(address)
    }
  })
})
