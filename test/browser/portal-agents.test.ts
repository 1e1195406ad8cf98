import { rounds } from '@symbolon/testing/properties'
import { expect, test } from 'vitest'
import { type Look, lookAtAll } from './support/look-at.ts'
import { agentCompany, mintFor, payAs } from './support/portal-agents.ts'
import { portalFixture } from './support/portal-fixture.ts'

const { visitor, dev } = portalFixture()
const ether = 10n ** 18n

type Policy = Record<string, unknown>

test('an agent is made with amounts in whole coins, which the API holds in the smallest unit', async () => {
  const owner = await visitor({ email: 'maker@example.test' })
  const { page, click, see, call } = owner
  const { id, at } = await agentCompany(owner, 'maker', dev().base_url)
  await owner.go(`${at}/agents`)
  await see('No agents yet')
  await click('Create agent')
  await page.getByLabel('Name', { exact: true }).fill('Treasury bot')
  await page.getByRole('group', { name: 'Wallet' }).getByRole('radio').check()
  await page.getByRole('group', { name: 'Recipients' }).getByText('Anyone').click()
  await page.getByRole('group', { name: 'Chains' }).getByText('All', { exact: true }).click()
  // Where every chain may be meant there is no one coin: only the smallest unit can be typed.
  await page.getByLabel('Total', { exact: true }).fill('0.05')
  await see(/amounts here are in the smallest unit/)
  await page.getByLabel('Total', { exact: true }).fill('')
  await page.getByRole('group', { name: 'Chains' }).getByText('Only these').click()
  await page.getByText('base-sepolia', { exact: true }).click()
  await page.getByLabel('Total', { exact: true }).fill('0.05')
  await see('50,000,000,000,000,000 in the smallest unit.')
  await page.getByLabel('Per transaction', { exact: true }).fill('0.0000000000000000001')
  await see(/with at most 18 decimals/)
  await page.getByLabel('Per transaction', { exact: true }).fill('0.01')
  await page.getByText('Sign messages').click()
  await page.getByRole('group', { name: 'Tokens' }).getByText('Only these').click()
  await click('Add token')
  await page.getByLabel('Chain of token 1').selectOption('base-sepolia')
  await page.getByLabel('Address of token 1').fill(`0x${'11'.repeat(20)}`)
  await page.getByLabel('Total limit of token 1, in the smallest unit').fill('5000000')
  await page.getByRole('dialog').getByRole('button', { name: 'Create agent' }).click()
  await see('Endpoints')
  await see('0.01 ETH')

  const { items } = await call<{ items: { policy: Policy }[] }>('GET', `/v1/orgs/${id}/agents`)
  const policy = {
    allowed_chains: ['base-sepolia'],
    max_spend_total_native: '50000000000000000',
    max_spend_per_tx_native: '10000000000000000',
    allowed_methods: ['sendTransaction'],
    allowed_tokens: [{ chain: 'base-sepolia', token: `0x${'11'.repeat(20)}`, max_total: '5000000' }],
  }
  expect(items[0]?.policy).toEqual(policy)

  // Opened and saved without a change, it stays what it was.
  await click('Edit')
  expect(await page.getByLabel('Total', { exact: true }).inputValue()).toBe('0.05')
  await click('Save')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const again = await call<{ items: { policy: Policy }[] }>('GET', `/v1/orgs/${id}/agents`)
  expect(again.items[0]?.policy).toEqual(policy)
}, 60_000)

const spentQuarter = 'ETH: 0.250021 ETH spent, 0 ETH reserved, 0.749979 ETH left'

