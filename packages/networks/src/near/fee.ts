import { isDerivedAccount } from './account-id.ts'
import type { NearAction } from './actions.ts'

const teraGas = 10n ** 12n
/** yoctoNEAR a unit of gas: the lowest price of the network, which it keeps but under lasting congestion. */
const gasPrice = 10n ** 8n
/** More than the dearest byte costs to send and store (`deploy_contract_byte`, both sides). */
const byteGas = 2n * 10n ** 8n
/** yoctoNEAR that a byte of a global contract burns (NEP-591). */
const globalByte = 10n ** 20n

/**
 * The fee in yoctoNEAR at the worst: all gas that is attached, above what each action costs (an account, also the
 * implicit one that a transfer can make, 10 Tgas, anything else 1), bytes, and what global contracts burn.
 */
export function nearFee(actions: readonly NearAction[], receiver: string, bytes: number): bigint {
  const gas = gasOf(actions, receiver) + teraGas + BigInt(bytes) * byteGas
  return gas * gasPrice + burnt(actions)
}

function gasOf(actions: readonly NearAction[], receiver: string): bigint {
  const isNew = isDerivedAccount(receiver)
  return actions.reduce((sum, action) => {
    const { type } = action
    if (type === 'delegate')
      return sum + teraGas + teraGas + gasOf(action.delegate.actions, action.delegate.receiver)
    const makesAccount = type === 'createAccount' || (type === 'transfer' && isNew)
    const base = makesAccount ? 10n * teraGas : teraGas
    return sum + base + (type === 'functionCall' ? action.gas : 0n)
  }, 0n)
}

function burnt(actions: readonly NearAction[]): bigint {
  return actions.reduce(
    (sum, action) =>
      action.type === 'deployGlobalContract' ? sum + BigInt(action.code.length) * globalByte : sum,
    0n,
  )
}
