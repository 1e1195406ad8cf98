import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { EnclaveKey } from '@symbolon/crypto/attestation'
import {
  beginMessage,
  eachMessage,
  enclaveStatuses,
  endMessage,
  formatOperatorMessage,
  giveOrder,
  nextManifest,
  type OperatedEnclave,
  type OperatorOrderName,
  operatedEnclave,
  operatorFrameBytesMax,
  sealOperatorFrame,
  wireWriter,
  writeOperatorFrame,
  writtenBytes,
} from '@symbolon/crypto/node'
import { addManifest, openManifestFile } from '@symbolon/enclave/manifest-file'
import { enclaveSocket, openEnclaveChannel } from '@symbolon/server/testing/adapters'
import { makeTenant, makeWalletFor, startTestApp, type Tenant, type TestApp } from '@symbolon/testing/app'
import { testManifestContent, testOperator } from '@symbolon/testing/enclave'
import { afterEach, beforeEach, expect, test } from 'vitest'

let app: TestApp
let tenant: Tenant
let walletId: string
let target: OperatedEnclave

beforeEach(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
  ;({ id: walletId } = await makeWalletFor(app, tenant, 'secp256k1'))
  target = await attested()
})
afterEach(() => app.stop())

/** What the running enclave attests, to this test's trust in its own machine. */
async function attested(): Promise<OperatedEnclave> {
  const { data } = await app.call('GET', `/v1/attestation?nonce=${'A'.repeat(43)}`)
  const found = operatedEnclave(data as { ring_id: string; keys: EnclaveKey[] })
  if (found === undefined) throw new Error('The enclave attests no keys.')
  return found
}

const post = (frame: string) => app.call('POST', '/v1/enclave/operator', { json: { frame } })
const base64Url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

/** A frame goes by HTTP; what it is refused with is the error's message. */
async function send(frame: Uint8Array): Promise<Uint8Array> {
  const { status, data, text } = await post(base64Url(frame))
  if (status !== 200) throw new Error(`${status} ${JSON.parse(text).error.code}`)
  return Buffer.from(String(data['frame']), 'base64url')
}

const order = (name: OperatorOrderName, by: KeyObject = app.enclaveProcess.operator) =>
  giveOrder(send, target, () => ({ order: name }), [by])
const sign = () =>
  app.call('POST', '/v1/s2s/sign', {
    sk: tenant.sk,
    json: { wallet_id: walletId, type: 'message', message: 'hello' },
  })

test('an operator rotates the ring through an API host, which records the version, and wallets go on signing', async () => {
  expect(await order('rotate')).toEqual({ ring_id: target.ringId, version: 2 })
  const versions = () => app.sql`select version, state from enclave_ring_versions order by version`
  expect(await versions()).toEqual([
    { version: 1, state: 'retired' },
    { version: 2, state: 'current' },
  ])
  expect(await order('rotate')).toMatchObject({ version: 3 })
  expect((await sign()).status).toBe(200)
  expect((await app.call('GET', '/v1/ready')).status).toBe(200)
})

test('an operator seals the enclave through an API host, and nothing is signed until another is started', async () => {
  expect(await order('seal')).toEqual({ ring_id: target.ringId, phase: 'sealed' })
  expect((await sign()).status).toBe(503)
  await expect(order('seal')).rejects.toThrow('503 unavailable')
  // A new process has its keys again, and takes no order for the one before.
  process.kill(app.enclaveProcess.supervisor.pid() ?? 0, 'SIGKILL')
  await expect.poll(async () => (await sign()).status, { timeout: 20_000 }).toBe(200)
  await expect(order('rotate')).rejects.toThrow('403 forbidden')
  target = await attested()
  expect(await order('rotate')).toMatchObject({ version: 2 })
}, 60_000)

test('a frame that came before, a stranger’s and garbage are refused, and change nothing', async () => {
  const frames: Uint8Array[] = []
  const kept = (frame: Uint8Array) => {
    frames.push(frame)
    return send(frame)
  }
  await giveOrder(kept, target, () => ({ order: 'rotate' }), [app.enclaveProcess.operator])
  const [, ordered] = frames
  if (ordered === undefined) throw new Error('no order')
  for (let i = 0; i < 3; i++) await expect(send(ordered)).rejects.toThrow('403 forbidden')
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  await expect(order('rotate', stranger)).rejects.toThrow('403 forbidden')
  await expect(send(ordered.map((byte, i) => (i === 150 ? byte ^ 1 : byte)))).rejects.toThrow('403 forbidden')
  expect((await post('not base64url!')).status).toBe(400)
  expect((await post('AAAA')).status).toBe(400)
  expect((await post(base64Url(Buffer.alloc(operatorFrameBytesMax)))).status).toBe(400)
  expect((await post(base64Url(Buffer.alloc(operatorFrameBytesMax + 1)))).status).toBe(400)
  expect((await app.call('GET', '/v1/ready')).status).toBe(200)
  const [row] = await app.sql`select max(version) as version from enclave_ring_versions`
  expect(row).toEqual({ version: 2 })
})

test('an operator whom the manifest no longer names orders nothing', async () => {
  const { ringPath, operator } = app.enclaveProcess
  const manifest = openManifestFile(ringPath)
  const next = testOperator()
  const content = testManifestContent([...manifest.api_keys], [next.jwk])
  addManifest(ringPath, nextManifest(manifest, content, [operator]))
  await expect
    .poll(() => order('rotate').catch(String), { timeout: 20_000, interval: 1_000 })
    .toBe('Error: 403 forbidden')
  const version = (await order('rotate', next.operator))?.['version']
  expect(version).toBeGreaterThan(1)
}, 60_000)

test('the key of the API alone neither rotates nor seals, by whatever it sends', async () => {
  const { client, operator } = app.enclaveProcess
  const answerTo = async (code: number, body: (writer: ReturnType<typeof wireWriter>) => void) => {
    const channel = await openEnclaveChannel(client)
    const request = wireWriter(1 << 10)
    const start = beginMessage(request, 1, code)
    body(request)
    endMessage(request, start)
    return new Promise<number | 'closed'>((resolve) => {
      channel.socket.on('error', () => {})
      channel.socket.once('close', () => resolve('closed'))
      channel.socket.on('data', (chunk: Uint8Array) => {
        channel.frames.push(chunk)
        const next = channel.frames.next()
        if (next !== undefined) eachMessage(channel.open(next), (_, status) => resolve(status))
        channel.socket.destroy()
      })
      channel.socket.write(channel.seal(writtenBytes(request)))
    })
  }
  // The operations of before.
  for (const code of [5, 6]) expect(await answerTo(code, () => {})).toBe('closed')
  // Frames of whoever has no operator's key, the API's own among them, be they for the right enclave.
  const message = formatOperatorMessage({ ask: 'state' })
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const stranger = sealOperatorFrame(message, own, target.frameKey).frame
  const named = Uint8Array.from(stranger)
  const kid = sealOperatorFrame(message, operator, target.frameKey).frame.subarray(1, 33)
  named.set(kid, 1)
  for (const frame of [stranger, named])
    expect(await answerTo(20, (writer) => writeOperatorFrame(writer, frame))).toBe(enclaveStatuses.refused)
  expect(await answerTo(20, (writer) => writeOperatorFrame(writer, Buffer.from('{}')))).toBe(
    enclaveStatuses.invalid_payload,
  )
  const enclave = enclaveSocket(client)
  expect(await enclave.status()).toMatchObject({ phase: 'serving', keyVersionA: 1 })
  await enclave.close()
  expect((await sign()).status).toBe(200)
})
