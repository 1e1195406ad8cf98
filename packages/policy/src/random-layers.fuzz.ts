import type { AgentDecoded, AgentEffect } from '@symbolon/networks'
import { chainByHandle, policyNames } from '@symbolon/networks/testing/by-intent'
import fc from 'fast-check'
import type { SigningRequest } from './evaluate.ts'
import { agentFields, organizationFields } from './field-rows.ts'
import type { PolicyFieldRow } from './fields.ts'
import type { Layers, Policy, Rules } from './policy.ts'
import type { PolicyNames } from './policy-names.ts'

/** How this platform's networks compare names. */
export const names: PolicyNames = policyNames

const handles = ['ethereum', 'base', 'bitcoin', 'bitcoin-testnet', 'solana', 'solana-devnet']
const upper = '0xABCDEFabcdef0123456789ABCDEFabcdef012345'
/** Accounts, the first two of which are one in two spellings. */
export const accounts = [upper, upper.toLowerCase(), `0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`] as const
/** An account of Stellar and two of its customers, who are recipients alone. */
const shared = [
  'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
  'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAEK5C24',
  'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAA2BJQQK',
] as const
const recipients = [...accounts, ...shared]
const selectors = ['0xa9059cbb', '0x12345678'] as const

const domains = ['app.example', 'shop.example:3000']
const handle = fc.constantFrom(...handles)
const account = fc.constantFrom(...accounts)
const recipient = fc.constantFrom(...recipients)
const amount = fc.oneof(
  { weight: 9, arbitrary: fc.bigInt(0n, 12n) },
  { weight: 1, arbitrary: fc.bigInt(0n, 2n ** 256n) },
)
const orNull = <value>(arbitrary: fc.Arbitrary<value>) => fc.option(arbitrary, { nil: null, freq: 2 })
const listOf = <value>(arbitrary: fc.Arbitrary<value>) => fc.array(arbitrary, { maxLength: 5 })
/** Everything or some: with short lists alone hardly anything would be allowed. */
const someOf = (all: readonly string[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(all) },
    { weight: 2, arbitrary: fc.subarray([...all]) },
    { weight: 1, arbitrary: listOf(fc.constantFrom(...all)) },
  )
const cap = fc.oneof(amount, fc.bigInt(12n, 40n), fc.constant(2n ** 255n))

const token = fc.record({ chain: handle, token: account, maxPerTx: orNull(cap), maxTotal: orNull(cap) })
const contract = fc.record({
  chain: handle,
  address: account,
  selectors: orNull(listOf(fc.constantFrom(...selectors))),
})

const allTokens = ['ethereum', 'base', 'bitcoin', 'solana'].flatMap((chain) =>
  accounts.map((name) => ({ chain, token: name, maxPerTx: null, maxTotal: null })),
)
const allContracts = allTokens.map(({ chain, token: address }) => ({ chain, address, selectors: null }))

/** Values of a field over a world of few names, so that policies overlap; every kind of the table has some. */
function randomValue(row: PolicyFieldRow): fc.Arbitrary<unknown> {
  switch (row.kind) {
    case 'amount':
      return orNull(cap)
    case 'count':
      return row.cap === null ? fc.constant(null) : orNull(fc.nat(9))
    case 'expiry':
      return orNull(fc.nat(4_000_000_000_000))
    case 'flag':
      return fc.boolean()
    case 'mode':
      return fc.constantFrom(...Object.keys(row.words), row.default, 'any', 'any')
    case 'allow-list':
      return orNull(someOf(row.items === 'chain' ? handles : recipients))
    case 'deny-list':
      return fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(row.items === 'chain' ? handle : recipient, { maxLength: 1 }) },
      )
    case 'method-list':
      return fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(null, ['sendTransaction', 'signMessage']) },
        { weight: 1, arbitrary: fc.subarray(['signMessage', 'sendTransaction']) },
      )
    case 'token-list':
      return entries(allTokens, token)
    case 'domain-list':
      return orNull(someOf(domains))
    case 'asset-caps':
      return orNull(
        fc.uniqueArray(fc.record({ asset: fc.constantFrom('ETH', 'BTC', 'SOL'), max: cap }), {
          selector: ({ asset }) => asset,
          maxLength: 3,
        }),
      )
    case 'contract-list':
      return entries(allContracts, contract)
  }
}

