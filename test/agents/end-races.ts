import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { auditEventTypes } from '@symbolon/api'
import {
  anyAddress,
  makeAgent,
  mintSession,
  setRules,
  signAs,
  transferRequest,
} from '@symbolon/testing/agents'
import {
  type Answer,
  callAs,
  type Installation,
  liftRates,
  makeTenant,
  makeWalletFor,
  newMember,
  type PortalUser,
  startTestApp,
  type Tenant,
  type TestApp,
} from '@symbolon/testing/app'
import { expect } from 'vitest'

/** Two processes, an organization and a wallet, and who may end things. */
export type RaceSite = {
  apps: readonly [TestApp, TestApp]
  tenant: Tenant
  owner: PortalUser
  walletId: string
  stop(): Promise<void>
}

/** A way to end a session's signatures: prepared, done, and undone; `event` is its type in the audit log. */
export type Ending = {
  event: string
  ready(
    site: RaceSite,
  ): Promise<{ token: string; sessionId: string; end(app: TestApp): Promise<Answer<unknown>> }>
  undo?(site: RaceSite): Promise<unknown>
}

/** Starts two processes over one installation. */
export async function raceSite(installation: Installation): Promise<RaceSite> {
  const apps = [await startTestApp({ installation }), await startTestApp({ installation })] as const
  const [app] = apps
  await liftRates(app)
  const tenant = await makeTenant(app)
  const owner = await newMember(app, tenant.id, 'owner')
  const { id: walletId } = await makeWalletFor(app, tenant)
  return {
    apps,
    tenant,
    owner,
    walletId,
    async stop() {
      await Promise.all(apps.map((one) => one.stop()))
    },
  }
}

const minted = async ({ apps: [app], tenant, walletId }: RaceSite, more: object = {}) => {
  const { token, id } = await mintSession(app, tenant, walletId, {
    max_spend_total_native: '1000000',
    ...more,
  })
  return { token, sessionId: id }
}
const around = ({ owner, tenant, walletId }: RaceSite) => ({
  member: owner,
  organizationId: tenant.id,
  walletId,
})
const archiving = ({ tenant, walletId }: RaceSite, verb: 'archive' | 'unarchive', app: TestApp) =>
  app.call('POST', `/v1/s2s/wallets/${walletId}/${verb}`, { sk: tenant.sk })

/** All that ends signatures. */
export const endings: Record<string, Ending> = {
  'a revoke': {
    event: 'agent_session.revoked',
    async ready(site) {
      const session = await minted(site)
      const path = `/v1/orgs/${site.tenant.id}/agent-sessions/${session.sessionId}/revoke`
      return { ...session, end: (app) => app.call('POST', path, { sk: site.tenant.sk }) }
    },
  },
  'stricter rules': {
    event: 'org.rules_updated',
    async ready(site) {
      const path = `/v1/orgs/${site.tenant.id}/rules`
      const strict = { blocked_chains: ['local'] }
      return { ...(await minted(site)), end: (app) => callAs(app, site.owner, ['PUT', path, strict]) }
    },
    undo: (site) => setRules(site.apps[0], around(site), {}),
  },
  'an archived wallet': {
    event: 'wallet.archived',
    ready: async (site) => ({ ...(await minted(site)), end: (app) => archiving(site, 'archive', app) }),
    undo: (site) => archiving(site, 'unarchive', site.apps[0]),
  },
  'an archived agent': {
    event: 'agent.archived',
    async ready(site) {
      const { id } = await makeAgent(site.apps[0], around(site))
      const path = `/v1/orgs/${site.tenant.id}/agents/${id}/archive`
      const session = await minted(site, { agent_id: id })
      return { ...session, end: (app) => callAs(app, site.owner, ['POST', path]) }
    },
  },
}

const refusals = /token_revoked|chain_blocked|wallet_archived/

/**
 * Signs by both processes while one of them ends it. Who asks after the answer is refused, and in the organization's one order of
 * events no signature comes after the end. Answers how many signatures there were.
 */
export async function endingRound(site: RaceSite, { event, ready, undo }: Ending): Promise<number> {
  const { apps } = site
  const { token, sessionId, end } = await ready(site)
  let isEnded = false
  let signed = 0
  const signer = async (app: TestApp) => {
    while (!isEnded) {
      const answer = await signAs(app, token, transferRequest(anyAddress(), 1n))
      if (answer.status === 200) signed++
      else if (!refusals.test(answer.text)) throw new Error(answer.text)
    }
    const late = await signAs(app, token, transferRequest(anyAddress(), 1n))
    expect(late.text).toMatch(refusals)
  }
  const signers = Promise.allSettled([...apps, ...apps].map(signer))
  // At any moment of the signers.
  await sleep(randomInt(0, 80))
  const ended = await end(apps[randomInt(2)] as TestApp)
  isEnded = true
  const outcomes = await signers
  await undo?.(site)
  expect(ended.status, ended.text).toBeLessThan(300)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  const [order] = await apps[0].sql<{ after: number; signed: number }[]>`
    select (
      select count(*)::int from audit_events e where e.organization_id = ${site.tenant.id} and e.n > (
        select n from audit_events where organization_id = ${site.tenant.id} and type = ${typeOf(event)} order by n desc limit 1)
      and e.type = ${typeOf('wallet.signed')} and e.actor_id = ${sessionId}) as after,
      (select allowed::int from agent_tallies where owner = ${sessionId}) as signed`
  expect(order).toEqual({ after: 0, signed })
  return signed
}

/** The audit log's number for a type. */
function typeOf(name: string): number {
  const type = auditEventTypes.indexOf(name as (typeof auditEventTypes)[number])
  if (type < 0) throw new Error(`There is no event ${name}.`)
  return type
}
