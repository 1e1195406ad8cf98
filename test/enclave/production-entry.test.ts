import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { frame, frameSplitter } from '@symbolon/crypto/node'
import { simulatedChain, simulatedDocument, simulatedRoot } from '@symbolon/dev/testing/attestation'
import { type AttestationRequest, nsmBridge, type Supervisor, superviseEnclave } from '@symbolon/enclave'
import { makeRingFile } from '@symbolon/enclave/file-root'
import { enclaveSocket, nitroPolicy, simulatedPolicy } from '@symbolon/server/testing/adapters'
import { expectedMeasurements } from '@symbolon/testing/enclave'
import { decode, encode } from 'cborg'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'symbolon-production-'))
const nsmPath = join(folder, 'nsm.sock')
const root = simulatedRoot(Date.now())
const chain = simulatedChain(root, Date.now())
let bridge: Server
let supervisor: Supervisor
let answer = (request: AttestationRequest): unknown => ({
  Attestation: { document: simulatedDocument(request, { chain, nowMs: Date.now() }) },
})

beforeAll(async () => {
  bridge = createServer((socket) => {
    const frames = frameSplitter()
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      frames.push(chunk)
      const request = frames.next()
      if (request === undefined) return
      const { Attestation: asked } = decode(request) as { Attestation: Record<string, Uint8Array> }
      const { public_key: publicKey, nonce, user_data: userData } = asked
      if (publicKey && nonce && userData) socket.end(frame(encode(answer({ publicKey, nonce, userData }))))
    })
  })
  await new Promise<void>((resolve) => bridge.listen(nsmPath, resolve))
  makeRingFile(join(folder, 'key'))
  supervisor = superviseEnclave({
    entry: fileURLToPath(new URL('../../packages/enclave/src/main.ts', import.meta.url)),
    args: [],
    environment: {
      ENCLAVE_SOCKET: join(folder, 'e.sock'),
      ENCLAVE_KEY_FILE: join(folder, 'key'),
      ENCLAVE_NSM_SOCKET: nsmPath,
    },
    log: () => {},
  })
  await supervisor.ready
})

afterAll(async () => {
  await supervisor.stop()
  await new Promise((resolve) => bridge.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

test('the production entry serves with the documents of the module behind its bridge', async () => {
  const enclave = enclaveSocket({
    path: join(folder, 'e.sock'),
    policy: simulatedPolicy(root.certificate, [expectedMeasurements]),
  })
  expect(await enclave.status()).toMatchObject({ phase: 'serving', keyVersionA: 1, simulated: true })
  await enclave.close()
})

test('the production policy refuses it all the same while the module is simulated', async () => {
  const enclave = enclaveSocket({ path: join(folder, 'e.sock'), policy: nitroPolicy([expectedMeasurements]) })
  await expect(enclave.status()).rejects.toMatchObject({ code: 'unavailable' })
  await enclave.close()
})

test('a module that answers with an error or not at all gives no document', async () => {
  const request = { publicKey: new Uint8Array(32), nonce: new Uint8Array(32), userData: new Uint8Array(32) }
  answer = () => ({ Error: 'InternalError' })
  await expect(nsmBridge(nsmPath).attest(request)).rejects.toThrow('no document')
  await expect(nsmBridge(join(folder, 'absent')).attest(request)).rejects.toThrow('secure module bridge')
})
