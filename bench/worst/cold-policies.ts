import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import { StrKey } from '@stellar/stellar-base'
import { encodeIntent, networks, type SignIntent } from '@symbolon/networks'
import { chainByHandle, decodeForAgent, policyNames as names } from '@symbolon/networks/testing/by-intent'
import { compile, evaluate, parseLayers } from '@symbolon/policy'
import type { DecodingCost } from './decoding-costs.ts'
import { worstKey } from './network-bodies.ts'
import { cpuMs } from './thread-cost.ts'
import { times } from './worst-body.ts'

// The largest JSON that the routes take of one layer.
const layerBytesMax = 48 << 10
const blockedMax = 1024
const recipientsMax = 256
const entriesMax = 128
const domainsMax = 64

const hash = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()
const key = (n: number) => hash(String(n))
const account = (n: number) => StrKey.encodeEd25519PublicKey(key(n))

/** Base58 with its checksum: an address of Bitcoin's test network. */
function testAddress(n: number): string {
  const body = Buffer.concat([Buffer.of(111), key(n).subarray(0, 20)])
  return base58.encode(Buffer.concat([body, hash(hash(body)).subarray(0, 4)]))
}

/** Spellings that cost most to compare, by the chain of their network. */
const spellings: Readonly<Record<string, { chain: string; of: (n: number) => string }>> = {
  'base58 of the test network': { chain: 'bitcoin', of: testAddress },
  'muxed accounts': {
    chain: 'stellar',
    of: (n) => StrKey.encodeMed25519PublicKey(Buffer.concat([key(n), key(n).subarray(0, 8)])),
  },
  'issued assets': { chain: 'stellar', of: (n) => `ABCDE:${account(n)}` },
  pools: { chain: 'stellar', of: (n) => `A:${account(n)}/B:${account(-n)}/30` },
  '64 digits': { chain: 'near', of: (n) => key(n).toString('hex') },
  'coin types': { chain: 'aptos', of: (n) => `0x${n.toString(16)}::a::B` },
  'nested types': { chain: 'aptos', of: (n) => `0x${n}::a::B<${'0x1::a::B<'.repeat(20)}u8${'>'.repeat(21)}` },
  'hex accounts': { chain: 'tron', of: (n) => `41${key(n).toString('hex', 0, 20)}` },
  accounts: { chain: 'solana', of: (n) => base58.encode(key(n)) },
  addresses: { chain: 'base', of: (n) => `0x${key(n).toString('hex', 0, 20)}` },
  denoms: { chain: 'osmosis', of: (n) => `ibc/${key(n).toString('hex')}` },
}

type Layers = { readonly rules?: object; readonly policy?: object }

/** As many of a list's items as it takes, and as a layer's JSON has room for. */
function most<item>(countMax: number, itemOf: (n: number) => item, from: number): item[] {
  let bytes = layerBytesMax - 100
  return times(countMax, (n) => itemOf(from + n + 1)).filter((item) => {
    bytes -= JSON.stringify(item).length + 1
    return bytes > 0
  })
}

/** The lists of one spelling, each at its largest. */
function listsOf(what: string, { chain, of }: (typeof spellings)[string]) {
  const recipients = (from: number) => most(recipientsMax, of, from)
  const tokens = (from: number) => most(entriesMax, (n) => ({ chain, token: of(n), max_total: '5' }), from)
  const contracts = (from: number) => most(entriesMax, (n) => ({ chain, address: of(n) }), from)
  return {
    [`blocked: ${what}`]: (from: number) => ({ rules: { blocked_recipients: most(blockedMax, of, from) } }),
    [`recipients: ${what}`]: (from: number) => ({ policy: { allowed_recipients: recipients(from) } }),
    [`tokens: ${what}`]: (from: number) => ({ policy: { allowed_tokens: tokens(from) } }),
    [`contracts: ${what}`]: (from: number) => ({ policy: { allowed_contracts: contracts(from) } }),
  }
}

/** What each list holds at its largest, from a number on. */
const lists: Readonly<Record<string, (from: number) => Layers>> = {
  ...Object.assign({}, ...Object.entries(spellings).map(([what, spelling]) => listsOf(what, spelling))),
  'selectors of contracts': (from) => ({
    policy: {
      allowed_contracts: most(
        entriesMax,
        (n) => ({ chain: 'near', address: `a${n}`, selectors: times(64, (i) => `m${i}`) }),
        from,
      ),
    },
  }),
  'sign-in domains': (from) => ({
    policy: { allowed_sign_in_domains: times(domainsMax, (n) => `${'a'.repeat(240)}${from + n}.com`) },
  }),
  'caps of assets': (from) => ({
    policy: { max_spend_total: times(64, (n) => ({ asset: `A${from + n}`, max: '9'.repeat(78) })) },
  }),
}

/** A plain message, so that all that is paid for is the policy. */
const intent: SignIntent = {
  kind: 'message',
  network: 'solana',
  chain: 'solana',
  message: new TextEncoder().encode('hello'),
}

/** What the first evaluation under a policy costs the enclave: its layers as sealed and as now, which differ, read, compiled and evaluated. */
export function coldPolicyCosts(): DecodingCost[] {
  return Object.entries(lists).map(([name, listOf]) => {
    const [sealed, current, session] = [listOf(0), listOf(3_000), listOf(6_000)]
    const text = JSON.stringify({
      organization: [sealed.rules ?? null, current.rules ?? null],
      agent: [sealed.policy ?? null, current.policy ?? null],
      session: session.policy ?? {},
    })
    const cost = cpuMs(() => evaluated(text))
    if ('error' in cost) throw cost.error
    const bytes = Buffer.byteLength(text)
    return { network: 'policy', name: `cold ${name}`, bytes, api_ms: 0, enclave_ms: cost.ms }
  })
}

function evaluated(text: string): void {
  const chain = chainByHandle('solana')
  if (chain === undefined) throw new Error('solana is not a chain')
  evaluate(compile(parseLayers(JSON.parse(text)), names), {
    method: 'signMessage',
    chain,
    encoded: encodeIntent(networks, intent),
    decode: () => decodeForAgent(intent, 'ed25519', worstKey('ed25519')),
    sha256: (bytes) => hash(bytes).toString('hex'),
  })
}
