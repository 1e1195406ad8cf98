import type { BuildUserOp, BuiltUserOp } from '@symbolon/api'
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
import type { Price, Prices } from '../../ports/prices.ts'
import type { Random } from '../../ports/random.ts'
import { unsupportedChain } from '../../ports/unsupported-chain.ts'
import { type Failure, failure, isFailure } from '../../runtime/failure.ts'
import type { FairTurns } from '../../runtime/fair-turns.ts'
import { type Budget, microEur, monthlyCapMicro, sponsorshipStore } from '../smart-accounts/index.ts'
import { eurText } from '../spending/index.ts'
import { revertedEstimate, richWei, unpaidEstimate, unpaidOperation } from './account-funds.ts'
import { type ChainErrors, failedBy } from './chain-errors.ts'
import { type Draft, draftOperation, isPlausible } from './draft-operation.ts'
import { type UnsignedOperation, worstCostWei } from './operation-json.ts'
import { type OwnedAccount, useropsStore } from './userops.store.ts'

/** The errors of a build. */
export type BuildErrors =
  | ChainErrors
  | 'estimate_gas_reverted'
  | 'chain_unsupported'
  | 'bad_to'
  | 'gas_cap_exceeded'
  | 'wallet_not_found'
  | 'wallet_archived'
  | 'smart_account_not_provisioned'

/** The user whose operations they are. */
export type CallingUser = { organization: Organization; identity: { id: string } }

type Input = z.output<typeof BuildUserOp>
type Output = z.output<typeof BuiltUserOp>

// Seconds: how long a built operation can be submitted, how much earlier than its sponsorship, and the least that is worth it.
const lifetimeSeconds = 600n
const sponsorshipMarginSeconds = 60n
const leastSeconds = 60n
/** Without a sponsorship that ends nothing bounds when an operation is confirmed; after this it is given up. */
const openEndSeconds = 3_600n
/** A reorganisation may confirm it in a block before the one that was the head when it was built. */
const blocksBack = 64n

/** The context for building operations. */
export type BuildCtx = {
  sql: Sql
  chains: EvmChains
  prices: Prices
  random: Random
  ids: Ids
  turns: FairTurns
}

/** A chain that can build operations, with the paymaster only where it is to pay. */
type Ready = Omit<EvmChain, 'paymaster'> & { bundler: Bundler; paymaster: Paymaster | undefined }

type Order = {
  principal: CallingUser
  chain: Ready
  account: OwnedAccount & { accountId: string }
  calls: readonly EvmCall[]
  input: Input
}

/**
 * Builds an operation: estimate, reserve, sponsor, store. The worst cost is reserved and committed before the paymaster
 * signs for it; the paymaster's signature leaves only with the submitted operation, so an unsubmitted one costs nothing.
 */
export async function buildOperation(
  ctx: BuildCtx,
  principal: CallingUser,
  input: Input,
): Promise<Output | Failure<BuildErrors>> {
  const { organization, identity } = principal
  const configured = organization.supportedNetworks.includes('evm') ? ctx.chains.get(input.chain) : undefined
  const account = await useropsStore.accountOf(
    ctx.sql,
    organization.id,
    identity.id,
    configured?.chain.handle ?? '',
    lightAccountFactory,
  )
  if (account === undefined) return failure('wallet_not_found')
  if (account.walletStatus === 'archived') return failure('wallet_archived')
  if (configured?.bundler === undefined) {
    const lacking = configured === undefined ? 'node' : 'bundler'
    const message = unsupportedChain(input.chain, organization.supportedNetworks, lacking)
    return failure('chain_unsupported', { message })
  }
  const { accountId } = account
  if (accountId === null) return failure('smart_account_not_provisioned')
  const calls = callsOf(input)
  if (calls === undefined) return failure('bad_to')
  const paymaster = input.sponsored ? configured.paymaster : undefined

  const chain = { ...configured, bundler: configured.bundler, paymaster }
  try {
    return await build(ctx, { principal, chain, account: { ...account, accountId }, calls, input })
  } catch (error) {
    const isSponsored = paymaster !== undefined
    const payer = { ...account, calls }
    const draft = () => draftOperation({ ...chain, funds: richWei }, account, calls, ctx.random)
    const isToldUnpaid = input.check_funds === true && !isSponsored
    const unpaid = isToldUnpaid && (await unpaidEstimate(chain, payer, { error, draft }))
    return unpaid || ((await revertedEstimate(chain, payer, { error, isSponsored })) ?? failedBy(error))
  }
}

async function build(ctx: BuildCtx, order: Order): Promise<Output | Failure<BuildErrors>> {
  const { chain, account, calls, input } = order
  const [draft, price] = await Promise.all([
    draftOperation(chain, account, calls, ctx.random),
    chain.paymaster === undefined ? undefined : ctx.prices.of(chain.chain),
  ])
  if (!isPlausible(draft.operation)) return failure('bundler_failed')
  const unpaid =
    input.check_funds === true && (await unpaidOperation(chain, { ...account, calls }, draft.operation))
  if (unpaid) return unpaid
  const id = ctx.ids.next()
  const refused = await reserve(ctx.sql, id, order, draft, price)
  if (refused !== undefined) return refused

  // Whatever was reserved is free again; if the database is gone as well, the worker expires the operation.
  const abandon = () => useropsStore.expire(ctx.sql, id).catch(() => {})
  const completed = await complete(ctx, id, order, draft).catch(async (error: unknown) => {
    await abandon()
    throw error
  })
  if (isFailure(completed)) await abandon()
  return completed
}

