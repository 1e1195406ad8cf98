import { createHash, randomBytes } from 'node:crypto'
import type { Hex } from '@symbolon/networks/evm'
import type { Sql } from '@symbolon/server/pool'
import {
  type Claim,
  type Confirmation,
  type FollowedOperation,
  monthlyCapMicro,
  type NewOperation,
  type Submission,
  type UnsignedOperation,
  useropsStore,
} from '@symbolon/server/testing/transactions'
import { seedOrganization, testIds } from './seed-organization.ts'

/** A user's wallet with its smart account, as rows alone. */
export type AccountRow = Pick<NewOperation, 'organizationId' | 'identityId' | 'account'>

/** A built operation. */
export type BuiltRow = NewOperation & { hash: Hex }

const hex = (length: number): Hex => `0x${randomBytes(length).toString('hex')}`
/** At this price a wei costs a micro-EUR. */
const eurE8 = 10n ** 20n

/** Names a ring where none is named, and returns the installation's. */
async function seedRing(sql: Sql): Promise<string> {
  await sql`insert into enclave_rings (id) values (${'r'.repeat(43)}) on conflict do nothing`
  const [ring] = await sql<{ id: string }[]>`select id from enclave_rings`
  return ring?.id ?? ''
}

/** Inserts a user with a wallet and its smart account, one after the other into an organization that is given, else into a new one. */
export async function seedAccount(
  sql: Sql,
  organization?: Pick<AccountRow, 'organizationId'>,
): Promise<AccountRow> {
  const organizationId = organization?.organizationId ?? (await seedOrganization(sql)).id
  const [identityId, walletId, accountId] = [testIds.next(), testIds.next(), testIds.next()]
  const [address, ownerAddress] = [hex(20), hex(20)]
  await sql`insert into identities (id, organization_id, auth_provider, provider_user_id)
    values (${identityId}, ${organizationId}, 'service', ${identityId})`
  await sql`insert into wallets (id, organization_id, user_identity_id, curve, chain_type, account_type, address, addresses,
      public_key, signing_mode, share_a, share_b, ring_id, org_seq)
    values (${walletId}, ${organizationId}, ${identityId}, 'secp256k1', 'evm', 'eoa', ${ownerAddress}, '{}', '', 'tee', '', '',
      ${await seedRing(sql)}, (select count(*) + 1 from wallets where organization_id = ${organizationId}))`
  await sql`insert into smart_accounts values (${accountId}, ${organizationId}, ${walletId}, 'local', 31337, 'f', 'e',
    ${address}, ${ownerAddress}, false, 'end_user', app_now())`
  const account = {
    walletId,
    walletStatus: 'active',
    accountId,
    address,
    ownerAddress,
    deployed: false,
  } as const
  return { organizationId, identityId, account }
}

/** A new operation with its reserve. */
export function newOperation(owner: AccountRow, reserveMicro: bigint, deploys = false): NewOperation {
  const operation: UnsignedOperation = {
    sender: owner.account.address,
    nonce: BigInt(hex(24)) << 64n,
    ...(deploys && { factory: hex(20), factoryData: '0x' }),
    callData: '0x',
    callGasLimit: 1n,
    verificationGasLimit: 1n,
    preVerificationGas: 1n,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
  }
  const price = { eurE8, source: 'test', at: new Date() }
  return {
    id: testIds.next(),
    ...owner,
    chain: 'local',
    chainId: 31_337,
    operation,
    fromBlock: 0n,
    reserve: { reserveMicro, capMicro: monthlyCapMicro, price },
  }
}

/** Builds an operation, submittable until the chain's second 1,000; nothing when the cap leaves too little. */
export async function buildRow(
  sql: Sql,
  owner: AccountRow,
  reserveMicro: bigint,
  deploys = false,
): Promise<BuiltRow | undefined> {
  const made = newOperation(owner, reserveMicro, deploys)
  if (!(await useropsStore.reserve(sql, made))) return undefined
  const hash = hex(32)
  const end = { chainExpiresAt: 1_000n, validUntil: 2_000n, lifetimeSeconds: 600 }
  await useropsStore.complete(sql, made.id, { hash, operation: made.operation, ...end })
  return { ...made, hash }
}

/** Builds an operation that has to come about. */
export async function builtRow(...given: Parameters<typeof buildRow>): Promise<BuiltRow> {
  const made = await buildRow(...given)
  if (made === undefined) throw new Error('Nothing was built.')
  return made
}

/** A token as a claim is guarded by it. */
export const someToken = () => ({
  hash: createHash('sha256').update(randomBytes(8)).digest('hex'),
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
})

/** Claims the operation's send at the chain's second 500. */
export async function claimRow(
  sql: Sql,
  { organizationId, identityId, hash }: BuiltRow,
  change: Partial<Parameters<typeof useropsStore.claim>[1]> = {},
): Promise<{ outcome: Claim; attemptId: string }> {
  const attemptId = testIds.next()
  const outcome = await sql.begin((tx) =>
    useropsStore.claim(tx, {
      organizationId,
      identityId,
      hash,
      signature: '0x11',
      attemptId,
      leaseMs: 15_000,
      holder: testIds.next(),
      chainNow: 500n,
      isDeployed: false,
      token: someToken(),
      ...change,
    }),
  )
  return { outcome, attemptId }
}

/** The send that an attempt names. */
export const submissionOf = ({ id, hash, operation }: BuiltRow, attemptId: string): Submission => ({
  id,
  attemptId,
  chain: 'local',
  hash,
  operation,
  signature: '0x11',
})

/** The operation as the settlement follows it. */
export const followedRow = ({ id, hash, operation }: BuiltRow): FollowedOperation => ({
  id,
  hash,
  sender: operation.sender,
  nonce: operation.nonce,
  state: 'sent',
  fromBlock: 0n,
  validUntil: 2_000n,
  priceEurE8: eurE8,
  confirmed: undefined,
  nonceTakenAtBlock: undefined,
  isDue: false,
})

/** A landing somewhere, at as many micro-EUR as wei. */
export const someConfirmation = (costWei: bigint, succeeded = true): Confirmation => ({
  blockNumber: 7n,
  blockHash: hex(32),
  transactionHash: hex(32),
  succeeded,
  reason: succeeded ? null : 'no',
  costWei,
})
