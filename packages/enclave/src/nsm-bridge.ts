import { connect } from 'node:net'
import { frame, frameSplitter } from '@symbolon/crypto/node'
import { decode, encode } from 'cborg'
import type { Attestor } from './attestor.ts'
import { ModuleError } from './start-fault.ts'

const limitMs = 2_000

/**
 * An attestor over the Nitro Secure Module. Node has no ioctl, so that a bridge inside the enclave image owns
 * `/dev/nsm` and passes the module's own CBOR messages (`aws-nitro-enclaves-nsm-api`, `Request::Attestation` and
 * `Response::Attestation`) over a unix socket, one frame each way per connection. The bridge is not trusted: the
 * client verifies the document.
 */
export function nsmBridge(socketPath: string): Attestor {
  return {
    async attest({ publicKey, nonce, userData }) {
      const request = { Attestation: { user_data: userData, nonce, public_key: publicKey } }
      const answer: unknown = decode(await exchange(socketPath, encode(request)))
      const document = fieldOf(fieldOf(answer, 'Attestation'), 'document')
      if (!(document instanceof Uint8Array)) throw new ModuleError('it gave no document')
      return document
    },
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? Reflect.get(value, name) : undefined
}

function exchange(socketPath: string, request: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const frames = frameSplitter()
    const socket = connect(socketPath, () => socket.write(frame(request)))
    const fail = (reason: string) => {
      socket.destroy()
      reject(new ModuleError(reason))
    }
    socket.setTimeout(limitMs, () => fail('no answer'))
    socket.on('error', (error) => fail(error.message))
    socket.on('close', () => fail('it closed the connection'))
    socket.on('data', (chunk) => {
      try {
        frames.push(chunk)
        const answer = frames.next()
        if (answer === undefined) return
        resolve(Uint8Array.from(answer))
        socket.destroy()
      } catch {
        fail('malformed answer')
      }
    })
  })
}
