import type { SmartAccounts } from '../client/smart-accounts.ts'
import type { UserOps } from '../client/user-ops.ts'
import type { UserOpStatus } from '../generated/answers.ts'
import type { EvmChain, EvmChains } from './evm-chains.ts'
import type { Forward } from './forward.ts'
import { invalidParams, ProviderRpcError, providerCodes, providerError } from './provider-error.ts'
import { type WantedTransaction, wantedTransaction } from './transaction-params.ts'

/** Several calls as one operation of the smart account (EIP-5792, version 2.0.0). */
export type Calls = {
  /** The hash of the transaction that carried the calls; waits until it has landed. */
  sendOne(wanted: WantedTransaction, chain: EvmChain): Promise<string>
  sendCalls(param: unknown): Promise<{ readonly id: string }>
  status(id: unknown): Promise<unknown>
  capabilities(chainIds: unknown): Promise<unknown>
}

type Parts = {
  readonly userOps: UserOps
  readonly smartAccounts: SmartAccounts
  readonly chains: EvmChains
  readonly forward: Forward
  readonly own: (address?: unknown) => Promise<string>
}

const callsStatus = { submitted: 100, confirmed: 200, failed: 500 } as const

/** The calls of a provider in the name of a smart account. */
export function calls({ userOps, smartAccounts, chains, forward, own }: Parts): Calls {
  // A page may name its calls itself; the platform knows them by their hash.
  const hashes = new Map<string, string>()

  const send = async (wanted: readonly WantedTransaction[], { handle }: EvmChain): Promise<UserOpStatus> => {
    const provisioned = await smartAccounts.create({ chain: handle })
    if (provisioned.error !== null) throw providerError(provisioned.error)
    const sent = await userOps.send({
      chain: handle,
      calls: wanted.map(({ to, data, value }) => {
        if (to === undefined) throw invalidParams('A smart account deploys no contract by itself.')
        return { to, data, value: value.toString() }
      }),
    })
    if (sent.error !== null) throw providerError(sent.error)
    return sent.data
  }

  return {
    async sendOne(wanted, chain) {
      const { user_op_hash } = await send([wanted], chain)
      const landed = await userOps.wait(user_op_hash)
      if (landed.error !== null) throw providerError(landed.error)
      const { transaction_hash, status, reason } = landed.data
      if (status === 'failed' || transaction_hash === null)
        throw new ProviderRpcError(providerCodes.transactionRejected, reason ?? 'The operation failed.')
      return transaction_hash
    },
    async sendCalls(param) {
      const { id, from, chainId, calls: wanted, capabilities } = objectOf(param)
      if (!Array.isArray(wanted) || wanted.length === 0) throw invalidParams('`calls` is missing.')
      refuseCapabilities(capabilities)
      for (const call of wanted) refuseCapabilities(objectOf(call)['capabilities'])
      await own(from)
      const chain = await chains.find(chainId)
      if (chain?.hasBundler !== true)
        throw new ProviderRpcError(providerCodes.unsupportedChain, 'Calls cannot be sent on this chain.')
      if (typeof id === 'string' && hashes.has(id))
        throw new ProviderRpcError(providerCodes.duplicateId, 'There are calls of this id already.')
      const { user_op_hash } = await send(wanted.map(wantedTransaction), chain)
      if (typeof id !== 'string') return { id: user_op_hash }
      hashes.set(id, user_op_hash)
      return { id }
    },
    async status(id) {
      if (typeof id !== 'string') throw invalidParams('The id of the calls is missing.')
      const hash = hashes.get(id) ?? id
      const known = /^0x[0-9a-fA-F]{64}$/.test(hash) ? await userOps.get(hash) : undefined
      if (known === undefined || known.error?.code === 'not_found')
        throw new ProviderRpcError(providerCodes.unknownId, 'There are no calls of this id.')
      if (known.error !== null) throw providerError(known.error)
      const { chain, chain_id, status, transaction_hash } = known.data
      return {
        version: '2.0.0',
        id,
        chainId: `0x${chain_id.toString(16)}`,
        status: callsStatus[status],
        atomic: true,
        // Logs are the node's to tell: without one there are none to show.
        ...(transaction_hash !== null &&
          forward.reaches(chain) && {
            receipts: [await forward.call(chain, 'eth_getTransactionReceipt', [transaction_hash])],
          }),
      }
    },
    async capabilities(chainIds) {
      const wanted = Array.isArray(chainIds)
        ? (await Promise.all(chainIds.map(chains.find))).filter((chain) => chain !== undefined)
        : await chains.all()
      return Object.fromEntries(
        wanted.map(({ chainId, hasBundler }) => [
          chainId,
          { atomic: { status: hasBundler ? 'supported' : 'unsupported' } },
        ]),
      )
    },
  }
}

function objectOf(param: unknown): Record<string, unknown> {
  if (typeof param !== 'object' || param === null || Array.isArray(param))
    throw invalidParams('An object is missing.')
  return param as Record<string, unknown>
}

/** EIP-5792: what the page insists on and the wallet cannot do is refused. */
function refuseCapabilities(capabilities: unknown): void {
  if (capabilities === undefined) return
  for (const [name, value] of Object.entries(objectOf(capabilities)))
    if (objectOf(value)['optional'] !== true)
      throw new ProviderRpcError(providerCodes.unsupportedCapability, `${name} is not supported.`)
}
