import type { Chain } from '../chain.ts'
import type { Action } from '../effect.ts'
import type { NetworkPolicy } from '../network.ts'
import {
  type ActionReading,
  allowance,
  harmless,
  isAdminName,
  type MethodRule,
  paid,
  payingNobody,
  readActions,
  readByMethod,
  spent,
  unread,
} from '../policy/action-effects.ts'
import type { AgentEffects } from '../policy/agent-effects.ts'
import { assetKey, assetOfKey } from './asset-key.ts'
import { isTokenMethod, type TokenMethodName } from './contract-calls.ts'
import type { StellarMethod } from './operation-scope.ts'
import { readStrkey, strkey } from './strkey.ts'
import { type StellarParsed, stellarTransaction } from './transaction.ts'

const contract = /^C[A-Z2-7]{55}$/
const poolId = /^L[A-Z2-7]{55}$/

/**
 * A Stellar transaction for policies: payments (at the most that a path can cost; one that exchanges pays anybody too), new accounts, claimable balances and offers
 * are spends whichever account of the transaction they are of, and so are the reserves that they bind; transfers and approvals of Soroban tokens are those of their
 * contract, other calls are calls of it, each also where it is only authorized. Signers, options, merges, the trust of others, sequence
 * numbers and sponsorships are administration; the fee of another account's transaction is paid by nobody's agent.
 */
function readStellarTransaction(parsed: StellarParsed): AgentEffects {
  const { actions, fee } = stellarTransaction.effects(parsed)
  const read = readActions(actions, (action) => readAction(action, parsed.scope.chain))
  return { ...read, fee: fee?.amount ?? null }
}

const rules = {
  account_merge: 'account_admin_not_allowed',
  allow_trust: 'account_admin_not_allowed',
  begin_sponsoring_future_reserves: 'account_admin_not_allowed',
  bump_sequence: 'account_admin_not_allowed',
  change_trust: readTrust,
  claim_claimable_balance: harmless,
  clawback: 'account_admin_not_allowed',
  clawback_claimable_balance: 'account_admin_not_allowed',
  create_account: spent,
  create_claimable_balance: readClaimable,
  create_contract: 'contract_creation_not_allowed',
  create_passive_sell_offer: readOffer,
  end_sponsoring_future_reserves: 'contract_call_not_allowed',
  extend_footprint_ttl: 'contract_call_not_allowed',
  fee_bump: 'contract_call_not_allowed',
  inflation: harmless,
  liquidity_pool_deposit: 'payload_undecodable',
  liquidity_pool_withdraw: 'contract_call_not_allowed',
  manage_buy_offer: readOffer,
  manage_data: 'contract_call_not_allowed',
  manage_sell_offer: readOffer,
  path_payment_strict_receive: withCustomer(readPath),
  path_payment_strict_send: withCustomer(readPath),
  payment: withCustomer(paid),
  restore_footprint: 'contract_call_not_allowed',
  revoke_sponsorship: 'contract_call_not_allowed',
  set_options: 'account_admin_not_allowed',
  set_trust_line_flags: 'account_admin_not_allowed',
  upload_contract: 'contract_creation_not_allowed',
  // Tokens (SEP-41).
  approve: allowance,
  burn: spent,
  burn_from: spent,
  transfer: spent,
  transfer_from: spent,
} satisfies Readonly<Record<StellarMethod | TokenMethodName, MethodRule>>

/** A contract may have methods of any name: the called contract distinguishes them from operations. */
function readAction(action: Action, chain: Chain): ActionReading {
  const { kind, method, to, from } = action
  if (kind === 'call' && to !== null && contract.test(to)) return readCall(method ?? '', from, to)
  return readByMethod(rules, action, chain)
}

/**
 * The base reserve in stroops, a parameter of the network: what an account can no longer spend for each trust line and offer that it adds
 * (CAP-0033), and for each claimant of a claimable balance (CAP-0023).
 */
const baseReserve = 5_000_000n

/**
 * A reading, and the reserve that its action binds. It may never come back: nobody has to claim a balance, and an issuer can freeze a trust
 * line, which then cannot end.
 */
