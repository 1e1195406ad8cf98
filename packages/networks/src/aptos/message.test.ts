import { Account, Ed25519PrivateKey, Ed25519PublicKey, Ed25519Signature } from '@aptos-labs/ts-sdk'
import { describe, expect, test } from 'vitest'
import { toHex0x } from '../codec/hex.ts'
import { messageBytes } from '../intent/message-bytes.ts'
import { completeIntent, walletAddresses } from '../testing/by-intent.ts'
import { signIntent, testKey, testKeys } from '../testing/oracle-signer.ts'
import { sampleText } from '../testing/sample-messages.ts'
import { vectorJson } from '../testing/vectors.ts'

describe('aptos', () => {
  test('an address is that of a legacy account of the SDK', () => {
    for (const { privateKey, publicKey } of testKeys('ed25519', 100)) {
      const account = Account.fromPrivateKey({
        privateKey: new Ed25519PrivateKey(toHex0x(privateKey), false),
        legacy: true,
      })
      expect(walletAddresses('ed25519', publicKey)['aptos']).toBe(account.accountAddress.toStringLong())
    }
  })

  test('a signed message passes the SDK over the full message of the wallet standard', () => {
    for (const [index, key] of testKeys('ed25519', 100).entries()) {
      const text = sampleText(index)
      const nonce = `nonce-${index}`
      const message = messageBytes(text, 'utf8')
      const answer = signIntent({ kind: 'message', network: 'aptos', chain: 'aptos', message, nonce }, key)
      const full = `APTOS\nmessage: ${text}\nnonce: ${nonce}`
      expect(answer).toMatchObject({ full_message: full, nonce })
      const official = new Ed25519PublicKey(key.publicKey)
      const signature = new Ed25519Signature(answer.signature)
      expect(official.verifySignature({ message: messageBytes(full, 'utf8'), signature })).toBe(true)
    }
  })

  test('a message without nonce is completed with a fresh one', () => {
    const key = testKey('ed25519', 0)
    const bare = {
      kind: 'message',
      network: 'aptos',
      chain: 'aptos',
      message: messageBytes('hi', 'utf8'),
    } as const
    const nonces = [1, 2].map((byte) => {
      const intent = completeIntent(bare, key.publicKey, (length) => new Uint8Array(length).fill(byte))
      return signIntent(intent, key).nonce
    })
    expect(nonces[0]).toHaveLength(22)
    expect(nonces[0]).not.toBe(nonces[1])
  })

  test('the addresses of the vectors are reproduced', () => {
    type Vectors = { legacy_ed25519: { publicKey: string; authKey_address: string }[] }
    const vectors = vectorJson<Vectors>('chains/aptos_ts_sdk.json')
    for (const { publicKey, authKey_address } of vectors?.legacy_ed25519 ?? []) {
      expect(walletAddresses('ed25519', messageBytes(publicKey, 'hex'))['aptos']).toBe(authKey_address)
    }
    expect(vectors?.legacy_ed25519.length).not.toBe(0)
  })
})
