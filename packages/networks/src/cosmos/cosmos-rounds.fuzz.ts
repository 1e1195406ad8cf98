import { isDeepStrictEqual } from 'node:util'
import { AuthInfo, SignDoc, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import fc from 'fast-check'
import { expect } from 'vitest'
import { toHex } from '../codec/hex.ts'
import { NetworkError } from '../network-error.ts'
import { preview, signingDigest } from '../testing/by-intent.ts'
import { mutated } from '../testing/mutated.fuzz.ts'
import { testKey } from '../testing/oracle-signer.ts'
import { randomAmino } from '../testing/random-amino.fuzz.ts'
import { messageClasses, randomCosmos } from '../testing/random-cosmos.fuzz.ts'
import { accountAddress } from './address.ts'

const { publicKey } = testKey('secp256k1', 1)
const own = accountAddress('cosmos', publicKey)
const documents = randomCosmos(publicKey, own, 'cosmos', 'cosmoshub-4').map(({ bytes }) => bytes)
const aminoDocuments = randomAmino(own, 'cosmos', 'cosmoshub-4').map(({ bytes }) => bytes)

/** Random and mutated SignDocs are refused with `NetworkError`, or are what cosmjs writes again after reading them. */
export function directRounds(numRuns: number): void {
  rounds(documents, undefined, numRuns, (bytes, methods) => {
    const { bodyBytes, authInfoBytes } = SignDoc.decode(bytes)
    const { messages } = TxBody.decode(bodyBytes)
    expectRewritten(SignDoc, bytes)
    expectRewritten(TxBody, bodyBytes)
    expectRewritten(AuthInfo, authInfoBytes)
    for (const { typeUrl, value } of messages) {
      const type = messageClasses.get(typeUrl)
      if (type && !methods.includes(typeUrl)) expectRewritten(type, value)
    }
    return messages.length
  })
}

type MessageClass<message> = {
  decode(bytes: Uint8Array): message
  encode(message: message): { finish(): Uint8Array }
}

/** cosmjs writes what it read as it was, but for some numbers from 2^31 that it writes so that it cannot read them. */
function expectRewritten<message>(type: MessageClass<message>, bytes: Uint8Array): void {
  const message = type.decode(bytes)
  const written = type.encode(message).finish()
  if (isReadAs(type, written, message)) expect(toHex(written)).toBe(toHex(bytes))
}

function isReadAs<message>(type: MessageClass<message>, bytes: Uint8Array, message: message): boolean {
  try {
    return isDeepStrictEqual(type.decode(bytes), message)
  } catch {
    return false
  }
}

/** Random and mutated amino documents are refused with `NetworkError`, or are canonical JSON. */
export function aminoRounds(numRuns: number): void {
  rounds(aminoDocuments, 'amino_json', numRuns, (bytes) => {
    const { msgs } = JSON.parse(new TextDecoder().decode(bytes)) as { msgs: unknown[] }
    return msgs.length
  })
}

function rounds(
  valid: fc.Arbitrary<Uint8Array>,
  signMode: 'amino_json' | undefined,
  numRuns: number,
  countMessages: (bytes: Uint8Array, methods: readonly (string | null)[]) => number,
): void {
  const given = fc.oneof({ arbitrary: mutated(valid), weight: 9 }, fc.uint8Array({ maxLength: 300 }))
  let decoded = 0
  fc.assert(
    fc.property(given, (bytes) => {
      const mode = signMode && { signMode }
      const intent = { kind: 'transaction', network: 'cosmos', chain: 'cosmoshub', bytes, ...mode } as const
      let actions: { method: string | null }[]
      try {
        actions = preview(intent, 'secp256k1', publicKey).actions
      } catch (error) {
        expect(error).toBeInstanceOf(NetworkError)
        expect((error as NetworkError).code).toBe('invalid_payload')
        expect(() => signingDigest(intent, 'secp256k1', publicKey)).toThrow(NetworkError)
        return
      }
      decoded++
      signingDigest(intent, 'secp256k1', publicKey)
      expect(actions.length).toBeGreaterThanOrEqual(
        countMessages(
          bytes,
          actions.map(({ method }) => method),
        ),
      )
    }),
    { numRuns },
  )
  // About one in twenty is: the property would hold of a decoder that refuses everything.
  expect(decoded).toBeGreaterThan(0)
}
