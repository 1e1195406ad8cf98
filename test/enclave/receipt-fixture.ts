import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { keyTransferAad, keyTransferInfo } from '@symbolon/crypto'
import { type Receipt, verifyReceipt } from '@symbolon/crypto/attestation'
import { hpkeSeal, keyRing, teeContext } from '@symbolon/crypto/node'
import type { TestKey } from '@symbolon/networks/testing/oracle-signer'
import { enclaveSocket } from '@symbolon/server/testing/adapters'
import type { Enclave, EnclaveReceipt } from '@symbolon/server/testing/ports'
import {
  bootAttestation,
  type EnclaveProcess,
  startEnclaveProcess,
  type TeeWallet,
} from '@symbolon/testing/enclave'
import { expect } from 'vitest'

/** An enclave whose receipts are verified as outsiders do. */
export type ReceiptFixture = {
  child: EnclaveProcess
  enclave: Enclave
  boot: Awaited<ReturnType<typeof bootAttestation>>
  /** The payload of a receipt that verifies, and whose members beside it are what it says. */
  verified(receipt: EnclaveReceipt | undefined): Promise<Receipt>
  stop(): Promise<void>
}

/** The API side's key ring of purpose tee-b. */
export const ring = keyRing({ purpose: 'tee-b', keyId: 'test', keys: [randomBytes(32)] })

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** Starts an enclave and has its receipt key attested. */
export async function startReceipts(): Promise<ReceiptFixture> {
  const child = await startEnclaveProcess()
  const enclave = enclaveSocket(child.client)
  const boot = await bootAttestation(child, enclave)
  return {
    child,
    enclave,
    boot,
    async verified(receipt) {
      if (receipt === undefined) return expect.fail('no receipt')
      const report = await verifyReceipt({ receipt: receipt.jws, isSimulatedAllowed: true, ...boot })
      expect(report).toMatchObject({ verdict: 'verified', findings: [] })
      const payload = report.receipt ?? expect.fail('no payload')
      expect(receipt).toEqual({
        jws: receipt.jws,
        receiptId: payload.receipt_id,
        kid: boot.attestation.kid,
        counter: payload.counter,
        issuedAt: Date.parse(payload.issued_at),
      })
      return payload
    },
    async stop() {
      await enclave.close()
      await child.stop()
    },
  }
}

/** A wallet of a known key, brought in as a browser does. */
export async function importedWallet(enclave: Enclave, { curve, privateKey }: TestKey): Promise<TeeWallet> {
  const ids = { organizationId: randomUUID(), walletId: randomUUID(), userIdentityId: randomUUID(), curve }
  const wallet = { ...ids, polynomialVersion: 1 }
  const { publicKey: importKey } = await enclave.importKey(wallet)
  const sealed = hpkeSeal(importKey, privateKey, { info: keyTransferInfo.import, aad: keyTransferAad(ids) })
  const { dataKey, wrappedKey } = ring.generateDataKey(teeContext(wallet, 'tee-b'))
  const keys = { dataKeyB: dataKey, wrappedKeyB: wrappedKey }
  const made = await enclave.import({ ...wallet, ...sealed, ...keys, importKey })
  return { ...wallet, ...made, ...keys }
}
