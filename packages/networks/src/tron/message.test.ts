import { secp256k1 } from '@noble/curves/secp256k1.js'
import { TronWeb, utils } from 'tronweb'
import { describe, expect, test } from 'vitest'
import { toHex, toHex0x } from '../codec/hex.ts'
import { messageBytes } from '../intent/message-bytes.ts'
import { signingDigest, walletAddresses } from '../testing/by-intent.ts'
import { signIntent, testKeys } from '../testing/oracle-signer.ts'
import { sampleText } from '../testing/sample-messages.ts'
import { vectorJson } from '../testing/vectors.ts'

const intentOf = (message: Uint8Array) =>
  ({ kind: 'message', network: 'tron', chain: 'tron', message }) as const

describe('tron', () => {
  test('an address is the one tronweb derives', () => {
    for (const { privateKey, publicKey } of testKeys('secp256k1', 120)) {
      expect(walletAddresses('secp256k1', publicKey)['tron']).toBe(
        TronWeb.address.fromPrivateKey(toHex(privateKey)),
      )
    }
  })

  test('a signed message passes verifyMessageV2 of tronweb', () => {
    for (const [index, key] of testKeys('secp256k1', 40).entries()) {
      const text = sampleText(index)
      const { address, signature } = signIntent(intentOf(messageBytes(text, 'utf8')), key)
      expect(utils.message.verifyMessage(text, signature)).toBe(address)
    }
  })

  test('the vectors of tronweb are reproduced', () => {
    type Case = {
      address: string
      message_utf8?: string
      message_hex?: string
      messageHash: string
      privateKey: string
      signature: string
    }
    const cases = vectorJson<Case[]>('chains/tronweb_sign_message.json')
    for (const { address, message_utf8, message_hex, messageHash, privateKey, signature } of cases ?? []) {
      const key = messageBytes(`0x${privateKey}`, 'hex')
      const publicKey = secp256k1.getPublicKey(key, true)
      const intent = intentOf(
        message_hex === undefined
          ? messageBytes(message_utf8 ?? '', 'utf8')
          : messageBytes(message_hex, 'hex'),
      )
      expect(toHex0x(signingDigest(intent, 'secp256k1', publicKey))).toBe(messageHash)
      const answer = signIntent(intent, { curve: 'secp256k1', privateKey: key, publicKey })
      expect(answer).toMatchObject({ address, signature })
    }
    expect(cases?.length).not.toBe(0)
  })
})
