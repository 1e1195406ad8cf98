import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AuditEventType, KeyAttestation, ReceiptPage } from '@symbolon/api'
import { auditEventTypes } from '@symbolon/api'
import type { Receipt } from '@symbolon/crypto/attestation'
import { ringFileState } from '@symbolon/enclave/file-root'
import { verifyReceipt } from '@symbolon/sdk/verify'
import type { Tenant, TestApp } from '@symbolon/testing/app'
import { expectedMeasurements } from '@symbolon/testing/enclave'
import { expect } from 'vitest'

/** The kid that a receipt names. */
export const kidOf = (jws: string): string => partOf(jws, 0)['kid'] as string

/** A receipt's payload, unverified. */
export const payloadOf = (jws: string): Receipt => partOf(jws, 1) as Receipt

const partOf = (jws: string, at: number): Record<string, unknown> =>
  JSON.parse(Buffer.from(jws.split('.')[at] ?? '', 'base64url').toString('utf8'))

/** The payload of a receipt that the published verifier finds good against what the platform attests for its key. */
export async function verified(app: TestApp, jws: string | undefined): Promise<Receipt> {
  if (jws === undefined) return expect.fail('no receipt')
  const { data: attestation } = await app.call<KeyAttestation>('GET', `/v1/attestation/keys/${kidOf(jws)}`)
  const state = ringFileState(app.enclaveProcess.ringPath)
  const { verdict, findings, receipt } = await verifyReceipt({
    receipt: jws,
    attestation,
    ringId: state.kind === 'ring' ? state.id : '',
    measurements: [expectedMeasurements],
    isSimulatedAllowed: true,
    simulatedRoot: readFileSync(app.enclaveProcess.rootPath),
  })
  expect({ verdict, findings }).toEqual({ verdict: 'verified', findings: [] })
  return receipt ?? expect.fail('no payload')
}

/** All receipts of a list, page by page. */
export async function allReceipts(
  app: Pick<TestApp, 'call'>,
  { sk }: Pick<Tenant, 'sk'>,
  query: Record<string, string> = {},
): Promise<ReceiptPage['items']> {
  const items: ReceiptPage['items'] = []
  for (let after = 0; ; ) {
    const page = new URLSearchParams({ ...query, after: String(after) })
    const { data, text } = await app.call<ReceiptPage>('GET', `/v1/s2s/receipts?${page}`, { sk })
    if (data === null) throw new Error(`The receipts were not answered: ${text}`)
    items.push(...data.items)
    if (!data.has_more) return items
    after = data.last
  }
}

type Event = {
  payload: Record<string, unknown>
  success: boolean
  wallet_id: string | null
  error_code: string
}

/** An organization's events of one type, oldest first. */
export const eventsOfType = async (
  { sql }: Pick<TestApp, 'sql'>,
  organizationId: string,
  type: AuditEventType,
): Promise<Event[]> =>
  (
    await sql<Event[]>`
      select payload, success, wallet_id, error_code from audit_events
      where organization_id = ${organizationId} and type = ${auditEventTypes.indexOf(type)} order by n`
  ).map((row) => ({ ...row }))

/** What binds a receipt to its event. */
export const hashOf = (jws: string): string => createHash('sha256').update(jws).digest('hex')