test('a session shows what is spent and left and why it was refused; stricter rules reduce it; revoked, its token is refused', async () => {
  const owner = await visitor({ email: 'limits@example.test' })
  const { page, click, see, call } = owner
  const company = await agentCompany(owner, 'limits', dev().base_url)
  const { id, at } = company
  await owner.go(`${at}/agent-sessions`)
  await see('No sessions yet')
  await click('Mint session')
  await page.getByRole('group', { name: 'Wallet' }).getByRole('radio').check()
  await see(company.walletId)
  await click('Copy mint')
  const snippet = await page.evaluate(() => navigator.clipboard.readText())
  const copied = await company.asBackend<{ token: string }>(
    'POST',
    new URL(/curl (\S+)/.exec(snippet)?.[1] ?? '').pathname,
    JSON.parse(/-d '(.*)'$/s.exec(snippet)?.[1] ?? ''),
  )
  expect(copied.token).toMatch(/^as_live_/)
  await click('Done')

  const { id: sessionId, token } = await mintFor(company)
  expect(await payAs(dev().base_url, token, ether / 4n, 0)).toBe(200)
  expect(await payAs(dev().base_url, token, (ether * 6n) / 10n, 1)).toBe(403)
  await owner.go(`${at}/agent-sessions`)
  // Each payment's fee, 0.000021 ETH, is spent beside its value.
  await see('0.749979 ETH left')
  await page.getByRole('link', { name: 'Shopping bot', exact: true }).click()
  await page.getByRole('img', { name: spentQuarter }).waitFor()
  await see('It would have sent 0.6 ETH; the limit per transaction is now 0.5 ETH.')
  await see('per_tx_cap_exceeded')
  expect(await payAs(dev().base_url, token, ether / 2n, 2)).toBe(200)
  expect(await payAs(dev().base_url, token, ether / 2n, 3)).toBe(403)
  await page.reload()
  await see('It would have sent 0.5 ETH; 0.249958 ETH of the 1 ETH budget is left now.')
  await page.getByLabel('Outcome').selectOption('allowed')
  await page.getByText('per_tx_cap_exceeded').waitFor({ state: 'detached' })
  await owner.go(`${at}/rules`)
  await page.getByLabel('Per transaction', { exact: true }).fill('100000000000000000')
  await see(/0.1 of a coin with 18 decimals/)
  await click('Save rules')
  await see('Rules saved. They apply immediately.')
  const { rules } = await call<{ rules: Policy }>('GET', `/v1/orgs/${id}/rules`)
  expect(rules).toEqual({
    max_native_per_tx_cap: '100000000000000000',
    token_mode: 'allowlist',
    allow_raw_hash: false,
  })
  await mintFor(company, { name: 'Minted later' })
  await owner.go(`${at}/agent-sessions`)
  await page.getByRole('link', { name: 'Minted later' }).click()
  await see('This session got less than it asked for')
  await see('0.1 ETH')

  await owner.go(`${at}/agent-sessions/${sessionId}`)
  await click('Revoke…')
  await click('Revoke session')
  await see('This session is revoked')
  expect(await payAs(dev().base_url, token, 1n, 4)).toBe(401)
  await see('The session was already revoked.')
}, 60_000)

test('a run is followed to its end, its child too; refusals are explained in words; a canceled one stays so', async () => {
  const owner = await visitor({ email: 'runs@example.test' })
  const { page, click, see, call } = owner
  const company = await agentCompany(owner, 'runs', dev().base_url)
  const { id, at, walletId } = company
  const agents = `/v1/orgs/${id}/agents`
  const make = (name: string, policy: Policy) =>
    call<{ id: string }>('POST', agents, { name, wallet_id: walletId, policy })
  const scribe = await make('Scribe', {})
  const mute = await make('Mute', { allowed_methods: ['sendTransaction'] })

  await owner.go(`${at}/agents/${scribe.id}`)
  await click('Start run')
  await page.getByLabel('Objective').fill(`delegate to ${mute.id}: sign message: hello`)
  await page.getByRole('dialog').getByRole('button', { name: 'Start run' }).click()
  await page.waitForURL('**/runs/*')
  await see('Delegated')
  await page.getByRole('alert').getByText('The session does not allow this method.').waitFor()
  await page.getByRole('main').getByRole('listitem').getByRole('link').first().click()
  await see('Started by run')
  await see('sign_message failed')
  await see(/a limit of the agent’s policy/)

  await owner.go(`${at}/agents/${scribe.id}`)
  await click('Start run')
  await click('sign message: hello')
  await page.getByRole('dialog').getByRole('button', { name: 'Start run' }).click()
  await page.waitForURL('**/runs/*')
  await see('Completed')
  await see('sign_message returned')
  await see('Signed')

  const asking = { tool: 'ask_user', arguments: { question: 'Which vendor?' } }
  const { id: unanswered } = await call<{ id: string }>('POST', `${agents}/${scribe.id}/runs`, {
    objective: asking,
  })
  await owner.go(`${at}/agents/${scribe.id}/runs/${unanswered}`)
  await see('The agent asked a question that nobody could answer.')
  await see(/question: Which vendor\?/)

  const { token } = await mintFor(company, { agent_id: scribe.id })
  const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ data: asking }] }
  const sent = await fetch(`${dev().base_url}/v1/agents/${scribe.id}/a2a`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'a2a-version': '1.0',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }),
  })
  const { result } = (await sent.json()) as { result: { task: { id: string } } }
  await owner.go(`${at}/agents/${scribe.id}/runs/${result.task.id}`)
  await see('The agent asks: Which vendor?')
  await click('Cancel run…')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click()
  await see('Canceled')
  await page.getByRole('button', { name: 'Cancel run…' }).waitFor({ state: 'detached' })
}, 60_000)

