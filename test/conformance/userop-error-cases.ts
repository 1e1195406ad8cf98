import { randomUUID } from 'node:crypto'
import type { ErrorCode } from '@symbolon/api'
import { entryPoint } from '@symbolon/networks/evm'
import type { Answer, TestApp } from '@symbolon/testing/app'
import { makeWalletFor } from '@symbolon/testing/app'
import type { Provoke } from './error-cases.ts'
import { type FastUser, type Fixture, strangersAddress } from './fixture.ts'

type Owner = { user: FastUser; walletId: string }

const transfer = { to: strangersAddress }

/** A user with a wallet and its smart account. */
async function newOwner(fixture: Fixture): Promise<Owner> {
  const user = await fixture.newUser(fixture.tenant)
  const { id } = await makeWalletFor(fixture.app, fixture.tenant, 'secp256k1', user.email)
  await call(fixture.app, user, 'wallets/me/smart-accounts', { chain: 'local' })
  return { user, walletId: id }
}

const call = (app: TestApp, user: FastUser, path: string, json: object): Promise<Answer> =>
  app.call('POST', `/v1/${path}`, { ...user, json })

async function archive({ app, tenant }: Fixture, { walletId }: Owner) {
  await app.call('POST', `/v1/s2s/wallets/${walletId}/archive`, { sk: tenant.sk })
}

/** Builds by an owner of its own; `meanwhile` happens before. */
const buildWith = (
  change: Record<string, unknown>,
  {
    by = ({ app }) => app,
    meanwhile = () => {},
  }: { by?: (fixture: Fixture) => TestApp; meanwhile?: (fixture: Fixture, owner: Owner) => unknown } = {},
): Provoke => {
  return async (fixture) => {
    const owner = await newOwner(fixture)
    await meanwhile(fixture, owner)
    const json = { chain: 'local', calls: [transfer], ...change }
    return call(by(fixture), owner.user, 'userop/build', json).finally(() => fixture.bundler.heal())
  }
}

/** Submits an operation that was built and signed before; `meanwhile` happens in between. */
const submitWith = (
  change: Record<string, unknown>,
  {
    by = ({ app }) => app,
    meanwhile = () => {},
    after = () => {},
  }: {
    by?: (fixture: Fixture) => TestApp
    meanwhile?: (fixture: Fixture, owner: Owner, hash: string) => unknown
    after?: (fixture: Fixture) => unknown
  } = {},
): Provoke => {
  return async (fixture) => {
    const { app, tenant } = fixture
    const owner = await newOwner(fixture)
    const built = await call(app, owner.user, 'userop/build', { chain: 'local', calls: [transfer] })
    const user_op_hash = String(built.data['user_op_hash'])
    const signed = await app.call('POST', '/v1/s2s/sign', {
      sk: tenant.sk,
      json: { type: 'user_operation', user_op_hash, wallet_id: owner.walletId },
    })
    await meanwhile(fixture, owner, user_op_hash)
    const json = { user_op_hash, signature: signed.data['signature'], ...change }
    try {
      return await call(by(fixture), owner.user, 'userop/submit', json)
    } finally {
      await after(fixture)
      fixture.bundler.heal()
    }
  }
}

const refusal = { kind: 'error', error: { code: -32500, message: 'AA23 reverted' } } as const
const bundled = ({ bundlerFaults }: Fixture) => bundlerFaults
const chainless = (fixture: Fixture) => fixture.chainless

/** The error cases of the routes of operations. */
export const useropErrorCases: Record<string, Partial<Record<ErrorCode, Provoke>>> = {
  'userops.build': {
    chain_unsupported: buildWith({ chain: 'base' }),
    bad_to: buildWith({ calls: [{ to: '0x1234' }] }),
    gas_cap_exceeded: buildWith(
      {},
      {
        meanwhile: ({ app }, { walletId }) => app.sql`
          insert into sponsor_months (wallet_id, month, settled_micro)
          values (${walletId}, to_char(app_now() at time zone 'UTC', 'YYYY-MM'), 10000000)`,
      },
    ),
    wallet_not_found: async (fixture) =>
      call(fixture.app, await fixture.newUser(fixture.tenant), 'userop/build', {
        chain: 'local',
        calls: [transfer],
      }),
    wallet_archived: buildWith({}, { meanwhile: archive }),
    smart_account_not_provisioned: (fixture) =>
      call(fixture.app, fixture.withoutAccount, 'userop/build', { chain: 'local', calls: [transfer] }),
    // The EntryPoint knows no such function.
    estimate_gas_reverted: buildWith({ calls: [{ to: entryPoint, data: '0xdeadbeef' }] }),
    bundler_rejected: buildWith(
      {},
      {
        by: bundled,
        meanwhile: ({ bundler }) => bundler.fault('eth_estimateUserOperationGas', refusal),
      },
    ),
    bundler_failed: buildWith(
      {},
      {
        by: bundled,
        meanwhile: ({ bundler }) => bundler.fault('eth_estimateUserOperationGas', { kind: 'cut' }),
      },
    ),
    rpc_failed: buildWith({}, { by: chainless }),
  },
  'userops.submit': {
    invalid_signature: submitWith({ signature: `0x${'11'.repeat(65)}` }),
    not_found: submitWith({ user_op_hash: `0x${randomUUID().replaceAll('-', '').repeat(2)}` }),
    wallet_archived: submitWith({}, { meanwhile: archive }),
    expired: submitWith(
      {},
      {
        meanwhile: ({ app }, _, hash) =>
          app.sql`update user_operations set expires_at = app_now() where hash = ${hash}`,
      },
    ),
    bundler_rejected: submitWith(
      {},
      { by: bundled, meanwhile: ({ bundler }) => bundler.fault('eth_sendUserOperation', refusal) },
    ),
    bundler_failed: submitWith(
      {},
      {
        by: bundled,
        meanwhile: ({ bundler }) => bundler.refuse(),
        after: ({ bundler }) => bundler.accept(),
      },
    ),
    rpc_failed: submitWith({}, { by: chainless }),
  },
}
