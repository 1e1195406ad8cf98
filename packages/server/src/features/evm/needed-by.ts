import type { PrepareTx } from '@symbolon/api'
import type * as z from 'zod'
import type { EvmChain } from '../../ports/evm-chains.ts'
import { EvmRpcError } from '../../ports/evm-rpc.ts'
import { type Failure, failure } from '../../runtime/failure.ts'
import {
  explainRefusal,
  FillInError,
  fillIn,
  lackOfFunds,
  type TxCall,
  type TxNeeds,
  transferGas,
} from '../transactions/index.ts'

/** A call of the wallet, and what the request says about its price. */
export type AskedCall = {
  readonly call: TxCall
  readonly gasLimit: bigint | undefined
  readonly maxFeePerGas: bigint | undefined
  readonly isPaid: boolean
}

/** What a request says about the price of its call. */
export function optionsOf(input: z.output<typeof PrepareTx>): Omit<AskedCall, 'call'> {
  return {
    gasLimit: wei(input.gas_limit),
    maxFeePerGas: wei(input.max_fee_per_gas),
    isPaid: input.check_funds === true,
  }
}

/** What the chain says the call needs, or why it will not be made. */
export async function neededBy(
  chain: EvmChain,
  { call, gasLimit, maxFeePerGas, isPaid }: AskedCall,
): Promise<TxNeeds | Failure<'rpc_failed' | 'estimate_gas_reverted'>> {
  try {
    const needs = priced(await fillIn(chain.rpc, call, gasLimit), maxFeePerGas)
    if (!isPaid) return needs
    const needed = call.value + needs.gasLimit * needs.maxFeePerGas
    const balance = await chain.rpc.pendingBalance(call.from)
    const lack = lackOfFunds('wallet', { balance, needed, fees: 'included' }, chain.chain.nativeAsset)
    return lack === undefined ? needs : failure('estimate_gas_reverted', lack)
  } catch (error) {
    if (error instanceof EvmRpcError) return failure('rpc_failed', { cause: error })
    if (!(error instanceof FillInError)) throw error
    if (error.code === 'rpc_failed') return failure(error.code, { cause: error })
    return failure(error.code, await reasonOf(chain, call, maxFeePerGas, error))
  }
}

/** Nodes estimate nothing that costs more than the account has: then it is money that is missing, not the call that is wrong. */
async function reasonOf(
  { rpc, chain }: EvmChain,
  call: TxCall,
  maxFeePerGas: bigint | undefined,
  { refusal }: FillInError,
) {
  // The gas of a transfer is known without an estimate.
  const fee = call.data === '0x' ? (maxFeePerGas ?? (await feeOf(rpc))) : undefined
  const needed = call.value + (fee ?? 0n) * transferGas
  const asked = { from: call.from, needed, fees: fee === undefined ? 'not included' : 'included' } as const
  return explainRefusal(rpc, 'wallet', asked, { refusal, asset: chain.nativeAsset })
}

const feeOf = (rpc: EvmChain['rpc']): Promise<bigint | undefined> =>
  rpc.fees().then(
    ({ maxFeePerGas }) => maxFeePerGas,
    () => undefined,
  )

/** At the price that the request names; the tip is never above the highest fee (EIP-1559). */
function priced(needs: TxNeeds, maxFeePerGas: bigint | undefined): TxNeeds {
  if (maxFeePerGas === undefined) return needs
  const tip = needs.maxPriorityFeePerGas
  return { ...needs, maxFeePerGas, maxPriorityFeePerGas: tip < maxFeePerGas ? tip : maxFeePerGas }
}

const wei = (text: string | undefined): bigint | undefined => (text === undefined ? undefined : BigInt(text))
