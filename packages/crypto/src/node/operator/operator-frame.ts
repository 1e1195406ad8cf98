import { createECDH, type KeyObject } from 'node:crypto'
import { base64UrlBytes } from '../../base64.ts'
import { jwkThumbprint, type PublicJwk } from '../../jwk.ts'
import { aeadCipher } from '../aead-cipher.ts'
import { gcmOpen, gcmOverhead, gcmSeal } from '../aes-gcm.ts'
import { type AuthContext, type HpkeRecipient, hpkeAuthSender, p256PointBytes } from '../hpke-p256.ts'
import { exportedSecret } from '../hpke-schedule.ts'
import { decryptUnseen } from '../unseen-aead.ts'

/** The longest frame of the operators' channel, in bytes. */
export const operatorFrameBytesMax: number = 64 << 10

/** A frame of the operators' channel that is not one, or does not open: `malformed` by its form, `refused` for whoever made it. */
export class OperatorFrameError extends Error {
  override readonly name = 'OperatorFrameError'
  readonly code: 'malformed' | 'refused'

  constructor(code: 'malformed' | 'refused') {
    super(code === 'malformed' ? 'This is not a frame of an operator.' : 'The frame does not open.')
    this.code = code
  }
}

// A text of its own: what is sealed for another purpose to the same key does not open as a frame, nor a frame as that.
const info = Buffer.from('symbolon enclave operator v1')
const answerPurpose = 'symbolon enclave operator v1: answer'
const formatVersion = 1
const kidBytes = 32
const tagBytes = 16
const headBytes = 1 + kidBytes
const plaintextStart = headBytes + p256PointBytes
const aead = 'aes-256-gcm'
const none = new Uint8Array(0)

/** A frame on its way to the enclave, and the opener of its answer, which throws `OperatorFrameError`. */
export type SealedOperatorFrame = { frame: Uint8Array; openAnswer(answer: Uint8Array): Uint8Array }

/**
 * Seals a message by an operator's private key on P-256 to the enclave's key (65 bytes, uncompressed), in HPKE's auth mode (RFC 9180): the frame opens for
 * that enclave alone, and is that operator's alone. Throws `HpkeError` where the enclave's key is none.
 */
export function sealOperatorFrame(
  message: Uint8Array,
  operator: KeyObject,
  enclaveKey: Uint8Array,
): SealedOperatorFrame {
  const jwk = operator.export({ format: 'jwk' })
  const own = createECDH('prime256v1')
  own.setPrivateKey(Buffer.from(jwk.d ?? '', 'base64url'))
  const head = Buffer.concat([
    Buffer.of(formatVersion),
    base64UrlBytes(jwkThumbprint(jwk as PublicJwk)) ?? none,
  ])
  const { enc, context } = hpkeAuthSender(own, enclaveKey, info)
  const cipher = aeadCipher(aead, context.key, context.nonce).setAAD(head)
  const ciphertext = Buffer.concat([cipher.update(message), cipher.final(), cipher.getAuthTag()])
  const answerKey = answerKeyOf(context)
  return {
    frame: Buffer.concat([head, enc, ciphertext]),
    openAnswer: (answer) => openAnswer(answerKey, answer),
  }
}

/** A frame that an operator sealed, and the sealer of its answer. */
export type OpenOperatorFrame = { message: Uint8Array; sealAnswer(answer: Uint8Array): Uint8Array }

/** Opens a frame that one of these operators sealed to the holder of `own`. Throws `OperatorFrameError`. */
export function openOperatorFrame(
  frame: Uint8Array,
  own: HpkeRecipient,
  operators: readonly PublicJwk[],
): OpenOperatorFrame {
  const { length } = frame
  if (length < plaintextStart + tagBytes || length > operatorFrameBytesMax || frame[0] !== formatVersion)
    throw new OperatorFrameError('malformed')
  const kid = Buffer.from(frame.subarray(1, headBytes)).toString('base64url')
  const operator = operators.find((jwk) => jwkThumbprint(jwk) === kid)
  const context =
    operator && own.authContext(frame.subarray(headBytes, plaintextStart), pointOf(operator), info)
  if (context === undefined) throw new OperatorFrameError('refused')
  const message = new Uint8Array(length - plaintextStart - tagBytes)
  const [body, tag] = [frame.subarray(plaintextStart, length - tagBytes), frame.subarray(length - tagBytes)]
  const head = frame.subarray(0, headBytes)
  const isOpen = decryptUnseen(aead, context.key, context.nonce, body, tag, head, message)
  const answerKey = answerKeyOf(context)
  if (!isOpen) throw new OperatorFrameError('refused')
  // A frame that is sent again has the same key: each answer takes an iv of its own.
  return { message, sealAnswer: (answer) => gcmSeal(answerKey, answer, none) }
}

function answerKeyOf(context: AuthContext): Uint8Array {
  const key = exportedSecret(context, answerPurpose)
  context.key.fill(0)
  context.exporter.fill(0)
  return key
}

function openAnswer(key: Uint8Array, answer: Uint8Array): Uint8Array {
  try {
    return gcmOpen(key, answer, none, new Uint8Array(Math.max(0, answer.length - gcmOverhead)))
  } catch {
    throw new OperatorFrameError('refused')
  }
}

/** The uncompressed point (65 bytes) of a public key on P-256. */
export const pointOf = ({ x, y = '' }: PublicJwk): Uint8Array =>
  Buffer.concat([Buffer.of(4), ...[x, y].map((part) => Buffer.from(part, 'base64url'))])
