import { hostileTexts, leastCpuMs } from '@symbolon/testing/properties'
import { expect, test } from 'vitest'
import type { MessageIntent } from '../intent/intent.ts'
import { NetworkError } from '../network-error.ts'
import { decodeForAgent, preview } from '../testing/by-intent.ts'
import { testKey } from '../testing/oracle-signer.ts'

/** What a body of a message may hold. */
const length = 65_000
/** Twice what the worst accepted body may cost: other processes count for something. */
const cpuMsMax = 40

const chains = { evm: 'base', cosmos: 'cosmoshub' } as const
const networks = ['evm', 'bitcoin', 'tron', 'cosmos', 'solana', 'near', 'aptos', 'stellar'] as const

test.each(hostileTexts(length))(
  'a message is soon decoded for an agent, on every network: $name',
  ({ text }) => {
    const dear = networks
      .map((network) => ({ network, ms: leastCpuMs(() => decode(network, text), cpuMsMax) }))
      .filter(({ ms }) => ms > cpuMsMax)
    expect(dear).toEqual([])
  },
)

function decode(network: (typeof networks)[number], text: string): void {
  const isEd = ['solana', 'near', 'aptos', 'stellar'].includes(network)
  const key = testKey(isEd ? 'ed25519' : 'secp256k1', 1)
  const intent: MessageIntent = {
    kind: 'message',
    network,
    chain: network === 'evm' || network === 'cosmos' ? chains[network] : network,
    message: new TextEncoder().encode(text).subarray(0, length),
    ...(network === 'near' && { nonce: new Uint8Array(32), recipient: 'shop.near' }),
    ...(network === 'aptos' && { nonce: 'x' }),
  }
  tried(() => decodeForAgent(intent, key.curve, key.publicKey))
  tried(() => preview(intent, key.curve, key.publicKey))
}

/** What is refused may cost no more than what is taken. */
function tried(run: () => unknown): void {
  try {
    run()
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
  }
}

test.each(hostileTexts(length / 2))(
  'typed data is soon decoded and shown, names and values alike: $name',
  ({ text }) => {
    const name = text.replaceAll(/[^A-Za-z0-9_$]/g, '')
    const typedData = JSON.stringify({
      domain: { name: 'Shop', chainId: 8453 },
      primaryType: 'Order',
      types: { Order: [{ name: `a${name}`, type: 'string' }] },
      message: { [`a${name}`]: text },
    })
    const { curve, publicKey } = testKey('secp256k1', 1)
    const intent = { kind: 'typed_data', chain: 'base', typedData } as const
    expect(leastCpuMs(() => tried(() => preview(intent, curve, publicKey)), cpuMsMax)).toBeLessThanOrEqual(
      cpuMsMax,
    )
    expect(
      leastCpuMs(() => tried(() => decodeForAgent(intent, curve, publicKey)), cpuMsMax),
    ).toBeLessThanOrEqual(cpuMsMax)
  },
)
