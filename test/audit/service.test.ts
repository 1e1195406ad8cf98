import { type AuditKeys, verifyConsistency, verifyExport, verifyInclusion } from '@symbolon/sdk/verify'
import { openPool, type Sql } from '@symbolon/server/pool'
import { ownOrigin, startTestApp, type TestApp } from '@symbolon/testing/app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let sql: Sql
let cookie = ''
let organizationId: string
let keys: AuditKeys

beforeAll(async () => {
  app = await startTestApp()
  sql = openPool(app.database.url, { connectionsMax: 1 })
  cookie = (await app.app.portal.openSession('owner@example.test')).cookie.split(';')[0] ?? ''
  const made = await call<{ id: string }>('POST', '/v1/orgs', {
    name: 'Audited',
    slug: 'audited',
    country: 'CH',
  })
  organizationId = made.data.id
  keys = await (await fetch(`${app.url}/.well-known/jwks.json`)).json()
})
afterAll(async () => {
  await sql.end({ timeout: 1 })
  await app.stop()
})

const call = <data>(method: string, path: string, json?: object) =>
  app.call<data>(method, path, { headers: { cookie, origin: ownOrigin }, ...(json && { json }) })

const audit = <data>(path: string) => call<data>('GET', `/v1/orgs/${organizationId}/audit${path}`)

const download = (query = '?checkpoint=true') =>
  fetch(`${app.url}/v1/orgs/${organizationId}/audit/export${query}`, { headers: { cookie } })

const rename = (name: string) => call('PATCH', `/v1/orgs/${organizationId}`, { name })

/** Answers of the service as the verifier takes them. */
type Answers = {
  checkpoint: Parameters<typeof verifyInclusion>[0]['checkpoint']
  proof: Parameters<typeof verifyInclusion>[0]['proof']
  consistency: Parameters<typeof verifyConsistency>[0]['proof']
}

test('exports, checkpoints and proofs of the service verify with its public keys alone', async () => {
  for (let i = 0; i < 5; i++) await rename(`Name ${i}`)
  const older = (await audit<Answers['checkpoint']>('/checkpoint')).data
  for (let i = 0; i < 5; i++) await rename(`Näme "${i}" 😀`)
  const newer = (await audit<Answers['checkpoint']>('/checkpoint')).data
  const { body } = await download()
  if (body === null) throw new Error('no export')
  const host = new URL(ownOrigin).host
  const report = await verifyExport({
    stream: body,
    keys,
    consistentWith: [older, newer],
    organizationId,
    host,
  })
  expect(report).toMatchObject({ verdict: 'verified', findings: [] })
  expect(report.size).toBeGreaterThan(9)

  const { items } = (await audit<{ items: { id: string }[] }>('?limit=200')).data
  expect(items).toHaveLength(report.size)
  for (const event of items) {
    const { data: proof } = await audit<Answers['proof']>(`/${event.id}/proof?tree_size=${report.size}`)
    expect(await verifyInclusion({ event, proof, checkpoint: newer, keys })).toMatchObject({
      verdict: 'verified',
    })
  }
  const from = (older as { tree_size: number }).tree_size
  const { data: proof } = await audit<NonNullable<Answers['consistency']>>(`/consistency?from=${from}`)
  expect(await verifyConsistency({ older, newer, proof, keys })).toMatchObject({ verdict: 'verified' })
})

test('anybody who kept a checkpoint finds a change of the database behind the service', async () => {
  const remembered = (await audit<Answers['checkpoint']>('/checkpoint')).data
  const [{ payload } = { payload: {} }] = await sql<{ payload: object }[]>`
    select payload from audit_events where organization_id = ${organizationId} and n = 3`
  await sql`update audit_events set payload = '{"after":"nothing happened"}' where organization_id = ${organizationId} and n = 3`
  try {
    const text = await (await download('')).text()
    const lines = text.split('\n').slice(0, -1)
    const report = await verifyExport({ lines, checkpoint: remembered, keys })
    expect(report).toMatchObject({ verdict: 'failed', findings: [{ code: 'root_mismatch' }] })
    // The service itself no longer signs for it.
    expect((await download()).status).toBe(500)
    expect((await audit('/checkpoint')).status).toBe(500)
  } finally {
    await sql`update audit_events set payload = ${sql.json(payload as never)} where organization_id = ${organizationId} and n = 3`
  }
  expect((await audit('/checkpoint')).data).toEqual(remembered)
})
