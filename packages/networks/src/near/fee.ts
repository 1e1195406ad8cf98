import { isDerivedAccount } from './account-id.ts'
import type { NearAction } from './actions.ts'
import { tokenCall } from './token-call.ts'

const teraGas = 10n ** 12n
/** What a transfer burns, its receipt included (0.446 Tgas by the protocol's costs). */
const transferGas = 450n * 10n ** 9n
/** What a transfer burns beside that where it may create its receiver: the account (3.85 Tgas to send, as much to run) and its key. */
const newAccountGas = 7_910n * 10n ** 9n
/** yoctoNEAR a unit of gas: ten times the lowest price of the network, which rises while it is congested. */
const gasPrice = 10n ** 9n
/** The lowest price, by which what is not stated is counted. */
const lowestPrice = 10n ** 8n
/** More than the dearest byte costs to send and store (`deploy_contract_byte`, both sides). */
const byteGas = 2n * 10n ** 8n
/** yoctoNEAR that a byte of a global contract burns (NEP-591). */
const globalByte = 10n ** 20n

/** What a receiver's actions cost. */
type Costs = { readonly receiver: string; readonly actions: readonly NearAction[] }

/**
 * The fee in yoctoNEAR at the worst: the gas that calls attach and 0.45 Tgas a transfer (8.36 where it may create its receiver), at ten
 * times the lowest price; what global contracts burn; and the one yoctoNEAR that token calls ask for. Where bytes and receipts cost more
 * at the lowest price, that.
 */
export function nearFee(transaction: Costs, bytes: number): bigint {
  const { actions } = transaction
  const stated = gasOf(transaction, 0n) * gasPrice
  const whole = (gasOf(transaction, teraGas) + teraGas + BigInt(bytes) * byteGas) * lowestPrice
  return (stated > whole ? stated : whole) + burnt(actions) + BigInt(actions.filter(isTokenCall).length)
}

/** Whether an action is a call of a token's method, with the one yoctoNEAR that these ask for. */
export function isTokenCall(action: NearAction): boolean {
  if (action.type !== 'functionCall') return false
  return action.deposit === 1n && tokenCall(action.method, action.args) !== undefined
}

/** `callGas` is what a call costs beside the gas that it attaches. */
function gasOf({ receiver, actions }: Costs, callGas: bigint): bigint {
  return actions.reduce((sum, action) => {
    switch (action.type) {
      case 'transfer':
        return sum + transferGas + (isDerivedAccount(receiver) ? newAccountGas : 0n)
      case 'functionCall':
        return sum + action.gas + callGas
      case 'createAccount':
        return sum + 10n * teraGas
      case 'delegate':
        return sum + 2n * teraGas + gasOf(action.delegate, callGas)
      default:
        return sum + teraGas
    }
  }, 0n)
}

function burnt(actions: readonly NearAction[]): bigint {
  return actions.reduce(
    (sum, action) =>
      action.type === 'deployGlobalContract' ? sum + BigInt(action.code.length) * globalByte : sum,
    0n,
  )
}
