import { createSecretKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jwkThumbprint } from '../jwk.ts'
import { FrameError, frame, frameSplitter } from './channel-frames.ts'
import {
  clientKeyBytes,
  decodeClientHello,
  decodeClientKey,
  decodeEnclaveHello,
  encodeClientHello,
  encodeEnclaveHello,
  helloBinding,
  helloNonce,
  helloTranscript,
} from './channel-handshake.ts'
import { type ApiKey, joinChannel, offerChannel } from './channel-keys.ts'
import { abandonMessage, beginMessage, eachMessage, endMessage } from './channel-messages.ts'
import { nodeRecordCipher, RecordError, recordOpener, recordSealer } from './channel-record.ts'
import { readU8, WireError, wireWriter, writeU8, writtenBytes } from './wire.ts'

const cipher = nodeRecordCipher(createSecretKey(randomBytes(32)))
const bytes = (...values: number[]) => Uint8Array.from(values)

const ringId = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'

test('frames come out whole however the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 })),
      fc.array(fc.integer({ min: 1, max: 40 })),
      (payloads, cuts) => {
        const stream = Buffer.concat(payloads.map((payload) => frame(payload)))
        const splitter = frameSplitter()
        const out: Buffer[] = []
        let at = 0
        for (let i = 0; at < stream.length; i++) {
          const length = cuts[i % Math.max(cuts.length, 1)] ?? 7
          splitter.push(stream.subarray(at, at + length))
          at += length
          for (let next = splitter.next(); next; next = splitter.next()) out.push(Buffer.from(next))
        }
        expect(out).toEqual(payloads.map((payload) => Buffer.from(payload)))
      },
    ),
  )
})

test('a frame of no bytes or of more than the limit is refused by its length alone', () => {
  for (const head of [bytes(0, 0, 0, 0), bytes(0, 16, 0, 1), bytes(255, 255, 255, 255)]) {
    const splitter = frameSplitter()
    splitter.push(head)
    expect(() => splitter.next()).toThrow(FrameError)
  }
  expect(() => frame(new Uint8Array(0))).toThrow(FrameError)
  expect(() => frame(new Uint8Array((1 << 20) + 1))).toThrow(FrameError)
})

test('records open in order, once, in their own direction and unchanged', () => {
  const seal = recordSealer(cipher, 'client to enclave')
  const first = seal(bytes(1, 2, 3)).subarray(4)
  const second = seal(bytes(1, 2, 3)).subarray(4)
  expect(first).not.toEqual(second)
  const opener = () => recordOpener(cipher, 'client to enclave')
  const open = opener()
  expect([...open(first)]).toEqual([1, 2, 3])
  expect([...open(second)]).toEqual([1, 2, 3])
  const replay = opener()
  replay(first)
  expect(() => replay(first)).toThrow(RecordError)
  expect(() => opener()(second)).toThrow(RecordError)
  expect(() => recordOpener(cipher, 'enclave to client')(first)).toThrow(RecordError)
  const stranger = nodeRecordCipher(createSecretKey(randomBytes(32)))
  expect(() => recordOpener(stranger, 'client to enclave')(first)).toThrow(RecordError)
  expect(() => opener()(first.subarray(0, 16))).toThrow(RecordError)
  for (let i = 0; i < first.length; i++) {
    const changed = Uint8Array.from(first)
    changed[i] = (changed[i] ?? 0) ^ 1
    expect(() => opener()(changed)).toThrow(RecordError)
  }
})

test('messages of one record keep their order, ids and bodies; an abandoned one leaves no trace', () => {
  const writer = wireWriter(8)
  for (const id of [7, 8, 0xffffffff]) {
    const at = beginMessage(writer, id, id & 0xff)
    for (let i = 0; i < 3; i++) writeU8(writer, i)
    endMessage(writer, at)
  }
  const at = beginMessage(writer, 1, 1)
  writeU8(writer, 99)
  abandonMessage(writer, at)
  const seen: [number, number, number][] = []
  eachMessage(writtenBytes(writer), (id, code, body) => seen.push([id, code, readU8(body)]))
  expect(seen).toEqual([
    [7, 7, 0],
    [8, 8, 0],
    [0xffffffff, 255, 0],
  ])
  expect(writer.bytes.subarray(writer.offset).includes(99)).toBe(false)
})

test('a record whose message lengths do not add up is refused', () => {
  const visit = () => {}
  expect(() => eachMessage(bytes(0, 0, 0, 4, 0, 0, 0, 1, 1), visit)).toThrow(WireError)
  expect(() => eachMessage(bytes(0, 0, 0, 6, 0, 0, 0, 1, 1), visit)).toThrow(WireError)
  expect(() => eachMessage(bytes(0, 0, 0, 5, 0, 0, 0, 1, 1, 0), visit)).toThrow(WireError)
  expect(() => eachMessage(bytes(0, 0), visit)).toThrow(WireError)
})

const apiKey = (): ApiKey => generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' }) as ApiKey
const publicBytes = ({ x }: ApiKey): Uint8Array => Buffer.from(x, 'base64url')
const hello = { phase: 'serving' as const, ringId, keyVersionA: 1, nonces: [randomBytes(32)] }

