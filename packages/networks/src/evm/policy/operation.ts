import { fromHex0x, type Hex } from '../../codec/hex.ts'
import type { WalletScope } from '../../network.ts'
import { unlessRefused } from '../../network-error.ts'
import type { StoredOperation } from '../../policy/agent-decoded.ts'
import type { AgentEffects } from '../../policy/agent-effects.ts'
import { encodeCreateAccount } from '../account-calls.ts'
import { parseAddress } from '../address.ts'
import { entryPoint } from '../entry-point.ts'
import { lightAccountFactory } from '../light-account.ts'
import { operationFee, operationOfHash } from '../stored-operation.ts'
import type { UnsignedOperation } from '../user-operation.ts'
import { readCalls } from './calls.ts'
import { type OwnAccounts, ownAccounts } from './own-accounts.ts'

/**
 * What signing `hash` for the wallet's smart account does: the calls of `stored`, if its own hash (EntryPoint v0.7, on this
 * chain) is that hash, its sender the wallet's account and its factory, if any, the canonical one for the wallet's key.
 * Anything else is `undefined`: its effects are unknown. The fee is null where a paymaster pays it.
 */
export function readOperation(
  hash: Uint8Array,
  scope: WalletScope,
  stored: StoredOperation | undefined,
): AgentEffects | undefined {
  if (stored === undefined || scope.chain.network !== 'evm') return undefined
  const own = ownAccounts(scope)
  return unlessRefused(() => {
    const operation = operationOfHash(hash, scope.chain, stored)
    if (operation === undefined) return undefined
    const data = fromHex0x(operation.callData, true)
    const to = parseAddress(own.account)
    if (!data || !to || !isOf(own, operation)) return undefined
    const fee = operationFee(operation)
    if (data.length === 0) return { effects: [], fee, trap: null }
    return { ...readCalls([{ to, data, value: 0n, from: entryPoint }], own), fee }
  })
}

function isOf({ account, key }: OwnAccounts, operation: UnsignedOperation): boolean {
  const { sender, factory, factoryData } = operation
  if (sender.toLowerCase() !== account.toLowerCase()) return false
  if (factory === undefined) return factoryData === undefined
  const create = encodeCreateAccount(key as Hex)
  return factory.toLowerCase() === lightAccountFactory.toLowerCase() && factoryData?.toLowerCase() === create
}