const entries = <entry>(all: readonly entry[], one: fc.Arbitrary<entry>) =>
  fc.option(
    fc.oneof(
      fc.constant(all),
      listOf(one).map((list) => [...list, ...all.slice(list.length)]),
      listOf(one),
    ),
    { nil: null, freq: 5 },
  )

const valuesOf = (rows: readonly PolicyFieldRow[]) =>
  fc.record(Object.fromEntries(rows.map((row) => [row.name, randomValue(row)])))

/** A policy of an agent or a session. */
export const randomPolicy = valuesOf(agentFields) as fc.Arbitrary<Policy>

/** Rules over the same names. */
export const randomRules = valuesOf(organizationFields) as fc.Arbitrary<Rules>

/** Layers with up to three versions each, and always an organization and a session. */
export const randomLayers: fc.Arbitrary<Layers> = fc.record({
  organization: fc.array(randomRules, { minLength: 1, maxLength: 2 }),
  agent: fc.array(randomPolicy, { maxLength: 2 }),
  session: fc.array(randomPolicy, { minLength: 1, maxLength: 2 }),
})

const nativeTransfer = fc.record({
  kind: fc.constant('transfer' as const),
  isNative: fc.constant(true),
  amount,
  to: fc.option(recipient, { nil: null, freq: 9 }),
})
const tokenEffect = fc.record({
  kind: fc.constantFrom('transfer' as const, 'approval' as const),
  isNative: fc.constant(false),
  asset: account,
  amount: fc.option(amount, { nil: null, freq: 12 }),
  to: fc.option(recipient, { nil: null, freq: 8 }),
})
const call = fc.record({
  kind: fc.constantFrom('call' as const, 'unknown' as const),
  isNative: fc.constant(false),
  asset: fc.constant(null),
  amount: fc.constant(null),
  to: account,
  contract: fc.option(account, { nil: null, freq: 12 }),
  selector: orNull(fc.constantFrom(...selectors)),
})
/** A call that takes tokens of the called contract, or of another. */
const takingCall = fc.record({
  kind: fc.constant('call' as const),
  isNative: fc.constant(false),
  asset: account,
  amount,
  to: account,
  contract: account,
  selector: fc.constantFrom(...selectors),
})
const odd = fc.record({
  kind: fc.constantFrom(
    'transfer' as const,
    'approval' as const,
    'call' as const,
    'unknown' as const,
    'admin' as const,
  ),
  isNative: fc.boolean(),
  asset: fc.constantFrom(null, 'ETH', accounts[0]),
  amount: orNull(fc.bigInt(-3n, 3n)),
  to: orNull(account),
  contract: orNull(account),
})

const effect = fc.oneof(
  { weight: 4, arbitrary: nativeTransfer },
  { weight: 4, arbitrary: tokenEffect },
  { weight: 3, arbitrary: call },
  { weight: 2, arbitrary: takingCall },
  { weight: 1, arbitrary: odd },
)

/** A payload over the same names, as a decoder describes it. */
export const randomDecoded: fc.Arbitrary<AgentDecoded> = fc
  .record({
    handle,
    effects: fc.array(effect, { maxLength: 3 }),
    fee: orNull(amount),
    trap: fc.oneof(
      { weight: 24, arbitrary: fc.constant(null) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('raw_hash_not_allowed' as const, 'typed_data_not_allowed' as const),
      },
    ),
  })
  .map(({ handle: of, effects, fee, trap }) => {
    const chain = chainByHandle(of)
    if (!chain) throw new Error(`${of} is not a chain`)
    const whole = effects.map(
      (partial): AgentEffect => ({
        asset: partial.isNative ? chain.nativeAsset.symbol : null,
        contract: null,
        selector: null,
        from: accounts[2],
        ...partial,
      }),
    )
    const bytes = { payload: Uint8Array.of(1), signed: [], digests: Uint8Array.of(2) }
    return { chain, chains: names.policyChains(chain), effects: whole, fee, trap, ...bytes }
  })

/** An request at a payload. */
export function requestOf(
  decoded: AgentDecoded,
  method: SigningRequest['method'] = 'sendTransaction',
): SigningRequest {
  return {
    method,
    chain: decoded.chain,
    encoded: Uint8Array.of(3),
    decode: () => decoded,
    sha256: (bytes) => bytes.join(),
  }
}
