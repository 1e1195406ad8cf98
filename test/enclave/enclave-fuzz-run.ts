import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ed25519 } from '@noble/curves/ed25519.js'
import { keyRing } from '@symbolon/crypto/node'
import { decodeIntent, signingDigest } from '@symbolon/networks/testing/by-intent'
import { enclaveSocket, openEnclaveChannel } from '@symbolon/server/testing/adapters'
import { makeTeeWallet, messageIntent, startEnclaveProcess } from '@symbolon/testing/enclave'
import {
  type FuzzTarget,
  fuzzGrant,
  goodMessages,
  sendAsInsider,
  sendAsStranger,
  sendKeyMutant,
  sendMutant,
} from './enclave-fuzz.ts'

/** What a fuzz run saw; `insidersLeftOpen` counts malformed records and key frames after which the connection stayed open. */
export type FuzzResult = {
  pidBefore: number | undefined
  pidAfter: number | undefined
  insidersLeftOpen: number
  goodSignatures: number
  badAnswers: number
  residentGrowthBytes: number
}

const parallel = 12

function residentBytes(pid: number | undefined): number {
  if (process.platform !== 'linux') return 0
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
}

/** Opens `rounds` hostile connections to a real enclave while a good one signs without a pause. */
export async function fuzzEnclave(rounds: number): Promise<FuzzResult> {
  const child = await startEnclaveProcess()
  const enclave = enclaveSocket(child.client)
  const ring = keyRing({ purpose: 'tee-b', keyId: 'fuzz', keys: [randomBytes(32)] })
  const wallet = await makeTeeWallet(enclave, ring, 'ed25519')
  const target: FuzzTarget = {
    client: child.client,
    channelKey: (await openEnclaveChannel(child.client)).attested.publicKey,
    wallet,
  }
  const requests = goodMessages(wallet, await fuzzGrant(enclave, wallet))
  const intent = messageIntent('ed25519', 'good')
  const payload = signingDigest(decodeIntent(intent), 'ed25519', wallet.publicKey)
  const pidBefore = child.supervisor.pid()
  const residentBefore = residentBytes(pidBefore)
  let started = 0
  let insidersLeftOpen = 0
  let goodSignatures = 0
  let badAnswers = 0

  const attack = async () => {
    while (started < rounds) {
      const round = started++
      const request = requests[(round >> 3) % requests.length] ?? new Uint8Array(0)
      if (round % 8 === 0) {
        if ((await sendAsInsider(target, request)) === 'open') insidersLeftOpen += 1
      } else if (round % 8 === 4) {
        if ((await sendKeyMutant(target)) === 'open') insidersLeftOpen += 1
      } else if (round % 16 === 1) await sendMutant(target, request)
      else await sendAsStranger(target)
    }
  }
  const work = async () => {
    while (started < rounds) {
      const {
        signatures: [{ signature }],
      } = await enclave.sign({ ...wallet, intent })
      if (ed25519.verify(signature, payload, wallet.publicKey)) goodSignatures += 1
      else badAnswers += 1
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  try {
    await Promise.all([work(), ...Array.from({ length: parallel }, attack)])
    const pidAfter = child.supervisor.pid()
    const residentGrowthBytes = residentBytes(pidAfter) - residentBefore
    return { pidBefore, pidAfter, insidersLeftOpen, goodSignatures, badAnswers, residentGrowthBytes }
  } finally {
    await enclave.close()
    await child.stop()
  }
}
