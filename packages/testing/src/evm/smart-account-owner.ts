import type { BuiltUserOp, SignResponse, SmartAccount, UserOpStatus, Wallet } from '@symbolon/api'
import type { Hex } from 'viem'
import type * as z from 'zod'
import { login, makeWallet, type Tenant, type User } from '../app/tenant.ts'
import type { Answer, Api, CallOptions, TestApp } from '../app/test-app.ts'

/** A user with a TEE wallet and its smart account on one chain. */
export type SmartAccountOwner = {
  tenant: Tenant
  user: User
  wallet: Wallet
  account: SmartAccount
  chain: string
  /** The smart account's address. */
  sender: Hex
}

/** What a build answers. */
export type Built = Omit<z.output<typeof BuiltUserOp>, 'user_op_hash'> & { user_op_hash: Hex }

/** One call of an operation, as the wire has it. */
export type WireCall = { to: string; data?: string; value?: string }

/** Makes a user with a wallet and provisions the wallet's account on the chain. */
export async function newAccountOwner(
  app: TestApp,
  tenant: Tenant,
  chain = 'local',
): Promise<SmartAccountOwner> {
  const user = await login(app, tenant)
  const wallet = await makeWallet(app, user)
  return provisioned(app, tenant, { user, wallet }, chain)
}

/** Provisions a further account of the wallet. */
export async function provisioned(
  app: Api,
  tenant: Tenant,
  { user, wallet }: { user: User; wallet: Wallet },
  chain: string,
): Promise<SmartAccountOwner> {
  const made = await app.call<SmartAccount>('POST', '/v1/wallets/me/smart-accounts', {
    ...user,
    json: { chain },
  })
  if (made.status !== 201) throw new Error(`The account answered ${made.text}`)
  return { tenant, user, wallet, account: made.data, chain, sender: made.data.address as Hex }
}

/** Builds an operation. */
export function buildOp(
  app: Api,
  { user, chain }: Pick<SmartAccountOwner, 'user' | 'chain'>,
  calls: readonly WireCall[],
  rest: Record<string, unknown> = {},
): Promise<Answer<Built>> {
  return app.call('POST', '/v1/userop/build', { ...user, json: { chain, calls, ...rest } })
}

const busyTries = 10

/** Builds, and repeats the build while the bundler is too busy to answer, as callers are told to: such a build reserves nothing. */
export async function buildWhenAnswered(...given: Parameters<typeof buildOp>): Promise<Answer<Built>> {
  for (let tries = 1; ; tries++) {
    const answer = await buildOp(...given)
    if (answer.error?.code !== 'bundler_failed' || tries === busyTries) return answer
  }
}

/** Builds an operation that has to come about. */
export async function built(...given: Parameters<typeof buildOp>): Promise<Built> {
  const { data, text } = await buildOp(...given)
  if (data === null) throw new Error(`The build answered ${text}`)
  return data
}

/** The owner's signature over an operation's hash, by the backend, which is limited less than users are. */
export async function signOp(app: Api, { tenant, wallet }: SmartAccountOwner, hash: Hex): Promise<Hex> {
  const { data, text } = await app.call<SignResponse>('POST', '/v1/s2s/sign', {
    sk: tenant.sk,
    json: { type: 'user_operation', user_op_hash: hash, wallet_id: wallet.id },
  })
  if (data === null) throw new Error(`The signature answered ${text}`)
  return data.signature as Hex
}

/** Submits a signed operation. */
export function submitOp(
  app: Api,
  { user }: Pick<SmartAccountOwner, 'user'>,
  user_op_hash: string,
  signature: string,
  options: CallOptions = {},
): Promise<Answer<UserOpStatus>> {
  return app.call('POST', '/v1/userop/submit', { ...user, json: { user_op_hash, signature }, ...options })
}

/** Reads the status of an operation. */
export function readOp(
  app: Api,
  { user }: Pick<SmartAccountOwner, 'user'>,
  hash: string,
): Promise<Answer<UserOpStatus>> {
  return app.call('GET', `/v1/userop/${hash}`, { ...user })
}

/** Builds, signs and submits. */
export async function sendOp(
  app: Api,
  owner: SmartAccountOwner,
  calls: readonly WireCall[],
  rest: Record<string, unknown> = {},
): Promise<Answer<UserOpStatus>> {
  const { user_op_hash } = await built(app, owner, calls, rest)
  return submitOp(app, owner, user_op_hash, await signOp(app, owner, user_op_hash))
}

/** Resolves with the operation's status once it is no longer `submitted`. */
export async function endOf(
  app: Api,
  owner: SmartAccountOwner,
  hash: string,
  limitMs = 30_000,
): Promise<UserOpStatus> {
  const end = performance.now() + limitMs
  for (;;) {
    const { data, text } = await readOp(app, owner, hash)
    if (data !== null && data.status !== 'submitted') return data
    if (performance.now() > end) throw new Error(`The operation is still ${text}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** What the wallet's months hold and have cost in micro-EUR, beside what its operations say they should. */
export async function monthsOf({ sql }: Pick<TestApp, 'sql'>, walletId: string) {
  const rows = await sql<{ month: string; reserved: number; settled: number; held: number; cost: number }[]>`
    select m.month, m.reserved_micro::int as reserved, m.settled_micro::int as settled,
      coalesce(sum(o.held_micro), 0)::int as held, coalesce(sum(o.settled_micro), 0)::int as cost
    from sponsor_months m left join user_operations o on o.wallet_id = m.wallet_id and o.month = m.month
    where m.wallet_id = ${walletId} group by m.wallet_id, m.month order by m.month`
  for (const { month, reserved, settled, held, cost } of rows) {
    if (reserved !== held || settled !== cost)
      throw new Error(`${month}: ${reserved}/${settled} in the month, ${held}/${cost} in its operations`)
  }
  return rows.map(({ month, reserved, settled }) => ({ month, reserved, settled }))
}