function withReserve(reading: ActionReading, { from }: Action, chain: Chain): ActionReading {
  if (typeof reading === 'string') return reading
  const asset = chain.nativeAsset.symbol
  const reserve = spent({ kind: 'transfer', asset, amount: baseReserve, from, to: from }, chain)
  if (typeof reserve === 'string') return reserve
  return [...reading, ...reserve.map((effect) => ({ ...effect, isOwn: true as const }))]
}

function readClaimable(action: Action, chain: Chain): ActionReading {
  return withReserve(spent(action, chain), action, chain)
}

/** A reading of a payment, which is for one customer of an account alone where the bytes name one (M…). */
function withCustomer(read: Exclude<MethodRule, string>): MethodRule {
  return (action, chain) => {
    const [reading, customer] = [read(action, chain), action.args?.['muxed_to']]
    if (typeof reading === 'string' || typeof customer !== 'string') return reading
    return reading.map((effect) => (effect.to === action.to ? { ...effect, to: customer } : effect))
  }
}

/** Anybody may take what is offered; a call ends an offer. One that has a number has its reserve already. */
function readOffer(action: Action, chain: Chain): ActionReading {
  if (action.kind !== 'approval') return []
  const offered = spent(action, chain)
  return action.args?.['offer'] === undefined ? withReserve(offered, action, chain) : offered
}

/** Whoever offers along the path takes what is sent, at their price; only what stays one asset is a payment to the recipient alone. */
function readPath(action: Action, chain: Chain): ActionReading {
  const sent = spent(action, chain)
  if (typeof sent === 'string') return sent
  const { amountDisplay, args } = action
  const received = args?.['receives'] ?? args?.['receives_at_least']
  const isExchanged = args?.['path'] !== undefined || labelOf(received) !== labelOf(amountDisplay)
  return isExchanged ? sent.flatMap((effect) => [effect, { ...effect, amount: 0n, to: null }]) : sent
}

/** The label of a displayed amount, which no two assets of a chain share. */
function labelOf(display: string | null | undefined): string | undefined {
  return display?.split(' ').at(-1)
}

/**
 * A trust line lets the account hold an asset and lets nobody take anything: it needs the asset to be a listed token, moves nothing
 * of it and binds a reserve. What ends needs nothing. Shares of a pool (L…) are refused.
 */
function readTrust(action: Action, chain: Chain): ActionReading {
  const { asset, amount, from } = action
  if (asset === null || poolId.test(asset)) return 'approval_not_allowed'
  if (amount === 0n) return []
  const trusted = spent({ ...action, kind: 'transfer', amount: 0n, to: from }, chain)
  return withReserve(typeof trusted === 'string' ? trusted : trusted.map(payingNobody), action, chain)
}

function readCall(method: string, from: string, to: string): ActionReading {
  // A method of tokens, whose arguments are not those of the standard.
  if (isTokenMethod(method) || method === 'mint') return 'payload_undecodable'
  return isAdminName(method) ? 'account_admin_not_allowed' : [unread(from, to, method)]
}

/** Stellar as policies see it. A muxed account (M…, SEP-23) is a part of the account that holds it: one of its customers. */
export const policyEffects: NetworkPolicy<StellarParsed> = {
  isChainSigned: true,
  effects: readStellarTransaction,
  selectorForm: /^[A-Za-z0-9_]{1,32}$/,
  nameKind(text) {
    if (/^0x/i.test(text)) return undefined
    const [, issuer = text] = /^[a-zA-Z0-9]{1,12}:(G.+)$/.exec(text) ?? []
    const isName = (['account', 'contract', 'muxedAccount'] as const).some((kind) => readStrkey(kind, issuer))
    return isName ? 'name' : undefined
  },
  nameForm: poolId,
  addressKey(text) {
    if (text.length !== 69 || !text.startsWith('M')) return undefined
    const key = readStrkey('muxedAccount', text)
    return key ? strkey('account', key.subarray(0, 32)) : text
  },
  isPart: (text) => readStrkey('muxedAccount', text) !== undefined,
  assetKey,
  addressOfKey: assetOfKey,
}
