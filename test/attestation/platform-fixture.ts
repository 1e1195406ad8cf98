import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BootInput, type SimulatedBoot, simulatedBoot } from '@symbolon/testing/attestation'

/** A platform that answers attestations of a simulated boot, over HTTP. Tests change what it answers. */
export type PlatformFixture = {
  readonly boot: SimulatedBoot
  readonly url: string
  /** How the next documents differ. */
  input: BootInput
  /** What the next answers are instead. */
  instead: { readonly status: number; readonly body: string } | undefined
  /** What else is served as text, by its path. */
  readonly texts: Map<string, string>
  /** The paths that were asked for. */
  readonly asked: string[]
  stop(): Promise<void>
}

/** Starts it on a free port of the loopback interface. */
export async function startPlatform(): Promise<PlatformFixture> {
  const boot = simulatedBoot()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://platform')
    fixture.asked.push(pathname)
    const text = fixture.texts.get(pathname)
    if (text !== undefined) return void response.writeHead(200, { 'content-type': 'text/plain' }).end(text)
    const nonce = Buffer.from(searchParams.get('nonce') ?? '', 'base64url')
    const answers: Record<string, () => object> = {
      '/v1/attestation': () => boot.attestation(nonce, { nowMs: Date.now(), ...fixture.input }),
      [`/v1/attestation/keys/${boot.kid}`]: () => boot.keyAttestation(fixture.input),
    }
    const { status, body } = fixture.instead ?? answerOf(answers[pathname]?.())
    const location = status === 302 ? { location: '/v1/attestation?nonce=AAAA' } : {}
    response.writeHead(status, { 'content-type': 'application/json', ...location }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const fixture: PlatformFixture = {
    boot,
    url: `http://127.0.0.1:${port}`,
    input: {},
    instead: undefined,
    texts: new Map(),
    asked: [],
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return fixture
}

function answerOf(data: object | undefined) {
  if (data !== undefined) return { status: 200, body: JSON.stringify({ data, error: null }) }
  return { status: 404, body: JSON.stringify({ data: null, error: { code: 'not_found', message: 'None.' } }) }
}
