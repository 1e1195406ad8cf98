import { type EnclaveOp, enclaveOps, enclavePhases } from '@symbolon/crypto/node'
import { expect, test } from 'vitest'
import { phaseSteps, phases, phaseTable } from './phases.ts'

const ops = [...(Object.keys(enclaveOps) as EnclaveOp[]), 'handshake' as const, 'channel' as const]

// Written out once more, so that a slip in the table does not pass.
const allowed: Record<string, string> = {
  boot: '',
  attested: 'handshake',
  loading: 'attest channel handshake loadMarks operator status',
  serving:
    'agentSign agentSignWithReceipt attest channel effective evaluate export generate grant handshake import importKey note operator rewrap sign signWithReceipt status takeMarks',
  sealed: 'handshake status',
}

function at(phase: (typeof enclavePhases)[number]) {
  const subject = phases()
  if (phase === 'boot') return subject
  if (phase === 'sealed') {
    subject.enter('sealed')
    return subject
  }
  subject.enter('attested')
  if (phase === 'loading' || phase === 'serving') subject.enter('loading')
  if (phase === 'serving') subject.enter('serving')
  return subject
}

test.each(enclavePhases)('phase %s allows its operations and no other', (phase) => {
  const subject = at(phase)
  expect(
    ops
      .filter((op) => subject.allows(op))
      .sort()
      .join(' '),
  ).toBe(allowed[phase])
  expect([...phaseTable[phase]].sort().join(' ')).toBe(allowed[phase])
})

const order: readonly string[] = ['boot', 'attested', 'loading', 'serving', 'sealed']

test('phases only move forward, but where another ring takes the place of the open one; nothing leaves sealed', () => {
  for (const from of enclavePhases) {
    for (const to of enclavePhases) {
      const subject = at(from)
      const isStep = (phaseSteps[from] as readonly string[]).includes(to)
      const isOtherRing = from === 'serving' && to === 'loading'
      expect(order.indexOf(to) > order.indexOf(from) || isOtherRing || !isStep).toBe(true)
      if (isStep) {
        subject.enter(to)
        expect(subject.current()).toBe(to)
      } else {
        expect(() => subject.enter(to)).toThrow(/no step/)
        expect(subject.current()).toBe(from)
      }
    }
  }
})
