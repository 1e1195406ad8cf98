import { Ed25519PublicKey, Ed25519Signature } from '@aptos-labs/ts-sdk'
import { makeSignDoc, serializeSignDoc } from '@cosmjs/amino'
import { Secp256k1, Secp256k1Signature } from '@cosmjs/crypto'
import { PublicKey } from '@near-js/crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import { base58, base64 } from '@scure/base'
import {
  compileOffchainMessageV0Envelope,
  offchainMessageApplicationDomain,
  offchainMessageContentRestrictedAsciiOf1232BytesMax,
  type SignatureBytes,
  address as toAddress,
  verifyOffchainMessageEnvelope,
} from '@solana/kit'
import { Keypair } from '@stellar/stellar-base'
import type { NetworkName, SignResponse } from '@symbolon/api'
import { Verifier } from 'bip322-js'
import { utils } from 'tronweb'
import { verifyMessage } from 'viem'

type Verify = (text: string, answer: SignResponse) => boolean | Promise<boolean>

const bytes = (hex: string | undefined) => Uint8Array.from(Buffer.from(hex?.slice(2) ?? '', 'hex'))
const utf8 = (text: string) => new TextEncoder().encode(text)

/** Whether a signed text (printable ASCII) passes the network's own library, which knows nothing of our code. */
export const verifyTextOf: Record<NetworkName, Verify> = {
  evm: (message, { address, signature }) =>
    verifyMessage({ address: address as `0x${string}`, message, signature: signature as `0x${string}` }),

  bitcoin: (text, { address, signature }) => Verifier.verifySignature(address, text, signature ?? ''),

  tron: (text, { address, signature }) => utils.message.verifyMessage(text, signature ?? '') === address,

  cosmos: (text, { address, signature, public_key }) => {
    const fee = { gas: '0', amount: [] }
    const value = { signer: address, data: base64.encode(utf8(text)) }
    const document = serializeSignDoc(makeSignDoc([{ type: 'sign/MsgSignData', value }], fee, '', '', 0, 0))
    const compact = Secp256k1Signature.fromFixedLength(bytes(signature))
    return Secp256k1.verifySignature(compact, sha256(document), bytes(public_key))
  },

  solana: async (text, { address, signature_base58 }) => {
    const signer = toAddress(address)
    const envelope = compileOffchainMessageV0Envelope({
      version: 0,
      applicationDomain: offchainMessageApplicationDomain(base58.encode(new Uint8Array(32))),
      content: offchainMessageContentRestrictedAsciiOf1232BytesMax(text),
      requiredSignatories: [{ address: signer }],
    })
    const signature = base58.decode(signature_base58 ?? '') as SignatureBytes
    try {
      await verifyOffchainMessageEnvelope({ ...envelope, signatures: { [signer]: signature } })
      return true
    } catch {
      return false
    }
  },

  near: (text, { signature, public_key, nonce, recipient }) => {
    const key = PublicKey.fromString(`ed25519:${base58.encode(bytes(public_key))}`)
    return key.verify(
      sha256(nearPayload(text, base64.decode(nonce ?? ''), recipient ?? '')),
      bytes(signature),
    )
  },

  aptos: (text, { signature, public_key, nonce, full_message }) => {
    const full = `APTOS\nmessage: ${text}\nnonce: ${nonce}`
    const given = new Ed25519Signature(signature ?? '')
    return (
      full === full_message &&
      new Ed25519PublicKey(public_key).verifySignature({ message: utf8(full), signature: given })
    )
  },

  stellar: (text, { address, signature }) =>
    Keypair.fromPublicKey(address).verify(
      Buffer.from(sha256(utf8(`Stellar Signed Message:\n${text}`))),
      Buffer.from(bytes(signature)),
    ),
}

/** NEP-413: the tag 2^31 + 413, then message, nonce and recipient in borsh, and no callback. */
function nearPayload(text: string, nonce: Uint8Array, recipient: string): Uint8Array {
  const sized = (value: string) => {
    const encoded = Buffer.from(value)
    const length = Buffer.alloc(4)
    length.writeUInt32LE(encoded.length)
    return Buffer.concat([length, encoded])
  }
  const tag = Buffer.alloc(4)
  tag.writeUInt32LE(2 ** 31 + 413)
  return Buffer.concat([tag, sized(text), nonce, sized(recipient), Buffer.of(0)])
}
