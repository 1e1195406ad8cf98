import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { networks } from '@symbolon/networks'
import { makeTestRing } from '@symbolon/testing/enclave'
import { afterAll, expect, test } from 'vitest'
import { EnclaveFault } from '../enclave-fault.ts'
import { enclaveState } from '../enclave-state.ts'
import { fileRoot } from '../ring/file-root.ts'
import { acceptState, bootState, readAcceptance } from './accept-state.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-accept-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
makeTestRing(path.join(folder, 'ring'))

/** A boot whose state operators have to accept, in phase `loading`. */
function loading() {
  const state = enclaveState(() => {}, networks, Date.now)
  state.phases.enter('attested')
  const ring = fileRoot(path.join(folder, 'ring')).open()
  const configuration = { ...ring.manifest.configuration, state_acceptance: 'operators' as const }
  state.open({ ...ring, manifest: { ...ring.manifest, configuration } })
  return state
}

function waiting() {
  const state = loading()
  state.loadMarks({ isFirst: true, isLast: true, segment: undefined })
  return state
}

const rest = { epoch: 1, logs_sha256: '0'.repeat(64) }

function refusal(attempt: () => unknown): unknown {
  try {
    attempt()
    return 'accepted'
  } catch (error) {
    if (error instanceof EnclaveFault) return error.status
    throw error
  }
}

test('operators accept what they were shown of this boot, and nothing else', () => {
  const state = waiting()
  const boot = bootState(state.vault())
  const others = [
    { ...boot, manifest_sha256: '1'.repeat(64) },
    { ...boot, ring_version: boot.ring_version + 1 },
    { ...boot, snapshot: { ...boot.snapshot, number: boot.snapshot.number + 1 } },
    { ...boot, snapshot: { ...boot.snapshot, root: '1'.repeat(64) } },
  ]
  for (const other of others)
    expect(refusal(() => acceptState(state, { boot: other, ...rest }))).toBe('refused')
  expect(state.vault().marks.isWaiting()).toBe(true)
  expect(acceptState(state, { boot, ...rest })).toEqual({ ring_id: state.vault().ring.id, ...boot })
  expect(state.vault().marks.isWaiting()).toBe(false)
})

test('a boot that has not loaded its marks has nothing to accept', () => {
  const state = loading()
  const boot = bootState(state.vault())
  expect(refusal(() => acceptState(state, { boot, ...rest }))).toBe('unavailable')
})

test('an acceptance has exactly its members', () => {
  const boot = bootState(waiting().vault())
  expect(readAcceptance({ ...boot, ...rest })).toEqual({ boot, ...rest })
  const wrong: Record<string, unknown>[] = [
    {},
    boot,
    { ...boot, ...rest, more: 1 },
    { ...boot, ...rest, epoch: 0 },
    { ...boot, ...rest, epoch: '1' },
    { ...boot, ...rest, logs_sha256: 'F'.repeat(64) },
    { ...boot, ...rest, manifest_sha256: 'x' },
    { ...boot, ...rest, ring_version: 1.5 },
    { ...boot, ...rest, snapshot: null },
    { ...boot, ...rest, snapshot: { number: 1 } },
    { ...boot, ...rest, snapshot: { ...boot.snapshot, number: '0' } },
    { ...boot, ...rest, snapshot: { ...boot.snapshot, more: 1 } },
  ]
  for (const parameters of wrong) expect(readAcceptance(parameters)).toBeUndefined()
})
