import { readFileSync } from 'node:fs'
import { makeKeyFile, openKeyFile } from '@symbolon/crypto/node'
import { encodeIntent } from '@symbolon/networks/testing/by-intent'
import { enclaveSocket, simulatedPolicy } from '@symbolon/server/testing/adapters'
import {
  expectedMeasurements,
  loadNoMarks,
  makeGrant,
  makePsbt,
  makeTeeWallet,
  messageIntent,
} from '@symbolon/testing/enclave'

/**
 * The API side of the enclave in a process of its own, for memory scans: makes a wallet of each curve, signs
 * (messages, PSBTs by ECDSA and by taproot, and messages for an agent), prints what it stored as JSON, and lives until its standard input ends. Arguments: socket, root, tee-b key file,
 * file of the API key, signatures, and a control pattern (hex, inverted, so that only the running process has it in plain).
 */
const [socketPath = '', rootPath = '', keyFilePath = '', apiKeyPath = '', signatures = '0', control = ''] =
  process.argv.slice(2)
const planted = Uint8Array.from(Buffer.from(control, 'hex'), (byte) => byte ^ 0xff)
const enclave = enclaveSocket({
  path: socketPath,
  policy: simulatedPolicy(readFileSync(rootPath), [expectedMeasurements]),
  apiKey: JSON.parse(readFileSync(apiKeyPath, 'utf8')),
  loadMarks: loadNoMarks,
})
makeKeyFile(keyFilePath, ['tee-b'])
const ring = openKeyFile(keyFilePath, ['tee-b']).ring('tee-b')
const stored: Record<string, string | number>[] = []
for (const curve of ['secp256k1', 'ed25519'] as const) {
  const made = await makeTeeWallet(enclave, ring, curve)
  const { dataKeyB, wrappedKeyB: _, ...wallet } = made
  const session = await makeGrant(enclave, made)
  for (let i = 0; i < Number(signatures); i++) {
    await enclave.sign({ ...wallet, dataKeyB, intent: messageIntent(curve, `message ${i}`) })
    if (curve === 'secp256k1')
      await enclave.sign({ ...wallet, dataKeyB, intent: psbtIntent(wallet.publicKey) })
    const signingRequest = { ...wallet, ...session, intent: messageIntent(curve, `agent's message ${i}`) }
    await enclave.evaluate(signingRequest)
    const { signatures } = await enclave.agentSign(signingRequest)
    if (signatures === undefined) throw new Error('an agent was refused')
  }
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  const { publicKey, shareA, shareB, ...rest } = wallet
  const { sessionId, policyVersion, grant, tokenKey } = session
  stored.push({
    ...rest,
    publicKey: hex(publicKey),
    shareA: hex(shareA),
    shareB: hex(shareB),
    sessionId,
    policyVersion,
    grant: hex(grant),
    tokenKey: hex(tokenKey),
  })
}

/** A taproot and an ECDSA signature of one PSBT. */
function psbtIntent(publicKey: Uint8Array): Uint8Array {
  const bytes = makePsbt([
    { publicKey, kind: 'p2tr' },
    { publicKey, kind: 'p2wpkh' },
  ])
  return encodeIntent({ kind: 'transaction', network: 'bitcoin', chain: 'bitcoin', bytes })
}

process.stdout.write(`${JSON.stringify(stored)}\n`)
process.stdin.on('end', () => process.exit(planted.length > 1e6 ? 1 : 0)).resume()
