import { propertyRuns } from '@symbolon/testing/properties'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compile } from './compile.ts'
import type { Decision } from './decision.ts'
import { evaluate, type SigningRequest } from './evaluate.ts'
import { intersect } from './intersect.ts'
import type { Layers } from './policy.ts'
import { names, randomDecoded, randomLayers, requestOf } from './random-layers.fuzz.ts'
import { tightened } from './tightened.fuzz.ts'

const numRuns = propertyRuns(4000)
const method = fc.constantFrom<SigningRequest['method']>(
  'sendTransaction',
  'sendTransaction',
  'sendTransaction',
  'signMessage',
)

function decided(layers: Layers, request: SigningRequest): Decision {
  return evaluate(compile(layers, names), request)
}

/** The least cap of each counter. */
function capsOf({ spends }: Decision): Map<string, bigint | undefined> {
  return new Map(
    spends.map(({ counter, caps }) => [
      counter,
      caps.reduce<bigint | undefined>(
        (least, { max }) => (least === undefined || max < least ? max : least),
        undefined,
      ),
    ]),
  )
}

test('no rule and no further version of a layer turns a refusal into an approval, or raises a cap', () => {
  let allowed = 0
  let newlyRefused = 0
  const property = fc.property(
    randomLayers.chain((layers) => fc.tuple(fc.constant(layers), tightened(layers))),
    randomDecoded,
    method,
    ([layers, tight], decoded, by) => {
      const request = requestOf(decoded, by)
      const [before, after] = [decided(layers, request), decided(tight, request)]
      if (before.refusal === null && after.refusal !== null) newlyRefused++
      if (after.refusal !== null) return
      allowed++
      expect(before.refusal).toBeNull()
      const caps = capsOf(after)
      for (const [counter, max] of capsOf(before)) {
        expect(caps.has(counter)).toBe(true)
        if (max !== undefined) expect(caps.get(counter) ?? 2n ** 999n).toBeLessThanOrEqual(max)
      }
    },
  )
  fc.assert(property, { numRuns: 2 * numRuns })
  // The property would hold of an evaluation that refuses everything. About one in sixty is newly refused.
  expect(allowed).toBeGreaterThan(numRuns / 40)
  expect(newlyRefused).toBeGreaterThan(0)
})

test('the effective policy decides as the layers do, for the same reason', () => {
  const property = fc.property(randomLayers, randomDecoded, method, (layers, decoded, by) => {
    const effective = intersect(layers, names)
    // A version without a cap on fees keeps the chain's ceiling, which the effective policy does not show.
    const isCapped = [layers.agent, layers.session].some(
      (versions) => versions.length > 0 && versions.every((one) => one.max_fee_per_tx_native !== null),
    )
    const single: Layers = {
      organization: [effective],
      agent: [],
      session: isCapped ? [effective] : [effective, { ...effective, max_fee_per_tx_native: null }],
    }
    const [of, under] = [decided(layers, requestOf(decoded, by)), decided(single, requestOf(decoded, by))]
    expect(under.refusal?.reason).toBe(of.refusal?.reason)
    expect(under.refusal?.rule).toBe(of.refusal?.rule)
    expect(capsOf(under)).toEqual(capsOf(of))
  })
  fc.assert(property, { numRuns })
})

test('an allowed payload is within every cap, and a refused one spends nothing', () => {
  const property = fc.property(randomLayers, randomDecoded, method, (layers, decoded, by) => {
    const { refusal, spends, value } = decided(layers, requestOf(decoded, by))
    if (refusal !== null) {
      expect(spends).toEqual([])
      return
    }
    for (const { amount, caps } of spends) for (const { max } of caps) expect(amount).toBeLessThanOrEqual(max)
    const native = decoded.effects.reduce(
      (sum, { isNative, amount }) => sum + (isNative ? (amount ?? 0n) : 0n),
      0n,
    )
    expect(value).toBe(native)
    for (const policy of [...layers.agent, ...layers.session]) {
      expect(native <= (policy.max_spend_per_tx_native ?? native)).toBe(true)
      expect((decoded.fee ?? 0n) <= (policy.max_fee_per_tx_native ?? 2n ** 300n)).toBe(true)
    }
  })
  fc.assert(property, { numRuns })
})

test('the first check that fails is the refusal, and noting the others changes nothing', () => {
  const property = fc.property(randomLayers, randomDecoded, method, (layers, decoded, by) => {
    const short = decided(layers, requestOf(decoded, by))
    const long = decided(layers, { ...requestOf(decoded, by), explain: true })
    expect({ ...long, checks: [] }).toEqual(short)
    const failed = long.checks.filter(({ passed }) => !passed)
    expect(failed).toHaveLength(long.refusal === null ? 0 : 1)
    if (long.refusal === null) return
    const { reason: _, value: _value, fee: _fee, ...refusal } = long.refusal
    expect(long.checks.at(-1)).toEqual({ ...refusal, passed: false })
  })
  fc.assert(property, { numRuns: propertyRuns(1000) })
})
