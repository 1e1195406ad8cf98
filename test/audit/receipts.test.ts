import { createHash, randomUUID } from 'node:crypto'
import { verifyReceipt } from '@symbolon/sdk/verify'
import { auditStore } from '@symbolon/server/testing/audit'
import { simulatedBoot } from '@symbolon/testing/attestation'
import { testIds } from '@symbolon/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuditFixture, partsOf, startAuditFixture, strangerKey } from './audit-fixture.ts'

const boot = simulatedBoot()
const attestation = boot.keyAttestation()
const expected = { ringId: boot.ringId, isSimulatedAllowed: true, simulatedRoot: boot.root }
let fixture: AuditFixture
let receipt: string
let eventId: string
let organizationId: string

beforeAll(async () => {
  fixture = await startAuditFixture()
  organizationId = await fixture.log(20)
  receipt = boot.receipt({ organization_id: organizationId })
  eventId = await logged({ receipt_sha256: createHash('sha256').update(receipt).digest('hex') })
  await fixture.write(organizationId, 20)
})
afterAll(() => fixture.stop())

async function logged(payload: Record<string, unknown>): Promise<string> {
  const id = testIds.next()
  const event = {
    organizationId,
    type: 'wallet.signed',
    actorType: 'api_key',
    actorId: 'key',
    success: true,
  } as const
  await auditStore.commit(fixture.sql, [{ id, event: { ...event, payload } }])
  return id
}

/** A proof as the API gives it: the event as its line, the path, and the head. */
async function proofOf(id: string) {
  const checkpoint = await fixture.checkpoint(organizationId)
  const proof = await fixture.inclusion(organizationId, id, checkpoint.tree_size)
  const event = partsOf(await fixture.download(organizationId)).lines.find((line) => line.includes(id)) ?? ''
  return { event, proof, checkpoint }
}

const codes = ({ findings }: { findings: readonly { code: string }[] }) => findings.map(({ code }) => code)

test('a receipt whose hash is in the audit log under a signed head is verified with its proof', async () => {
  const { keys } = fixture
  const proof = await proofOf(eventId)
  expect(await verifyReceipt({ receipt, attestation, proof, keys, ...expected })).toMatchObject({
    verdict: 'verified',
    findings: [],
    receipt: { organization_id: organizationId },
  })
  const event = JSON.parse(proof.event)
  const asObject = { ...proof, event }
  expect(await verifyReceipt({ receipt, attestation, proof: asObject, keys, ...expected })).toMatchObject({
    verdict: 'verified',
  })
})

test('without keys of the platform the proof is not checked, which proves nothing', async () => {
  const report = await verifyReceipt({ receipt, attestation, proof: await proofOf(eventId), ...expected })
  expect([report.verdict, codes(report)]).toEqual(['unproven', ['proof_not_checked']])
})

test('the proof of another event, head, key or organization fails', async () => {
  const { keys } = fixture
  const proof = await proofOf(eventId)
  const other = await logged({ receipt_sha256: createHash('sha256').update('another').digest('hex') })
  const changed = proof.event.replace('"success":true', '"success":false')
  for (const bad of [
    await proofOf(other),
    { ...proof, proof: (await proofOf(other)).proof },
    { ...proof, event: changed },
    { ...proof, checkpoint: 'no note' },
  ]) {
    const report = await verifyReceipt({ receipt, attestation, proof: bad, keys, ...expected })
    expect([report.verdict, [...new Set(codes(report))]]).toEqual(['failed', ['proof_invalid']])
  }
  const strange = { keys: [strangerKey().jwk] }
  expect(codes(await verifyReceipt({ receipt, attestation, proof, keys: strange, ...expected }))).toEqual([
    'proof_invalid',
  ])
  const elsewhere = boot.receipt({ organization_id: randomUUID() })
  expect(codes(await verifyReceipt({ receipt: elsewhere, attestation, proof, keys, ...expected }))).toEqual([
    'proof_invalid',
    'proof_invalid',
  ])
})
