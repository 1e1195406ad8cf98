import { makeWalletFor, startTestApp } from '@symbolon/testing/app'
import { startEnclaveProcess } from '@symbolon/testing/enclave'
import { callRoute, type Provoke } from './call-route.ts'
import { bodyOf, type Fixture } from './fixture.ts'

/** Archives a wallet of the tenant, and puts its row back as it was: the enclave knows better. */
export async function setBackWallet({ app, tenant }: Fixture, walletId: string): Promise<void> {
  const { status } = await app.call('POST', `/v1/s2s/wallets/${walletId}/archive`, { sk: tenant.sk })
  if (status !== 204) throw new Error(`The wallet was not archived: ${status}`)
  await app.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update wallets set status = 'active', archived_at = null where id = ${walletId}`
  })
}

/** The call of a user whose wallet was set back. */
export const byUserOfOlderState: Provoke = async (fixture, route) => {
  const user = await fixture.newUser(fixture.tenant)
  const { id } = await makeWalletFor(fixture.app, fixture.tenant, 'secp256k1', user.email)
  await setBackWallet(fixture, id)
  return callRoute(fixture, route, { user })
}

/** A backend's call that names a wallet that was set back. */
export const withWalletOfOlderState: Provoke = async (fixture, route) => {
  const { id } = await makeWalletFor(fixture.app, fixture.tenant)
  await setBackWallet(fixture, id)
  return callRoute(fixture, route, { json: { ...bodyOf(route, fixture), wallet_id: id } })
}

/** A process of the same installation, whose enclave has a ring of its own. */
export const withForeignRing: Provoke = async (fixture, route) => {
  const enclaveProcess = await startEnclaveProcess()
  const process = await startTestApp({ installation: { ...fixture.app, enclaveProcess } })
  try {
    return await callRoute(fixture, route, { process })
  } finally {
    await process.stop()
    await enclaveProcess.stop()
  }
}