/** One handshake up to its third frame. */
async function greeted(own = apiKey()) {
  const offer = await offerChannel()
  const clientHello = encodeClientHello(randomBytes(32))
  const transcript = helloTranscript(clientHello, encodeEnclaveHello({ ...hello, document: bytes(1) }))
  const { frame: clientKey, keys } = await joinChannel(offer.publicKey, transcript, own)
  return { own, offer, clientHello, transcript, clientKey, keys }
}

test('both sides agree on keys, and the frame names the key by its thumbprint', async () => {
  const { own, offer, transcript, clientKey, keys } = await greeted()
  expect(clientKey).toHaveLength(clientKeyBytes)
  const read = decodeClientKey(clientKey)
  expect(Buffer.from(read.thumbprint).toString('base64url')).toBe(jwkThumbprint(own))
  const same = await offer.accept(read, transcript, publicBytes(own))
  expect(same).toEqual(keys)
  expect(same.clientToEnclave).not.toEqual(same.enclaveToClient)
  for (const length of [0, clientKeyBytes - 1, clientKeyBytes + 1])
    expect(() => decodeClientKey(new Uint8Array(length))).toThrow(WireError)
})

test('nothing but the named key over this very transcript is accepted', async () => {
  const { own, offer, clientHello, transcript, clientKey } = await greeted()
  const read = decodeClientKey(clientKey)
  const refused = async (
    frame: Parameters<typeof offer.accept>[0],
    overTranscript = transcript,
    sender = publicBytes(own),
  ) => expect(await offer.accept(frame, overTranscript, sender).catch((error) => error)).toBeInstanceOf(Error)
  await refused(read, transcript, publicBytes(apiKey()))
  const sealed = encodeEnclaveHello({ ...hello, phase: 'sealed', document: bytes(1) })
  await refused(read, helloTranscript(clientHello, sealed))
  await refused(read, helloTranscript(encodeClientHello(randomBytes(32)), sealed))
  const stranger = await offerChannel()
  await expect(stranger.accept(read, transcript, publicBytes(own))).rejects.toThrow(WireError)
  for (let i = 0; i < 48; i++) {
    const part = i < 32 ? 'encapsulated' : 'proof'
    const changed = Uint8Array.from(read[part])
    changed[i % 32] = (changed[i % 32] ?? 0) ^ 1
    await refused({ ...read, [part]: changed })
  }
})

test('who has no key cannot join in base mode, whatever key it names', async () => {
  const { own, offer, transcript } = await greeted()
  const suite = new CipherSuite({
    kem: new DhkemX25519HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes256Gcm(),
  })
  const context = await suite.createSenderContext({
    recipientPublicKey: await suite.kem.deserializePublicKey(offer.publicKey),
    info: Buffer.concat([Buffer.from('symbolon enclave channel v3'), transcript]),
  })
  const proof = new Uint8Array(await context.seal(new ArrayBuffer(0)))
  const frame = { encapsulated: new Uint8Array(context.enc), proof }
  await expect(offer.accept(frame, transcript, publicBytes(own))).rejects.toThrow(WireError)
})

test('a document for many nonces commits to all of them and their order', () => {
  const [a, b] = [randomBytes(32), randomBytes(32)]
  const nonces = [[a], [b], [a, b], [b, a], [a, b, b]].map((list) =>
    Buffer.from(helloNonce(list)).toString('hex'),
  )
  expect(new Set(nonces).size).toBe(5)
})

test('hellos of another version, length or phase are refused', () => {
  const client = encodeClientHello(randomBytes(32))
  expect(decodeClientHello(client).nonce).toHaveLength(32)
  expect(() => decodeClientHello(client.subarray(1))).toThrow(WireError)
  expect(() => decodeClientHello(Buffer.concat([client, bytes(0)]))).toThrow(WireError)
  expect(() => decodeClientHello(Uint8Array.from(client, (byte, i) => (i === 0 ? 1 : byte)))).toThrow(
    WireError,
  )
  const said = { ...hello, nonces: [new Uint8Array(32), new Uint8Array(32).fill(1)], document: bytes(1, 2) }
  const enclave = encodeEnclaveHello(said)
  expect(decodeEnclaveHello(enclave)).toEqual(said)
  for (const count of [0, 65])
    expect(() =>
      decodeEnclaveHello(encodeEnclaveHello({ ...said, nonces: Array(count).fill(new Uint8Array(32)) })),
    ).toThrow(WireError)
  expect(() => decodeEnclaveHello(enclave.subarray(0, -1))).toThrow(WireError)
  expect(() => decodeEnclaveHello(Buffer.concat([enclave, bytes(0)]))).toThrow(WireError)
  expect(() => decodeEnclaveHello(Uint8Array.from(enclave, (byte, i) => (i === 1 ? 9 : byte)))).toThrow(
    WireError,
  )
})

test('the binding differs for every phase, ring and key version', () => {
  const phases = ['boot', 'attested', 'serving', 'sealed'] as const
  const bindings = phases.flatMap((phase) =>
    [1, 2].flatMap((keyVersionA) =>
      [null, ringId, 'other'].map((id) => helloBinding({ phase, ringId: id, keyVersionA })),
    ),
  )
  expect(new Set(bindings.map((binding) => Buffer.from(binding).toString('hex'))).size).toBe(24)
})
