import { createSecretKey, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FrameError, frame, frameSplitter } from './channel-frames.ts'
import {
  decodeClientHello,
  decodeEnclaveHello,
  encodeClientHello,
  encodeEnclaveHello,
  helloBinding,
  helloTranscript,
  joinChannel,
  offerChannel,
} from './channel-handshake.ts'
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

test('both sides agree on keys only over the same two hellos', async () => {
  const offer = await offerChannel()
  const clientHello = encodeClientHello(randomBytes(32))
  const enclaveHello = encodeEnclaveHello({ phase: 'serving', ringId, keyVersionA: 1, document: bytes(1) })
  const transcript = helloTranscript(clientHello, enclaveHello)
  const { encapsulated, keys } = await joinChannel(offer.publicKey, transcript)
  const same = await offer.accept(encapsulated, transcript)
  expect(same.clientToEnclave).toEqual(keys.clientToEnclave)
  expect(same.enclaveToClient).toEqual(keys.enclaveToClient)
  expect(same.clientToEnclave).not.toEqual(same.enclaveToClient)
  const changed = encodeEnclaveHello({ phase: 'sealed', ringId, keyVersionA: 1, document: bytes(1) })
  const other = await offer.accept(encapsulated, helloTranscript(clientHello, changed))
  expect(other.clientToEnclave).not.toEqual(keys.clientToEnclave)
  const stranger = await offerChannel()
  const wrong = await stranger.accept(encapsulated, transcript)
  expect(wrong.clientToEnclave).not.toEqual(keys.clientToEnclave)
  await expect(offer.accept(encapsulated.subarray(1), transcript)).rejects.toThrow(WireError)
})

test('hellos of another version, length or phase are refused', () => {
  const client = encodeClientHello(randomBytes(32))
  expect(decodeClientHello(client).nonce).toHaveLength(32)
  expect(() => decodeClientHello(client.subarray(1))).toThrow(WireError)
  expect(() => decodeClientHello(Buffer.concat([client, bytes(0)]))).toThrow(WireError)
  expect(() => decodeClientHello(Uint8Array.from(client, (byte, i) => (i === 0 ? 1 : byte)))).toThrow(
    WireError,
  )
  const hello = { phase: 'serving' as const, ringId, keyVersionA: 3, document: bytes(1, 2) }
  const enclave = encodeEnclaveHello(hello)
  expect(decodeEnclaveHello(enclave)).toEqual({ ...hello, document: bytes(1, 2) })
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