test('a hook’s secret is shown once and rotated; an archived agent takes neither hooks nor runs', async () => {
  const owner = await visitor({ email: 'hooks@example.test' })
  const { page, click, see, call } = owner
  const { id, at, walletId } = await agentCompany(owner, 'hooks', dev().base_url)
  const agent = await call<{ id: string }>('POST', `/v1/orgs/${id}/agents`, {
    name: 'Biller',
    wallet_id: walletId,
  })
  await owner.go(`${at}/agents/${agent.id}`)
  await click('Create hook')
  await page.getByLabel('Name', { exact: true }).fill('Billing')
  await page.getByLabel('Signature scheme').selectOption('github')
  await page.getByLabel('Objective').fill('policy')
  await page.getByRole('dialog').getByRole('button', { name: 'Create hook' }).click()
  const secret = await page.getByLabel('Hook secret').inputValue()
  expect(secret).toMatch(/^whsec_/)
  await click('I’ve saved it')
  await see(`Secret …${secret.slice(-4)}`)
  expect(await page.content()).not.toContain(secret)
  await click('Actions for Billing')
  await page.getByRole('menuitem', { name: 'Rotate' }).click()
  await click('Rotate secret')
  const next = await page.getByLabel('Hook secret').inputValue()
  expect(next).not.toBe(secret)
  await click('I’ve saved it')
  await click('Actions for Billing')
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await see('No hooks yet. Create one and give its URL')

  await click('Archive…')
  await page.getByLabel('Type “Biller” to confirm').fill('Biller')
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
  await see('This agent is archived')
  expect(await page.getByRole('button', { name: 'Start run' }).isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Create hook' }).isDisabled()).toBe(true)
}, 60_000)

test('a viewer looks at agents and sessions and changes nothing; the rules are for owners and admins', async () => {
  const owner = await visitor({ email: 'ruler@example.test' })
  const company = await agentCompany(owner, 'ruled', dev().base_url)
  const { id, at, walletId } = company
  await owner.call('POST', `/v1/orgs/${id}/agents`, { name: 'Payer', wallet_id: walletId })
  const { id: sessionId } = await mintFor(company)
  await owner.call('POST', `/v1/orgs/${id}/members`, { email: 'looker@example.test', role: 'viewer' })
  const viewer = await visitor({ email: 'looker@example.test' })
  const isDisabled = (name: string) => viewer.page.getByRole('button', { name }).isDisabled()
  await viewer.go(`${at}/agents`)
  expect(await isDisabled('Create agent')).toBe(true)
  await viewer.page.getByRole('link', { name: 'Payer' }).click()
  await viewer.see('Endpoints')
  expect(await Promise.all(['Edit', 'Archive…', 'Start run', 'Create hook'].map(isDisabled))).toEqual([
    true,
    true,
    true,
    true,
  ])
  await viewer.go(`${at}/agent-sessions/${sessionId}`)
  expect(await isDisabled('Revoke…')).toBe(true)
  await viewer.go(`${at}/rules`)
  await viewer.see('As a viewer, you can’t see this.')
}, 60_000)

type Filled = Awaited<ReturnType<typeof fillCompany>>

/** A company with agents, sessions and runs in every state that matters. */
async function fillCompany() {
  const owner = await visitor({ email: 'looks@example.test' })
  const company = await agentCompany(owner, 'agents', dev().base_url)
  const { id, at, walletId } = company
  await owner.call('PUT', `/v1/orgs/${id}/rules`, { max_native_per_tx_cap: '400000000000000000' })
  const agent = await owner.call<{ id: string }>('POST', `/v1/orgs/${id}/agents`, {
    name: 'Treasury bot',
    description: 'Pays invoices that were approved, on two chains and to two vendors.',
    wallet_id: walletId,
    policy: {
      max_spend_total_native: '2000000000000000000',
      allowed_chains: ['base', 'base-sepolia'],
      allowed_recipients: [`0x${'00'.repeat(19)}42`, `0x${'a1'.repeat(20)}`],
      allowed_tokens: [{ chain: 'base', token: `0x${'11'.repeat(20)}`, max_total: '250000000' }],
    },
  })
  const spender = await owner.call<{ id: string }>('POST', `/v1/orgs/${id}/agents`, {
    name: 'Spender',
    wallet_id: walletId,
  })
  await owner.call('POST', `/v1/orgs/${id}/agents/${agent.id}/hooks`, {
    name: 'Billing',
    style: 'stripe',
    objective_template: 'send 0.01 ETH on base to 0x0000000000000000000000000000000000000042',
  })
  const start = (objective: string) =>
    owner.call<{ id: string }>('POST', `/v1/orgs/${id}/agents/${agent.id}/runs`, { objective })
  await start('sign message on base: the invoice is paid')
  const refused = await start(`delegate to ${agent.id}: buy me something nice`)
  const { id: sessionId, token } = await mintFor(company, { agent_id: agent.id })
  for (const [nonce, wei] of [ether / 4n, ether / 10n, ether / 2n, ether / 3n].entries())
    await payAs(dev().base_url, token, wei, nonce)
  const spent = await mintFor(company, { name: 'Used up', max_tx_count: 1 })
  await payAs(dev().base_url, spent.token, 7n, 20)
  return {
    at,
    walletId,
    sessionId,
    agent: `${at}/agents/${agent.id}`,
    spender: `${at}/agents/${spender.id}`,
    run: `${at}/agents/${agent.id}/runs/${refused.id}`,
  }
}

/** The pages of that company. */
function looksOf({ at, walletId, sessionId, agent, spender, run }: Filled): readonly Look[] {
  return [
    ['agents', `${at}/agents`],
    ['agents-none', `${at}/agents?status=archived`],
    ['agent-create', `${at}/agents?create=true`],
    [
      'agent-create-boundless',
      `${at}/agents?create=true`,
      async ({ page, see }) => {
        await page.getByRole('group', { name: 'Wallet' }).getByRole('radio').check()
        await page.getByRole('group', { name: 'Total' }).getByText('No limit').click()
        await page.getByRole('group', { name: 'Recipients' }).getByText('Anyone').click()
        await see('Nothing limits what this agent can lose')
        await page.getByLabel(/^I want no limit/).focus()
      },
    ],
    [
      'agent-create-wallet',
      `${at}/agents?create=true`,
      ({ page }) => page.getByRole('group', { name: 'Wallet' }).getByRole('radio').check(),
    ],
    ['agent-boundless', spender],
    ['agent-wallet', `${at}/wallets?wallet=${walletId}`],
    ['agent', agent],
    ['agent-run-start', agent, ({ page }) => page.getByRole('button', { name: 'Start run' }).click()],
    ['agent-edit', agent, ({ page }) => page.getByRole('button', { name: 'Edit' }).click()],
    [
      'agent-edit-limits',
      agent,
      async ({ page, click }) => {
        await click('Edit')
        await page.getByRole('group', { name: 'Recipients' }).getByRole('radio').last().focus()
        // What is hidden but can have the focus must not move the dialog as a whole.
        expect(await page.getByRole('dialog').evaluate(({ scrollTop }) => scrollTop)).toBe(0)
      },
    ],
    ['agent-run', run, ({ see }) => see('Delegated')],
    ['agent-sessions', `${at}/agent-sessions`],
    ['agent-session-mint', `${at}/agent-sessions?mint=true`],
    ['agent-session', `${at}/agent-sessions/${sessionId}`, ({ see }) => see('per_tx_cap_exceeded')],
    ['agent-rules', `${at}/rules`],
  ]
}

test('every page about agents fits wide and narrow windows in light and dark colours, and axe finds nothing serious', async () => {
  const pages = looksOf(await fillCompany())
  const someone = await visitor({ email: 'looks@example.test' })
  // In the suite each page is seen in one view, another one than the page before it.
  expect(await lookAtAll(someone, pages, rounds({ suite: 1, night: 4 }))).toEqual([])
}, 240_000)
