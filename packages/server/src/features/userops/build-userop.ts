import type { BuildUserOp, BuiltUserOp, Fail } from '@symbolon/api'
import { checksumAddress, parseAddress } from '@symbolon/networks'
import {
  type BuiltOperation,
  type EvmCall,
  type Hex,
  lightAccountFactory,
  paymasterAndDataHash,
  previewCalls,
  stubSignature,
  userOperationHash,
  userOperationJson,
} from '@symbolon/networks/evm'
import type * as z from 'zod'
import type { Sql } from '../../db/pool.ts'
import type { Organization } from '../../http/principal.ts'
import type { Bundler } from '../../ports/bundler.ts'
import type { Ids } from '../../ports/clock.ts'
import type { EvmChain, EvmChains } from '../../ports/evm-chains.ts'
import type { Paymaster } from '../../ports/paymaster.ts'
import type { Prices } from '../../ports/prices.ts'
import type { Random } from '../../ports/random.ts'
import { unsupportedChain } from '../../ports/unsupported-chain.ts'
import { eurText } from '../spending/index.ts'
import { type ChainErrors, failedBy } from './chain-errors.ts'
import { draftOperation, isPlausible } from './draft-operation.ts'
import { type UnsignedOperation, worstCostWei } from './operation-json.ts'
import { budgetOf } from './sponsorship.store.ts'
import { microEur, monthlyCapMicro } from './sponsorship.ts'
import { type NewOperation, type OwnedAccount, useropsStore } from './userops.store.ts'

/** The errors of a build. */
export type BuildErrors =
  | ChainErrors
  | 'chain_unsupported'
  | 'bad_to'
  | 'gas_cap_exceeded'
  | 'wallet_not_found'
  | 'wallet_archived'
  | 'smart_account_not_provisioned'

/** The user who calls. */
export type CallingUser = { organization: Organization; identity: { id: string } }

type Input = z.output<typeof BuildUserOp>
type Output = z.output<typeof BuiltUserOp>

// Seconds: how long a built operation can be submitted, how much earlier than its sponsorship, and the least that is worth it.
const lifetimeSeconds = 600n
const sponsorshipMarginSeconds = 60n
const leastSeconds = 60n
/** Without a sponsorship that ends nothing bounds when an operation lands; after this it is given up. */
const openEndSeconds = 3_600n
/** A reorganisation may let it land in a block before the one that was the head when it was built. */
const blocksBack = 64n

/**
 * Builds operations: estimate, reserve, sponsor, store. The worst cost is reserved and committed before the paymaster
 * signs for it; the paymaster's signature leaves only with the submitted operation, so an unsubmitted one costs nothing.
 */
