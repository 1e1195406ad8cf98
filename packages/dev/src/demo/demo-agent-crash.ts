import {
  formatEther,
  type Hex,
  parseEther,
  parseGwei,
  parseTransaction,
  type TransactionSerialized,
} from 'viem'
import { untilServed } from '../start/http-call.ts'
import type { DemoClient } from './demo-client.ts'
import type { DemoPlatform } from './demo-platform.ts'
import { insist, step } from './demo-step.ts'
import { sessionEnd } from './session-end.ts'

const atOnce = 12
const killedAfter = 4
const backWithinMs = 30_000
const each = parseEther('0.01')
const gasLimit = 21_000n
const gasPrice = parseGwei('1')
/** Twenty payments with their fees. */
const cap = 20n * (each + gasLimit * gasPrice)

const skipped =
  '  (skipped: the platform was already running, and the demo kills only a platform that it started)'

type Own = { spent: { spent: string; reserved: string; remaining: string }[] }

/** A budget through `kill -9`: the signed amount is at most the spent amount, which is at most the cap. */
export async function demoAgentCrash(
  platform: DemoPlatform,
  { callAsBackend, callAsAgent }: DemoClient,
  wallet: { id: string; address: Hex },
): Promise<void> {
  const { killApi } = platform
  if (killApi === undefined) {
    return console.log(skipped)
  }
  await step('kill -9 while an agent signs', async () => {
    const { token } = await callAsBackend<{ token: string }>('POST', '/v1/s2s/agent-sessions', {
      wallet_id: wallet.id,
      name: 'Demo: crash',
      max_spend_per_tx_native: String(each),
      max_spend_total_native: String(cap),
      allowed_chains: ['local'],
      allowed_methods: ['sendTransaction'],
      expires_at: await sessionEnd(platform.file.base_url),
    })
    const released = new Map<number, bigint>()
    /** Whether the budget had room. */
    const sign = async (nonce: number) => {
      const { data } = await callAsAgent<{ signed_transaction: TransactionSerialized }>(
        token,
        'POST',
        '/v1/agents/me/sign',
        { type: 'transaction', chain: 'local', transaction: transactionWith(nonce, wallet.address) },
      )
      if (data === null) return false
      released.set(nonce, costOf(data.signed_transaction))
      return true
    }
    const isKilled = { yet: false }
    const signAndKill = async (nonce: number) => {
      await sign(nonce)
      if (isKilled.yet || released.size < killedAfter) return
      isKilled.yet = true
      killApi()
    }
    // Those that are under way when the processes die have no answer.
    await Promise.all(Array.from({ length: atOnce }, (_, nonce) => signAndKill(nonce).catch(() => {})))
    await untilServed(`${platform.file.base_url}/v1/ready`, { withinMs: backWithinMs })
    const beforeCrash = released.size
    // From the first one again: repeating a signed request costs nothing.
    for (let nonce = 0; await sign(nonce); nonce++) insist(nonce < 100, 'the budget ends')
    const { data } = await callAsAgent<Own>(token, 'GET', '/v1/agents/me')
    const [{ spent: spentText = 0, reserved = 0 } = {}] = data?.spent ?? []
    const [spent, held] = [BigInt(spentText), BigInt(reserved)]
    const left = [...released.values()].reduce((sum, cost) => sum + cost, 0n)
    insist(left <= spent, 'everything that left is on the books')
    insist(spent + held === cap, 'spent and held are the cap, to the unit')
    return [
      undefined,
      `${beforeCrash} of ${atOnce} answered; asked again: ${formatEther(left)} ETH signed, held ${formatEther(held)}, cap ${formatEther(cap)}`,
    ]
  })
}

/** Value and fee. */
function costOf(signed: TransactionSerialized): bigint {
  const { value = 0n, gas = 0n, maxFeePerGas = 0n } = parseTransaction(signed)
  return value + gas * maxFeePerGas
}

function transactionWith(nonce: number, to: Hex): object {
  return {
    nonce: `0x${nonce.toString(16)}`,
    to,
    value: `0x${each.toString(16)}`,
    data: '0x',
    gas_limit: `0x${gasLimit.toString(16)}`,
    max_fee_per_gas: `0x${gasPrice.toString(16)}`,
    max_priority_fee_per_gas: '0x1',
  }
}
