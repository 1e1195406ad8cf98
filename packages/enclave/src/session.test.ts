import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ChannelOffer,
  decodeEnclaveHello,
  encodeClientHello,
  frame,
  frameSplitter,
  helloTranscript,
  joinChannel,
  nextManifest,
  offerChannel,
} from '@symbolon/crypto/node'
import {
  makeTestRing,
  publicApiJwk,
  type TestRing,
  testApiKey,
  testManifestContent,
} from '@symbolon/testing/enclave'
import { until } from '@symbolon/testing/wait'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Channels, channelPlaces } from './channels.ts'
import type { EnclaveState } from './enclave-state.ts'
import { helloDocuments } from './hello-documents.ts'
import { fileRoot } from './ring/file-root.ts'
import { addManifest } from './ring/manifest-file.ts'
import { refreshRing } from './ring/refresh-ring.ts'
import { serveConnection } from './session.ts'
import { strangers } from './strangers.ts'
import { servingState } from './testing/serving-state.ts'

let folder: string
let path: string
let socketPath: string
let made: TestRing
let state: EnclaveState
let channels: Channels
let server: Server
let drops: string[]
let client: Socket | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'symbolon-session-'))
  path = join(folder, 'ring.json')
  socketPath = join(folder, 'e.sock')
  made = makeTestRing(path)
  state = servingState(path)
  channels = channelPlaces(4)
  drops = []
})
afterEach(async () => {
  client?.destroy()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

/** Serves connections by the real handshake; nothing attests the hello, which no client here verifies. */
async function serve(offer: ChannelOffer): Promise<void> {
  const attestor = { attest: async () => new Uint8Array(1) }
  const input = {
    state,
    offer,
    helloDocuments: helloDocuments(state, { offer, attestor }),
    strangers: strangers(4),
    dispatch: () => 'unavailable' as const,
    refreshRing: () => refreshRing(fileRoot(path), state, channels),
    channels,
    requests: new Uint8Array(1 << 20),
    logDrop: (reason: string) => drops.push(reason),
  }
  server = createServer((socket) => serveConnection(socket, input))
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
}

/** Says hello and proves the API key, as an API process does. */
async function open({ publicKey }: ChannelOffer): Promise<Socket> {
  const socket = connect(socketPath).on('error', () => {})
  client = socket
  const hello = encodeClientHello(randomBytes(32))
  socket.write(frame(hello))
  const frames = frameSplitter()
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  frames.push(chunk)
  const answer = Uint8Array.from(frames.next() ?? [])
  expect(decodeEnclaveHello(answer).phase).toBe('serving')
  const { frame: proof } = await joinChannel(publicKey, helloTranscript(hello, answer), made.apiKey)
  socket.write(frame(proof))
  return socket
}

/** Takes a manifest that names another API key. */
function withdraw(): void {
  const { manifest, operator } = made
  const content = testManifestContent([publicApiJwk(testApiKey())], [...manifest.operators])
  addManifest(path, nextManifest(manifest, content, [operator]))
  expect(state.takeLaterManifest()).toBe(true)
  channels.dropUnknown((thumbprint) => state.apiKey(thumbprint) !== undefined)
}

test('an API key that is withdrawn after its proof loses the open channel', async () => {
  const offer = await offerChannel()
  await serve(offer)
  const socket = await open(offer)
  await until(() => channels.count() === 1)
  const end = once(socket, 'close')
  withdraw()
  await end
  expect(drops).toEqual(['API key withdrawn'])
  await until(() => channels.count() === 0)
})

test('an API key that is withdrawn while its proof is verified gets no channel', async () => {
  const offer = await offerChannel()
  await serve({
    ...offer,
    async accept(...proof) {
      const keys = await offer.accept(...proof)
      withdraw()
      return keys
    },
  })
  const socket = await open(offer)
  await once(socket, 'close')
  expect(channels.count()).toBe(0)
  expect(drops).toEqual(['Error'])
})
