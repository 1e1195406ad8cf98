import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Receipt, verifyReceipt } from '@symbolon/crypto/attestation'
import { makeGrant, makeTeeWallet, messageIntent, transferIntent } from '@symbolon/testing/enclave'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ReceiptFixture, ring, startReceipts } from './receipt-fixture.ts'

const program = fileURLToPath(new URL('../../packages/verify/dist/verify.js', import.meta.url))
let fixture: ReceiptFixture
const receipts: Record<string, string> = {}

beforeAll(async () => {
  fixture = await startReceipts()
  const { enclave } = fixture
  const [secp256k1, ed25519] = [
    await makeTeeWallet(enclave, ring, 'secp256k1'),
    await makeTeeWallet(enclave, ring, 'ed25519'),
  ]
  const intent = transferIntent({ chain: 'base', to: `0x${'5e'.repeat(20)}`, value: 1n })
  const message = messageIntent('ed25519', 'hello')
  const grant = await makeGrant(enclave, secp256k1)
  const { shareA, shareB } = secp256k1
  const made = {
    secp256k1: await enclave.sign({ ...secp256k1, intent, receipt: true }),
    ed25519: await enclave.sign({ ...ed25519, intent: message, receipt: true }),
    agent: await enclave.agentSign({ ...grant, intent, shareA, shareB, receipt: { spentBefore: [] } }),
  }
  for (const [name, { receipt }] of Object.entries(made)) receipts[name] = receipt?.jws ?? ''
})
afterAll(() => fixture.stop())

/** Runs `verify receipt` with the attestation of the key, and pins root and ring. */
function verify(jws: string): Promise<{ code: number | null; verdict: string; codes: string[] }> {
  const { folder } = fixture.child
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const { attestation, simulatedRoot, ringId } = fixture.boot
  const key = file('key.json', JSON.stringify(attestation))
  const root = file('root.txt', Buffer.from(simulatedRoot).toString('base64'))
  const pinned = ['--allow-simulated', '--root', root, '--ring', ringId, '--json']
  const args = [program, 'receipt', file('receipt', jws), '--attestation', key, ...pinned]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env: {} })
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.on('error', reject).on('close', (code) => {
      const { verdict, findings } = JSON.parse(out)
      resolve({ code, verdict, codes: findings.map((finding: { code: string }) => finding.code) })
    })
  })
}

const payloadOf = (jws: string): Receipt =>
  JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())

/** The receipt with another payload under its signature. */
function changed(jws: string, member: string, value: unknown): string {
  const [header, , signature] = jws.split('.')
  const payload = Buffer.from(JSON.stringify({ ...payloadOf(jws), [member]: value })).toString('base64url')
  return [header, payload, signature].join('.')
}

/** Another value of the same type. */
function other(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string') return `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`
  if (Array.isArray(value))
    return value.length > 0 ? [] : [{ kind: 'unknown', asset: null, amount: null, to: null }]
  return value === null ? {} : null
}

const members = [
  ...[
    'version',
    'mode',
    'receipt_id',
    'organization_id',
    'wallet_id',
    'public_key',
    'curve',
    'network',
    'chain',
    'type',
  ],
  ...[
    'digests',
    'signature',
    'signatures',
    'effects',
    'effects_sha256',
    'fee',
    'decision',
    'budget',
    'ring_id',
  ],
  ...['counter', 'issued_at'],
]

describe.each(['secp256k1', 'ed25519', 'agent'])('a receipt of %s', (name) => {
  test('is verified by the program that outsiders run', async () => {
    expect(await verify(receipts[name] ?? '')).toEqual({ code: 0, verdict: 'verified', codes: [] })
  })

  test('fails there with another payload under its signature', async () => {
    expect(await verify(changed(receipts[name] ?? '', 'counter', 99))).toEqual({
      code: 1,
      verdict: 'failed',
      codes: ['signature_invalid'],
    })
  })

  test('has exactly the members of a receipt', () => {
    expect(Object.keys(payloadOf(receipts[name] ?? '')).sort()).toEqual(members.toSorted())
  })

  test.each(members)('fails when its %s is changed', async (member) => {
    const jws = receipts[name] ?? ''
    const value = payloadOf(jws)[member as keyof Receipt]
    const receipt = changed(jws, member, other(value))
    expect(receipt).not.toBe(jws)
    const report = await verifyReceipt({ receipt, isSimulatedAllowed: true, ...fixture.boot })
    expect(report).toMatchObject({ verdict: 'failed', receipt: undefined })
    expect(report.findings.map(({ code }) => code)).toEqual(['signature_invalid'])
  })
})
