import { createECDH, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { jwkThumbprint, type PublicJwk } from '../../jwk.ts'
import { keyTransferInfo } from '../../key-transfer.ts'
import { aeadCipher } from '../aead-cipher.ts'
import { hpkeAuthSender, hpkeRecipient } from '../hpke-p256.ts'
import { openOperatorFrame, sealOperatorFrame } from './operator-frame.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = publicKey.export({ format: 'jwk' }) as PublicJwk
const enclave = hpkeRecipient()
const message = Buffer.from('{"ask":"state"}')

/** A frame as this operator makes it, for a purpose of another name. */
function frameFor(info: Uint8Array): Uint8Array {
  const own = createECDH('prime256v1')
  own.setPrivateKey(Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url'))
  const head = Buffer.concat([Buffer.of(1), Buffer.from(jwkThumbprint(jwk), 'base64url')])
  const { enc, context } = hpkeAuthSender(own, enclave.publicKey, info)
  const cipher = aeadCipher('aes-256-gcm', context.key, context.nonce).setAAD(head)
  return Buffer.concat([head, enc, cipher.update(message), cipher.final(), cipher.getAuthTag()])
}

test('a frame opens for its purpose alone, whatever else the same keys are for', () => {
  const own = frameFor(Buffer.from('symbolon enclave operator v1'))
  expect(Buffer.from(openOperatorFrame(own, enclave, [jwk]).message)).toEqual(message)
  for (const info of [keyTransferInfo.import, keyTransferInfo.export])
    expect(() => openOperatorFrame(frameFor(Buffer.from(info)), enclave, [jwk])).toThrow('does not open')
})

test('each frame and each answer is new, though they say the same', () => {
  const [one, other] = [0, 1].map(() => sealOperatorFrame(message, privateKey, enclave.publicKey))
  if (one === undefined || other === undefined) throw new Error('no frames')
  expect(one.frame).not.toEqual(other.frame)
  const { sealAnswer } = openOperatorFrame(one.frame, enclave, [jwk])
  const answer = sealAnswer(message)
  expect(sealAnswer(message)).not.toEqual(answer)
  expect(Buffer.from(one.openAnswer(answer))).toEqual(message)
  expect(() => other.openAnswer(answer)).toThrow('does not open')
})