export function userOpBuilder({
  sql,
  evm,
  prices,
  random,
  ids,
}: {
  sql: Sql
  evm: EvmChains
  prices: Prices
  random: Random
  ids: Ids
}) {
  return async (principal: CallingUser, input: Input, fail: Fail<BuildErrors>): Promise<Output> => {
    const { organization, identity } = principal
    const wired = organization.supportedNetworks.includes('evm') ? evm.get(input.chain) : undefined
    const account = await useropsStore.accountOf(
      sql,
      organization.id,
      identity.id,
      wired?.chain.handle ?? '',
      lightAccountFactory,
    )
    if (account === undefined) throw fail('wallet_not_found')
    if (account.walletStatus === 'archived') throw fail('wallet_archived')
    if (wired?.bundler === undefined) {
      const lacking = wired === undefined ? 'node' : 'bundler'
      const message = unsupportedChain(input.chain, organization.supportedNetworks, lacking)
      throw fail('chain_unsupported', { message })
    }
    const { accountId } = account
    if (accountId === null) throw fail('smart_account_not_provisioned')
    const calls = input.calls.map((call) => callOf(call, fail))
    const paymaster = input.sponsored ? wired.paymaster : undefined

    try {
      const ready = { ...wired, bundler: wired.bundler, paymaster }
      return await build(principal, ready, { ...account, accountId }, calls, input, fail)
    } catch (error) {
      throw failedBy(error, fail)
    }
  }

  type Ready = Omit<EvmChain, 'paymaster'> & { bundler: Bundler; paymaster: Paymaster | undefined }

  async function build(
    { organization, identity }: CallingUser,
    wired: Ready,
    account: OwnedAccount & { accountId: string },
    calls: readonly EvmCall[],
    input: Input,
    fail: Fail<BuildErrors>,
  ): Promise<Output> {
    const { chain, chainId, paymaster } = wired
    const [{ operation, head, isFinal }, price] = await Promise.all([
      draftOperation(wired, account, calls, random),
      paymaster === undefined ? undefined : prices.of(chain),
    ])
    if (!isPlausible(operation)) throw fail('bundler_failed')
    const worstWei = worstCostWei(operation)

    const id = ids.next()
    await reserve(
      {
        id,
        organizationId: organization.id,
        identityId: identity.id,
        account,
        chain: chain.handle,
        chainId,
        operation,
        fromBlock: head.number > blocksBack ? head.number - blocksBack : 0n,
        ...(price !== undefined && {
          reserve: { reserveMicro: microEur(worstWei, price.eurE8), capMicro: monthlyCapMicro, price },
        }),
      },
      fail,
    )
    try {
      const sponsored = await sponsor(operation, isFinal ? undefined : paymaster, fail)
      const end = endsOf(head.timestamp, sponsored.validUntil)
      if (end.lifetimeSeconds < leastSeconds) throw fail('bundler_failed')
      const hash = userOperationHash(sponsored.operation, chainId)
      const expiresAt = await useropsStore.complete(sql, id, {
        ...end,
        hash,
        operation: sponsored.operation,
        lifetimeSeconds: Number(end.lifetimeSeconds),
      })
      if (expiresAt === undefined) throw fail('bundler_failed')
      const decoded = previewCalls(calls, {
        chain,
        from: account.address,
        fee: worstWei,
        expiresAt: expiresAt.toISOString(),
        isSponsored: paymaster !== undefined,
      })
      return {
        user_op_hash: hash,
        user_operation: userOperationJson(builtOperation(sponsored.operation)),
        preview: input.preview ?? decoded,
        decoded_preview: decoded,
        expires_at: expiresAt.toISOString(),
      } as Output
    } catch (error) {
      // What was reserved is free again; should the database be gone as well, the worker does it.
      await useropsStore.expire(sql, id).catch(() => {})
      throw error
    }
  }

  async function reserve(operation: NewOperation, fail: Fail<BuildErrors>): Promise<void> {
    if (await useropsStore.reserve(sql, operation)) return
    const { status, spentMicro } = await budgetOf(sql, operation.account.walletId)
    if (status === 'archived') throw fail('wallet_archived')
    const left = monthlyCapMicro - spentMicro
    const details = { cap_eur: eurText(monthlyCapMicro), left_eur: eurText(left < 0n ? 0n : left) }
    throw fail('gas_cap_exceeded', {
      details,
      message: `The sponsorship budget of this month (EUR ${details.cap_eur}) does not cover this operation: EUR ${details.left_eur} is left.`,
    })
  }
}

/** What its owner gets to see: the paymaster's signature stays here until the operation is submitted. */
function builtOperation(operation: UnsignedOperation): BuiltOperation {
  const {
    paymaster,
    paymasterVerificationGasLimit: _verification,
    paymasterPostOpGasLimit: _postOp,
    paymasterData: _data,
    ...own
  } = operation
  return paymaster === undefined ? own : { ...own, paymasterAndDataHash: paymasterAndDataHash(operation) }
}

/** The operation with the paymaster's signature. It may lower what the operation costs at worst, never raise it. */
async function sponsor(
  operation: UnsignedOperation,
  paymaster: Paymaster | undefined,
  fail: Fail<BuildErrors>,
): Promise<{ operation: UnsignedOperation; validUntil: bigint | undefined }> {
  if (paymaster === undefined) return { operation, validUntil: undefined }
  const { validUntil, ...sponsorship } = await paymaster.sponsor({ ...operation, signature: stubSignature })
  const sponsored = { ...operation, ...sponsorship }
  if (!isPlausible(sponsored) || worstCostWei(sponsored) > worstCostWei(operation))
    throw fail('bundler_failed')
  return { operation: sponsored, validUntil }
}

/** On the chain's clock: until when it is submitted, and from when on it cannot land. */
function endsOf(now: bigint, sponsoredUntil: bigint | undefined) {
  const latest = now + lifetimeSeconds
  const sponsored = sponsoredUntil === undefined ? latest : sponsoredUntil - sponsorshipMarginSeconds
  const chainExpiresAt = sponsored < latest ? sponsored : latest
  return {
    chainExpiresAt,
    validUntil: sponsoredUntil ?? chainExpiresAt + openEndSeconds,
    lifetimeSeconds: chainExpiresAt - now,
  }
}

function callOf({ to, data, value }: Input['calls'][number], fail: Fail<BuildErrors>): EvmCall {
  // A checksum is nobody's concern here, as in prepare-tx.
  const address = to.startsWith('0x') ? parseAddress(to.toLowerCase()) : undefined
  if (address === undefined) throw fail('bad_to')
  return { to: checksumAddress(address), data: data.toLowerCase() as Hex, value: BigInt(value) }
}