/** Reserves what the operation costs at worst; undefined when it fits. */
async function reserve(
  sql: Sql,
  id: string,
  { principal, chain, account }: Order,
  { operation, head }: Draft,
  price: Price | undefined,
): Promise<undefined | Failure<'wallet_archived' | 'gas_cap_exceeded'>> {
  const wanted = {
    id,
    organizationId: principal.organization.id,
    identityId: principal.identity.id,
    account,
    chain: chain.chain.handle,
    chainId: chain.chainId,
    operation,
    fromBlock: head.number > blocksBack ? head.number - blocksBack : 0n,
    ...(price !== undefined && {
      reserve: {
        reserveMicro: microEur(worstCostWei(operation), price.eurE8),
        capMicro: monthlyCapMicro,
        price,
      },
    }),
  }
  if (await sql.alone((tx) => useropsStore.reserve(tx, wanted))) return undefined
  const budget = await sponsorshipStore.budgetOf(sql, account.walletId)
  return budget.status === 'archived' ? failure('wallet_archived') : capExceeded(budget)
}

/** Names the limit that leaves least: the wallet's own, that of all wallets of its organization, or that of the installation. */
function capExceeded(budget: Budget): Failure<'gas_cap_exceeded'> {
  const { leftMicro: own, organizationLeftMicro: organization, installationLeftMicro: installation } = budget
  const all = [own, organization, installation]
  const least = all.find((left) => all.every((other) => left <= other)) ?? 0n
  const details = { cap_eur: eurText(monthlyCapMicro), left_eur: eurText(least) }
  const shared = organization === least ? 'organization' : 'installation'
  const message =
    own === least
      ? `The sponsorship budget of this month (EUR ${details.cap_eur}) does not cover this operation: EUR ${details.left_eur} is left.`
      : `This ${shared}'s budget for sponsored gas this month does not cover this operation: EUR ${details.left_eur} of the wallet's EUR ${details.cap_eur} is left.`
  return failure('gas_cap_exceeded', { details, message })
}

/** Sponsors a reserved operation, and makes it submittable. */
async function complete(
  { sql, turns }: BuildCtx,
  id: string,
  { principal, chain: { chain, chainId, paymaster }, account, calls, input }: Order,
  { operation, head, isFinal }: Draft,
): Promise<Output | Failure<'bundler_failed'>> {
  const sponsored = await sponsor(operation, isFinal ? undefined : paymaster)
  if (isFailure(sponsored)) return sponsored
  const end = endsOf(head.timestamp, sponsored.validUntil)
  if (end.lifetimeSeconds < leastSeconds) return failure('bundler_failed')
  const hash = userOperationHash(sponsored.operation, chainId)
  const lifetimeSeconds = Number(end.lifetimeSeconds)
  const built = { ...end, hash, operation: sponsored.operation, lifetimeSeconds }
  const expiresAt = await sql.alone((tx) => useropsStore.complete(tx, id, built))
  if (expiresAt === undefined) return failure('bundler_failed')
  const decode = () =>
    previewCalls(calls, {
      chain,
      from: account.address,
      fee: worstCostWei(operation),
      expiresAt: expiresAt.toISOString(),
      isSponsored: paymaster !== undefined,
    })
  const length = calls.reduce((sum, { data }) => sum + data.length, 0)
  const decoded = await turns.run(principal.organization.id, decode, length)
  return {
    user_op_hash: hash,
    user_operation: userOperationJson(builtOperation(sponsored.operation)),
    preview: input.preview ?? decoded,
    decoded_preview: decoded,
    expires_at: expiresAt.toISOString(),
  } as Output
}

/** The operation as its owner sees it: the paymaster's signature stays here until the operation is submitted. */
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
): Promise<{ operation: UnsignedOperation; validUntil: bigint | undefined } | Failure<'bundler_failed'>> {
  if (paymaster === undefined) return { operation, validUntil: undefined }
  const { validUntil, ...sponsorship } = await paymaster.sponsor({ ...operation, signature: stubSignature })
  const sponsored = { ...operation, ...sponsorship }
  if (!isPlausible(sponsored) || worstCostWei(sponsored) > worstCostWei(operation))
    return failure('bundler_failed')
  return { operation: sponsored, validUntil }
}

/** On the chain's clock: until when it is submitted, and from when on it cannot be confirmed. */
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

/** The calls with checksummed recipients; undefined where one is not an address. Its own checksum need not be right, as in prepare-tx. */
function callsOf({ calls }: Input): EvmCall[] | undefined {
  const read: EvmCall[] = []
  for (const { to, data, value } of calls) {
    const address = to.startsWith('0x') ? parseAddress(to.toLowerCase()) : undefined
    if (address === undefined) return undefined
    read.push({ to: checksumAddress(address), data: data.toLowerCase() as Hex, value: BigInt(value) })
  }
  return read
}
