import { chmodSync, writeSync } from 'node:fs'
import { createServer } from 'node:net'
import { frame, frameSplitter } from '@symbolon/crypto/node'
import type { AttestationRequest } from '@symbolon/enclave'
import { decode, encode } from 'cborg'
import { simulatedNsm } from './simulated-nsm.ts'
import { simulatedChain, simulatedRoot } from './simulated-pki.ts'

/**
 * The simulated secure module of the test image, in the place of the bridge to the real one: `nsm-socket-main <socket>`. Its root lives as
 * long as it does and is said on standard error, base64, for the test to pin. One byte on descriptor 3 says that it listens.
 */
const [socketPath = '/run/nsm/socket'] = process.argv.slice(2)
const readyDescriptor = 3

const root = simulatedRoot(Date.now())
const module = simulatedNsm(simulatedChain(root, Date.now()))

function requestOf(bytes: Uint8Array): AttestationRequest {
  const { Attestation: asked } = decode(bytes) as {
    Attestation: { public_key: Uint8Array; nonce: Uint8Array; user_data: Uint8Array }
  }
  return { publicKey: asked.public_key, nonce: asked.nonce, userData: asked.user_data }
}

const server = createServer((socket) => {
  const frames = frameSplitter()
  socket.on('error', () => socket.destroy())
  socket.on('data', async (chunk) => {
    try {
      frames.push(chunk)
      const request = frames.next()
      if (request === undefined) return
      const document = await module.attest(requestOf(Uint8Array.from(request)))
      socket.end(frame(encode({ Attestation: { document } })))
    } catch {
      socket.destroy()
    }
  })
})

server.listen(socketPath, () => {
  // The enclave program is another user.
  chmodSync(socketPath, 0o666)
  process.stderr.write(`SIMULATED root ${Buffer.from(root.certificate).toString('base64')}\n`)
  writeSync(readyDescriptor, new Uint8Array(1))
})
