import { encodeSecp256k1Pubkey, makeSignDoc, pubkeyToAddress, serializeSignDoc } from '@cosmjs/amino'
import { Secp256k1, Secp256k1Signature, sha256 } from '@cosmjs/crypto'
import { base64 } from '@scure/base'
import { describe, expect, test } from 'vitest'
import { toHex0x } from '../codec/hex.ts'
import { messageBytes } from '../intent/message-bytes.ts'
import { walletAddresses } from '../testing/by-intent.ts'
import { signIntent, testKeys } from '../testing/oracle-signer.ts'
import { sampleText } from '../testing/sample-messages.ts'
import { vectorJson } from '../testing/vectors.ts'

/** The document of ADR-036 as cosmjs serializes it. */
function document(signer: string, message: Uint8Array): Uint8Array {
  const data = base64.encode(message)
  const fee = { gas: '0', amount: [] }
  return serializeSignDoc(
    makeSignDoc([{ type: 'sign/MsgSignData', value: { signer, data } }], fee, '', '', 0, 0),
  )
}

describe('cosmos', () => {
  test('addresses are those of cosmjs', () => {
    for (const { publicKey } of testKeys('secp256k1', 120)) {
      const addresses = walletAddresses('secp256k1', publicKey)
      expect(addresses['cosmos']).toBe(pubkeyToAddress(encodeSecp256k1Pubkey(publicKey), 'cosmos'))
      expect(addresses['osmosis']).toBe(pubkeyToAddress(encodeSecp256k1Pubkey(publicKey), 'osmo'))
    }
  })

  test('a signed message passes cosmjs over its own ADR-036 document', async () => {
    for (const [index, key] of testKeys('secp256k1', 100).entries()) {
      const chain = index % 2 === 0 ? 'cosmoshub' : 'osmosis'
      const message = messageBytes(sampleText(index), 'utf8')
      const { address, signature, signed_payload } = signIntent(
        { kind: 'message', network: 'cosmos', chain, message },
        key,
      )
      const expected = document(address, message)
      expect(address.startsWith(chain === 'osmosis' ? 'osmo1' : 'cosmos1')).toBe(true)
      expect(signed_payload).toBe(toHex0x(expected))
      const compact = Secp256k1Signature.fromFixedLength(messageBytes(signature, 'hex'))
      expect(await Secp256k1.verifySignature(compact, sha256(expected), key.publicKey)).toBe(true)
    }
  })

  test('the address of the cosmjs faucet is reproduced', () => {
    type Vectors = { faucet: { pubkey: { value: string }; address: string } }
    const vectors = vectorJson<Vectors>('chains/cosmos_direct_sign.json')
    if (!vectors) return
    const publicKey = base64.decode(vectors.faucet.pubkey.value)
    expect(walletAddresses('secp256k1', publicKey)['cosmos']).toBe(vectors.faucet.address)
  })
})
