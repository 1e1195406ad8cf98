import {
  type EvmCall,
  encodeCalls,
  encodeCreateAccount,
  lightAccountFactory,
  stubSignature,
} from '@symbolon/networks/evm'
import { type Bundler, BundlerError, type UserOperationDraft } from '../../ports/bundler.ts'
import type { EvmBlock, EvmRpc, GasFees } from '../../ports/evm-rpc.ts'
import type { Paymaster } from '../../ports/paymaster.ts'
import type { Random } from '../../ports/random.ts'
import { boundGasPrice } from './gas-price.ts'
import { type UnsignedOperation, worstCostWei } from './operation-json.ts'
import type { OwnedAccount } from './userops.store.ts'

/** An estimated operation, not sponsored yet, and the chain's head at that time. */
export type Draft = { operation: UnsignedOperation; head: EvmBlock; isFinal: boolean }

type DraftCtx = { rpc: EvmRpc; bundler: Bundler; paymaster: Paymaster | undefined; funds?: bigint }

const gasLimit = 2n ** 64n

/**
 * Drafts an operation of the account: call data, a nonce key of its own, the account's code if the chain has none yet, a
 * bounded price, the estimate, with `funds` as if the account had so much. Rejects with the errors of the ports.
 */
export async function draftOperation(
  { rpc, bundler, paymaster, funds }: DraftCtx,
  account: OwnedAccount,
  calls: readonly EvmCall[],
  random: Random,
): Promise<Draft> {
  const [head, code, node, asked] = await Promise.all([
    rpc.block('latest'),
    account.deployed ? '0x01' : rpc.code(account.address),
    rpc.fees(),
    askedPrice(bundler),
  ])
  const isDeployed = code !== '0x'
  const draft: UserOperationDraft = {
    sender: account.address,
    nonce: nonceOf(random),
    ...(!isDeployed && {
      factory: lightAccountFactory,
      factoryData: encodeCreateAccount(account.ownerAddress),
    }),
    callData: encodeCalls(calls),
    ...boundGasPrice(head.baseFeePerGas, node, asked),
    signature: stubSignature,
  }
  const stub = await paymaster?.stub(draft)
  const { isFinal = false, ...sponsorship } = stub ?? {}
  const gas = await bundler.estimate({ ...draft, ...sponsorship }, funds)
  const { signature: _stub, ...unsigned } = draft
  const operation: UnsignedOperation = {
    ...unsigned,
    ...sponsorship,
    callGasLimit: gas.callGasLimit,
    verificationGasLimit: gas.verificationGasLimit,
    preVerificationGas: gas.preVerificationGas,
    // Some bundlers leave out what they do not reckon; then the paymaster's own number holds.
    ...(stub !== undefined && {
      paymasterVerificationGasLimit:
        gas.paymasterVerificationGasLimit ?? stub.paymasterVerificationGasLimit ?? 0n,
      paymasterPostOpGasLimit: gas.paymasterPostOpGasLimit ?? stub.paymasterPostOpGasLimit ?? 0n,
    }),
  }
  return { operation, head, isFinal }
}

/** The price that the bundler asks for. Without one, the node's price applies; the send shows whether the bundler accepts it. */
async function askedPrice(bundler: Bundler): Promise<GasFees | undefined> {
  try {
    return await bundler.gasPrice()
  } catch (error) {
    if (error instanceof BundlerError) return undefined
    throw error
  }
}

/** Whether the numbers can be true at all: each fits 64 bits, so no sum of them overflows a field of the operation. */
export const isPlausible = (operation: UnsignedOperation): boolean =>
  worstCostWei(operation) > 0n &&
  [
    operation.callGasLimit,
    operation.verificationGasLimit,
    operation.preVerificationGas,
    operation.paymasterVerificationGasLimit ?? 0n,
    operation.paymasterPostOpGasLimit ?? 0n,
    operation.maxFeePerGas,
    operation.maxPriorityFeePerGas,
  ].every((value) => value < gasLimit)

/** The first nonce of a random key of 192 bits: operations of one account do not wait for each other. */
const nonceOf = (random: Random): bigint => BigInt(`0x${Buffer.from(random(24)).toString('hex')}`) << 64n
