import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compile } from './compile.ts'
import { type Attempt, judge } from './judge.ts'
import type { Judgement } from './judgement.ts'
import { meet } from './meet.ts'
import type { Layers } from './policy.ts'
import { attemptOf, names, randomDecoded, randomLayers } from './random-layers.fuzz.ts'
import { tightened } from './tightened.fuzz.ts'

const numRuns = 4000
const method = fc.constantFrom<Attempt['method']>(
  'sendTransaction',
  'sendTransaction',
  'sendTransaction',
  'signMessage',
)

function judged(layers: Layers, attempt: Attempt): Judgement {
  return judge(compile(layers, names), attempt)
}

/** The least cap of each counter. */
function capsOf({ spends }: Judgement): Map<string, bigint | undefined> {
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
      const attempt = attemptOf(decoded, by)
      const [before, after] = [judged(layers, attempt), judged(tight, attempt)]
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
  fc.assert(property, { numRuns })
  // The property would hold of a judge that refuses everything.
  expect(allowed).toBeGreaterThan(numRuns / 40)
  expect(newlyRefused).toBeGreaterThan(numRuns / 200)
})

test('the effective policy decides as the layers do, for the same reason', () => {
  const property = fc.property(randomLayers, randomDecoded, method, (layers, decoded, by) => {
    const effective = meet(layers, names)
    const single: Layers = {
      organization: [{ ...effective, maxSessionTtlSeconds: null }],
      agent: [],
      session: [effective],
    }
    const [of, under] = [judged(layers, attemptOf(decoded, by)), judged(single, attemptOf(decoded, by))]
    expect(under.refusal?.reason).toBe(of.refusal?.reason)
    expect(under.refusal?.rule).toBe(of.refusal?.rule)
    expect(capsOf(under)).toEqual(capsOf(of))
  })
  fc.assert(property, { numRuns })
})

test('what is allowed is within every cap, and nothing is spent by what is refused', () => {
  const property = fc.property(randomLayers, randomDecoded, method, (layers, decoded, by) => {
    const { refusal, spends, value } = judged(layers, attemptOf(decoded, by))
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
      expect(native <= (policy.maxSpendPerTxNative ?? native)).toBe(true)
      expect((decoded.fee ?? 0n) <= (policy.maxFeePerTxNative ?? 2n ** 300n)).toBe(true)
    }
  })
  fc.assert(property, { numRuns })
})

test('the first check that fails is the refusal, and noting the others changes nothing', () => {
  const property = fc.property(randomLayers, randomDecoded, method, (layers, decoded, by) => {
    const short = judged(layers, attemptOf(decoded, by))
    const long = judged(layers, { ...attemptOf(decoded, by), explain: true })
    expect({ ...long, checks: [] }).toEqual(short)
    const failed = long.checks.filter(({ passed }) => !passed)
    expect(failed).toHaveLength(long.refusal === null ? 0 : 1)
    if (long.refusal === null) return
    const { reason: _, ...refusal } = long.refusal
    expect(long.checks.at(-1)).toEqual({ ...refusal, passed: false })
  })
  fc.assert(property, { numRuns: 1000 })
})
