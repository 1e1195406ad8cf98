import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { keyTransferAad, keyTransferInfo } from '@symbolon/crypto'
import { keyRing, teeContext } from '@symbolon/crypto/node'
import type { Curve } from '@symbolon/networks'
import { enclaveSocket } from '@symbolon/server/testing/adapters'
import type { Enclave } from '@symbolon/server/testing/ports'
import {
  canScanMemory,
  type EnclaveProcess,
  makeTeeWallet,
  scanMemory,
  startEnclaveProcess,
} from '@symbolon/testing/enclave'
import { type HpkeSecrets, hpkeSecrets, openHpke, sealHpke } from '@symbolon/testing/hpke'
import { afterAll, beforeAll, expect, test } from 'vitest'

const transfers = 60
const ring = keyRing({ purpose: 'tee-b', keyId: 'b', keys: [randomBytes(32)] })
const patterns: { name: string; bytes: Uint8Array }[] = []
let process: EnclaveProcess
let enclave: Enclave

beforeAll(async () => {
  process = await startEnclaveProcess()
  enclave = enclaveSocket(process.client)
  for (const curve of ['secp256k1', 'ed25519'] as const) {
    for (let i = 0; i < transfers; i++) {
      const isTold = i === 0 || i === transfers - 1
      await exportOne(curve, isTold)
      await importOne(curve, isTold)
      await importNonsense(curve, isTold)
    }
  }
})

afterAll(async () => {
  await enclave.close()
  await process.stop()
})

function remember(name: string, key: Uint8Array, { dh, shared, secret, key: aead }: HpkeSecrets) {
  const words = Uint8Array.from(key).reverse()
  for (const [what, bytes] of Object.entries({ key, words, dh, shared, secret, aead })) {
    patterns.push({ name: `${name}: half of ${what}`, bytes: bytes.subarray(0, 16) })
    patterns.push({ name: `${name}: second half of ${what}`, bytes: bytes.subarray(16, 32) })
  }
}

async function exportOne(curve: Curve, isTold: boolean) {
  const wallet = await makeTeeWallet(enclave, ring, curve)
  const userIdentityId = randomUUID()
  const recipient = createECDH('prime256v1')
  const sealed = await enclave.export({ ...wallet, userIdentityId, recipient: recipient.generateKeys() })
  const context = { info: keyTransferInfo.export, aad: keyTransferAad({ ...wallet, userIdentityId }) }
  const key = openHpke(recipient, sealed, context)
  const dh = recipient.computeSecret(sealed.enc)
  if (isTold)
    remember(`${curve} export`, key, hpkeSecrets(dh, sealed.enc, recipient.getPublicKey(), context.info))
}

/** What a browser does of an import, and what the API does. */
async function importOne(curve: Curve, isTold: boolean, key: Uint8Array = randomBytes(32)) {
  const ids = { organizationId: randomUUID(), walletId: randomUUID(), userIdentityId: randomUUID(), curve }
  const wallet = { ...ids, polynomialVersion: 1 }
  const { publicKey } = await enclave.importKey(wallet)
  const context = { info: keyTransferInfo.import, aad: keyTransferAad(ids) }
  const { secrets, ...sealed } = sealHpke(publicKey, key, context)
  if (isTold) remember(`${curve} import`, key, secrets)
  const { dataKey, wrappedKey } = ring.generateDataKey(teeContext(wallet, 'tee-b'))
  const keys = { dataKeyB: dataKey, wrappedKeyB: wrappedKey }
  return enclave.import({ ...wallet, ...sealed, ...keys, importKey: publicKey })
}

/** Opens, and then is not taken: no number, or of another length. */
async function importNonsense(curve: Curve, isTold: boolean) {
  const nonsense = curve === 'secp256k1' ? Buffer.alloc(32, 0xff) : randomBytes(33)
  if (curve === 'secp256k1') randomBytes(12).copy(nonsense, 20)
  const refused = importOne(curve, curve === 'ed25519' && isTold, nonsense)
  await expect(refused).rejects.toMatchObject({ code: 'invalid_payload' })
}

test.runIf(canScanMemory)(
  'after exports and imports of each curve the enclave holds no key, and nothing that opens what was sealed',
  () => {
    const pid = process.supervisor.pid() ?? 0
    expect(scanMemory(pid, [Buffer.from(process.socketPath)]).length).toBeGreaterThan(0)
    const hits = scanMemory(
      pid,
      patterns.map(({ bytes }) => bytes),
    )
    const found = hits.map(({ pattern, region }) => `${patterns[pattern]?.name} in ${region || 'anonymous'}`)
    expect(found).toEqual([])
  },
)
